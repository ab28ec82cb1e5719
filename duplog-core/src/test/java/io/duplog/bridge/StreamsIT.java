package io.duplog.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.common.collect.Lists;
import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.cli.Commands;
import io.duplog.config.ConfigLoader;
import io.duplog.parts.RabbitMq;
import io.duplog.parts.Redis;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A third stream comes and goes between real servers, while messages flow. */
class StreamsIT extends BridgeBetweenServers {
  private static final String THIRD_QUEUE = "duplog-c";
  private static final int BATCH = 10;
  private static final Duration WHILE = Duration.ofMinutes(2);

  @TempDir private Path directory;

  private static String yaml(String name, boolean three) {
    String third =
        "  - {name: c, host: %s, port: %d, user: %s, password: %s, queues: [%s]}\n"
            .formatted(
                brokerB.host(),
                brokerB.port(),
                RabbitMq.BRIDGE_USER,
                RabbitMq.BRIDGE_PASSWORD,
                THIRD_QUEUE);
    // A busy machine is no reason to pass messages through here.
    return yaml(name, "")
        .replace(
            "dedup: {lease: 2s, redis: {",
            (three ? third : "") + "dedup: {lease: 10s, redis: {timeout: 8s, ");
  }

  private Bridge start(String name, boolean three) throws Exception {
    return start(
        ConfigLoader.of(Map.of(), "host")
            .parse("test.yaml", yaml(name, three), BridgeConfig.class));
  }

  private Bridge restart(Bridge bridge, String name, boolean three) throws Exception {
    assertThat(bridge.stop(GRACE.multipliedBy(6))).isTrue();
    bridges.remove(bridge);
    return start(name, three);
  }

  /** Sends every message to two nodes, and to a third one while there is one. */
  private final class Senders {
    private final Thread thread = new Thread(this::send, "senders");
    private final AtomicReference<@Nullable TestPublisher> third = new AtomicReference<>();
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    private final AtomicInteger sent = new AtomicInteger();
    private volatile boolean ended;

    private void send() {
      try {
        while (!ended) {
          String[] batch = numbered(sent.get(), sent.get() + BATCH);
          streamA.publish(batch);
          TestPublisher now = third.get();
          if (now != null) {
            now.publish(batch);
          }
          streamB.publish(batch);
          sent.addAndGet(BATCH);
        }
      } catch (Exception e) {
        failure.set(e);
      }
    }

    void awaitMore(int messages) {
      int until = sent.get() + messages;
      await().atMost(WHILE).until(() -> sent.get() >= until || failure.get() != null);
      assertThat(failure.get()).isNull();
    }
  }

  @Test
  void stream_addedAndRemovedWhileMessagesFlow_losesNothing_andDuplicatesNothing()
      throws Exception {
    Path file = Files.writeString(directory.resolve("duplog.yaml"), yaml("operator", true));
    Senders senders = new Senders();
    try (TestPublisher streamC = new TestPublisher(brokerB, "c", THIRD_QUEUE)) {
      Bridge one = start("one", false);
      Bridge two = start("two", false);
      senders.thread.start();
      senders.awaitMore(100);

      one = restart(one, "one", true);
      senders.awaitMore(50);
      restart(two, "two", true);
      senders.third.set(streamC);
      senders.awaitMore(100);
      assertThat(run(0, file, "list")).contains("a  merged", "b  merged", "c  merged");

      senders.third.set(null);
      senders.awaitMore(2 * BATCH);
      await().atMost(WHILE).until(() -> brokerB.depth(THIRD_QUEUE) == 0);
      assertThat(run(0, file, "remove", "c")).contains("ok ", "c is not merged any more");
      senders.awaitMore(50);
      restart(one, "one", false);
      senders.awaitMore(50);
      assertThat(run(0, file, "list")).contains("a  merged", "b  merged", "c  removed");
    } finally {
      senders.ended = true;
      senders.thread.join();
    }
    awaitSettled();

    assertThat(sink.bypassed()).isZero();
    assertThat(sink.counts())
        .containsOnlyKeys(numbered(0, senders.sent.get()))
        .values()
        .containsOnly(1);
  }

  @Test
  void stream_removedWhileTheSpareIsAway_isSaidAgain_andThenRemovedThereToo() throws Exception {
    try (Redis spare = Redis.started()) {
      String yaml =
          yaml("one", true)
              .replace(
                  "lease: 10s,",
                  "lease: 10s, spare: {host: %s, port: %d, user: %s, password: %s},"
                      .formatted(spare.host(), spare.port(), Redis.USER, Redis.PASSWORD));
      Path file = Files.writeString(directory.resolve("duplog.yaml"), yaml);
      start(ConfigLoader.of(Map.of(), "host").load(file, BridgeConfig.class));
      for (Redis each : List.of(redis, spare)) {
        await().atMost(WHILE).until(() -> agreed(each).startsWith("a,b,c "));
      }

      spare.pause();
      try {
        assertThat(run(1, file, "remove", "c"))
            .contains("c is not merged any more", "failed  dedup.spare: ", "say it again");
      } finally {
        spare.unpause();
      }
      assertThat(run(0, file, "remove", "c")).contains("ok      c was removed before");

      for (Redis each : List.of(redis, spare)) {
        assertThat(agreed(each)).startsWith("a,b,c!");
      }
    }
  }

  /** What the bridges agree on there. */
  private static String agreed(Redis redis) {
    return redis.cli("get", "duplog:streams");
  }

  private static String run(int status, Path file, String... words) {
    return Commands.run(status, file, Lists.asList("streams", words).toArray(String[]::new)).out();
  }
}
