package io.duplog.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.common.collect.Lists;
import io.duplog.cli.Commands;
import io.duplog.parts.Deployed;
import io.duplog.parts.Redis;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that a third stream is added and removed under load without loss or duplicates, and later
 * also removed from a spare that was unavailable.
 */
class StreamsIT extends BridgeBetweenServers {
  private static final String THIRD_QUEUE = "duplog-c";
  private static final int BATCH = 10;

  @TempDir private Path directory;

  private int sent;
  private @Nullable TestPublisher third;

  private static String yaml(String name, boolean three) {
    String more = "  - {name: c, %s, queues: [%s]}\n".formatted(brokerB.asBridge(), THIRD_QUEUE);
    return yaml(name, "").replace("dedup:", (three ? more : "") + "dedup:");
  }

  private Bridge start(String name, boolean three) throws Exception {
    return start(parsed(yaml(name, three)));
  }

  private Bridge restart(Bridge bridge, String name, boolean three) throws Exception {
    assertThat(bridge.stop(GRACE.multipliedBy(6))).isTrue();
    bridges.remove(bridge);
    return start(name, three);
  }

  /** Sends at least this many messages to two nodes, and to a third one while there is one. */
  private void send(int messages) throws Exception {
    for (int end = sent + messages; sent < end; sent += BATCH) {
      String[] batch = numbered(sent, sent + BATCH);
      streamA.publish(batch);
      if (third != null) {
        third.publish(batch);
      }
      streamB.publish(batch);
    }
  }

  /** Continues sending until an action is done. */
  private <T> T sendWhile(Callable<T> action) throws Exception {
    FutureTask<T> done = new FutureTask<>(action);
    new Thread(done, "action").start();
    while (!done.isDone()) {
      send(BATCH);
    }
    return done.get();
  }

  @Test
  void stream_addedAndRemovedWhileMessagesFlow_losesNothing_andDuplicatesNothing()
      throws Exception {
    Path file = Files.writeString(directory.resolve("duplog.yaml"), yaml("operator", true));
    try (TestPublisher streamC = new TestPublisher(brokerB, "c", THIRD_QUEUE)) {
      Bridge first = start("one", false);
      Bridge two = start("two", false);
      send(100);

      Bridge one = sendWhile(() -> restart(first, "one", true));
      send(50);
      sendWhile(() -> restart(two, "two", true));
      third = streamC;
      send(100);
      String listed = sendWhile(() -> run(0, file, "list"));
      assertThat(listed).contains("a  merged", "b  merged", "c  merged");
      assertThat(Deployed.page("add-node.md"))
          .contains(listed.replaceAll("(?m)^", "syslog-").indent(4));

      third = null;
      sendWhile(
          () -> {
            await().until(() -> brokerB.depth(THIRD_QUEUE) == 0);
            return true;
          });
      assertThat(sendWhile(() -> run(0, file, "remove", "c")))
          .contains("ok ", "c is not merged any more");
      send(50);
      sendWhile(() -> restart(one, "one", false));
      send(50);
      assertThat(run(0, file, "list")).contains("a  merged", "b  merged", "c  removed");
    }
    awaitSettled();

    assertThat(sink.bypassed()).isZero();
    assertThat(sink.counts()).containsOnlyKeys(numbered(0, sent)).values().containsOnly(1);
  }

  @Test
  void stream_removedWhileTheSpareIsAway_isSaidAgain_andThenRemovedThereToo() throws Exception {
    try (Redis spare = Redis.started()) {
      String yaml =
          yaml("one", true)
              .replace(
                  "lease: 10s,", "lease: 10s, spare: {timeout: 8s, " + spare.asBridge() + "},");
      Path file = Files.writeString(directory.resolve("duplog.yaml"), yaml);
      start(parsed(yaml));
      for (Redis each : List.of(redis, spare)) {
        await().until(() -> agreed(each).startsWith("a,b,c "));
      }

      spare.pause();
      try {
        assertThat(run(1, file, "remove", "c"))
            .contains(
                "c is not merged any more", "failed  dedup.spare: ", "run this command again");
      } finally {
        spare.unpause();
      }
      assertThat(run(0, file, "remove", "c")).contains("ok      c was removed before");

      for (Redis each : List.of(redis, spare)) {
        assertThat(agreed(each)).startsWith("a,b,c!");
      }
    }
  }

  /** Returns the streams that the bridges agree on in this Redis. */
  private static String agreed(Redis redis) {
    return redis.cli("get", "duplog:streams");
  }

  private static String run(int status, Path file, String... words) {
    return Commands.run(status, file, Lists.asList("streams", words).toArray(String[]::new)).out();
  }
}
