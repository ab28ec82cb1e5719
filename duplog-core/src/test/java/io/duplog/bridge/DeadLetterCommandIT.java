package io.duplog.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.GetResponse;
import io.duplog.wire.Envelope;
import io.duplog.wire.Topology;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What an administrator does about messages that could not be delivered. */
class DeadLetterCommandIT extends BridgeBetweenServers {
  private static final String DEAD_LETTERS = Topology.deadLetterQueue(Topology.DEFAULT_QUEUE);

  @TempDir private Path directory;
  private Path file = Path.of("");

  @BeforeEach
  void writeConfiguration() throws Exception {
    file = Files.writeString(directory.resolve("duplog.yaml"), yaml("admin", ""));
  }

  @Test
  void refusedMessages_areListed_shown_andReplayedOnce() throws Exception {
    start("one", "");
    sink.refuse();
    streamA.publish("first \u001b[31m");
    await().until(() -> sink.waiting() == 1);
    sink.refuseForGood("code 6: invalid data format");
    streamA.publish("second");
    await().until(() -> sink.waiting() == 1);
    sink.refuseForGood("code 7: incorrect index");
    sink.accept();
    await().until(() -> brokerA.depth(DEAD_LETTERS) == 2);
    awaitSettled();
    assertThat(brokerB.depth(DEAD_LETTERS)).isEqualTo(2);

    assertThat(run("list"))
        .contains("a " + brokerA.host(), "2 dead letters", "code 6: invalid data format")
        .contains("0 dead letters, and copies of 2 that are listed above");
    assertThat(run("show", "--stream", "a"))
        .contains("dead letter 1: code 6", "10.0.0.1 first ?[31m", "10.0.0.1 second");
    assertThat(run("show", "--number", "2")).contains("second").doesNotContain("first");
    assertThat(brokerA.depth(DEAD_LETTERS)).isEqualTo(2);

    assertThat(run("replay", "--number", "2")).contains("1 put back");
    awaitSettled();
    assertThat(sink.counts()).isEqualTo(Map.of("second", 1));
    assertThat(run("replay")).contains("1 put back");
    awaitSettled();
    assertThat(sink.counts()).isEqualTo(Map.of("first \u001b[31m", 1, "second", 1));
    assertThat(brokerA.depth(DEAD_LETTERS)).isZero();
    assertThat(brokerB.depth(DEAD_LETTERS)).isZero();
  }

  @Test
  void moreLetters_thanAreShown_areCounted() throws Exception {
    run("list"); // declares the queues
    for (TestPublisher stream : List.of(streamA, streamB)) {
      for (int i = 0; i < 101; i++) {
        AMQP.BasicProperties letter =
            new AMQP.BasicProperties.Builder()
                .messageId("letter " + i)
                .headers(Map.of(Envelope.RECEIVED_HEADER, 0L))
                .build();
        stream.channel().basicPublish("", DEAD_LETTERS, letter, new byte[] {'x'});
      }
      stream.channel().waitForConfirmsOrDie(10_000);
    }

    assertThat(run("list").lines().filter(line -> line.startsWith("broker")))
        .satisfiesExactly(
            a ->
                assertThat(a)
                    .contains(" a ")
                    .endsWith(
                        ": 101 dead letters, copies included; 100 of them are shown, from the first"
                            + " 100 (--most)"),
            b ->
                assertThat(b)
                    .contains(" b ")
                    .endsWith(
                        ": 101 dead letters, copies included; 0 of them are shown, from the first"
                            + " 100 (--most)"));
    assertThat(run("list", "--most", "101"))
        .contains(": 101 dead letters\n")
        .contains(": 0 dead letters, and copies of 101 that are listed above\n");
    assertThat(run("show"))
        .contains(": these are from the first 100 of 101 dead letters; --number shows another\n");
  }

  @Test
  void replayedMessage_keepsItsTimeOfReceipt() throws Exception {
    start("one", "");
    sink.refuse();
    long hourAgo = System.currentTimeMillis() - Duration.ofHours(1).toMillis();
    streamA.publishAt(hourAgo, "old");
    streamB.publishAt(hourAgo + 7, "older on the other node");
    await().until(() -> sink.waiting() == 2);
    sink.refuseForGood("code 6: invalid data format");
    sink.accept();
    awaitSettled();

    assertThat(run("replay")).contains("put back");
    awaitSettled();

    assertThat(sink.receivedMillis())
        .isEqualTo(Map.of("old", hourAgo, "older on the other node", hourAgo + 7));
  }

  @Test
  void copyLeftAtABrokerThatWasAway_replayedWithinTheWindow_isKnownByItsBatch() throws Exception {
    start("one", "");
    sink.refuse();
    streamA.publish("refused");
    await().until(() -> sink.waiting() == 1);
    sink.refuseForGood("code 6: invalid data format");
    sink.accept();
    awaitSettled();
    GetResponse copy = streamB.channel().basicGet(DEAD_LETTERS, true);
    assertThat(run("replay")).contains("1 put back");
    awaitSettled();
    streamB.channel().basicPublish("", DEAD_LETTERS, copy.getProps(), copy.getBody());
    streamB.channel().waitForConfirmsOrDie(10_000);

    assertThat(run("replay")).contains("1 put back");
    awaitSettled();

    assertThat(sink.counts()).isEqualTo(Map.of("refused", 1));
  }

  @Test
  void poisonousBody_isReplayed_andDeadLetteredAgain_once() throws Exception {
    start("one", "");
    AMQP.BasicProperties batch =
        new AMQP.BasicProperties.Builder()
            .contentType(Envelope.CONTENT_TYPE)
            .messageId("poison")
            .build();
    streamB.publish(batch, "no batch at all".getBytes(StandardCharsets.US_ASCII));
    await().until(() -> brokerB.depth(DEAD_LETTERS) == 1);

    assertThat(run("show", "--stream", "b")).contains("(no batch: ", "no batch at all");
    assertThat(run("replay", "--stream", "b")).contains("1 put back");
    await().until(() -> brokerB.depth(DEAD_LETTERS) == 1);
    awaitSettled();
    assertThat(sink.count()).isZero();
  }

  @Test
  void unknownStream_isNamed() {
    assertThat(execute(1, "list", "--stream", "c"))
        .contains("no stream is named c; there are a, b");
  }

  private String run(String... arguments) {
    return execute(0, arguments);
  }

  private String execute(int status, String... arguments) {
    List<String> line = new ArrayList<>(List.of("dead-letter"));
    line.addAll(List.of(arguments));
    line.addAll(List.of("--config", file.toString()));
    StringWriter out = new StringWriter();
    CommandLine commands = Main.commandLine().setOut(new PrintWriter(out, true));
    assertThat(commands.execute(line.toArray(String[]::new))).as("%s", out).isEqualTo(status);
    return out.toString();
  }
}
