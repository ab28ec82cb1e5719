package io.duplog.benchmark.journey;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.common.collect.ImmutableMultiset;
import com.google.common.collect.Multiset;
import com.google.common.collect.Multisets;
import com.google.common.collect.Sets;
import io.duplog.wire.Topology;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a real rsyslog gives to the shim arrives at a real RabbitMQ, in each mode of omprog. */
class OmprogIT {
  private static final Duration WHILE = Duration.ofMinutes(3);

  /** So long that a COMMIT fails, and rsyslog has to send the transaction again. */
  private static final Duration LONGER_THAN_PATIENCE = Node.PATIENCE.multipliedBy(2);

  private static final int MESSAGES = 3_000;

  private static Node node;
  private static BatchQueue queue;

  @BeforeAll
  static void start() throws Exception {
    node = Node.withBroker("syslog-a");
    queue = new BatchQueue(node.broker());
  }

  @AfterAll
  static void stop() throws Exception {
    node.close();
  }

  @AfterEach
  void stopRsyslog() throws IOException {
    node.rsyslog().stop();
    queue.forget();
  }

  @ParameterizedTest
  @EnumSource(Node.Mode.class)
  void messages_ofRsyslog_arriveOnceInOrder_asFewerBatches(Node.Mode mode) throws Exception {
    node.start(mode, Node.WHOLE_MESSAGE);
    List<String> sent = send("mode " + mode, MESSAGES);

    await().atMost(WHILE).until(() -> queue.take().size() >= MESSAGES);

    assertThat(queue.take()).as("%s", node.shimLog()).isEqualTo(sent);
    // How many share a batch is up to rsyslog: the busier it is, the more.
    assertThat(queue.batches()).isLessThan(MESSAGES);
    assertThat(queue.repeats()).isZero();
  }

  @ParameterizedTest
  @EnumSource(Node.Mode.class)
  void broker_killedUnderLoad_getsEveryMessageOnceByBatchId(Node.Mode mode) throws Exception {
    node.start(mode, Node.WHOLE_MESSAGE);
    List<String> sent = new ArrayList<>(send("before " + mode, MESSAGES));
    await().atMost(WHILE).until(() -> !queue.take().isEmpty());
    queue.disconnect();
    node.broker().kill();
    sent.addAll(send("while away " + mode, MESSAGES));
    node.broker().start();
    sent.addAll(send("after " + mode, MESSAGES));

    await().atMost(WHILE).until(() -> queue.take().size() >= sent.size());

    assertExactly(sent);
  }

  @Test
  void alarm_underLoad_holdsRsyslogBack_andLosesNothing() throws Exception {
    node.start(Node.Mode.CONFIRM, Node.WHOLE_MESSAGE);
    List<String> sent = new ArrayList<>(send("alarm before", MESSAGES));
    await().atMost(WHILE).until(() -> queue.take().size() >= MESSAGES);
    node.broker().raiseAlarm();
    sent.addAll(send("alarm on", MESSAGES));
    await().atMost(WHILE).until(() -> node.shimLog().contains("blocks publishers"));
    await().during(LONGER_THAN_PATIENCE).atMost(WHILE).until(() -> queue.take().size() == MESSAGES);
    node.broker().clearAlarm();

    await().atMost(WHILE).until(() -> queue.take().size() >= sent.size());

    assertExactly(sent);
  }

  @Test
  void full_queue_rejects_andLosesNothing() throws Exception {
    node.start(Node.Mode.CONFIRM, Node.WHOLE_MESSAGE);
    node.broker().policy("full", Topology.DEFAULT_QUEUE, "{\"max-length\":1}");
    List<String> sent = send("full", MESSAGES);
    await().atMost(WHILE).until(() -> node.shimLog().contains("rejects what is published"));
    node.broker().ctl("clear_policy", "full");

    await().atMost(WHILE).until(() -> queue.take().size() >= sent.size());

    assertExactly(sent);
  }

  @Test
  void rsyslog_restartedUnderLoad_losesNothing() throws Exception {
    node.start(Node.Mode.CONFIRM, Node.WHOLE_MESSAGE);
    List<String> sent = send("stopped", MESSAGES);
    await().atMost(WHILE).until(() -> !queue.take().isEmpty());

    node.rsyslog().stop();
    node.rsyslog().start();

    await().atMost(WHILE).until(() -> Multisets.difference(bag(sent), bag(queue.take())).isEmpty());
    assertThat(queue.take()).hasSizeGreaterThanOrEqualTo(sent.size());
  }

  /**
   * rsyslog before 8.2508 forgets what a program had deferred when it dies: of this node's copies,
   * a transaction at most. The other node has them too.
   */
  @Test
  void shim_killedUnderLoad_isStartedAgain_andLosesATransactionAtMost() throws Exception {
    node.start(Node.Mode.CONFIRM, Node.WHOLE_MESSAGE);
    List<String> sent = new ArrayList<>(send("first", MESSAGES));
    await().atMost(WHILE).until(() -> !queue.take().isEmpty());
    sent.addAll(send("second", MESSAGES));
    node.killShim();
    List<String> afterwards = send("third", MESSAGES);
    sent.addAll(afterwards);

    await().atMost(WHILE).until(() -> bag(queue.take()).containsAll(afterwards));

    Multiset<String> arrived = bag(queue.take());
    assertThat(Multisets.difference(bag(sent), arrived).size())
        .isLessThanOrEqualTo(Node.TRANSACTION);
    assertThat(Sets.difference(arrived.elementSet(), bag(sent).elementSet())).isEmpty();
  }

  private static void assertExactly(List<String> sent) throws IOException {
    Multiset<String> arrived = bag(queue.take());
    assertThat(Multisets.difference(bag(sent), arrived)).as("lost; %s", node.shimLog()).isEmpty();
    assertThat(Multisets.difference(arrived, bag(sent))).as("too many").isEmpty();
  }

  private static Multiset<String> bag(List<String> messages) {
    return ImmutableMultiset.copyOf(messages);
  }

  private static List<String> send(String tag, int count) throws IOException {
    List<String> messages = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      messages.add("<13>Nov 21 05:00:00 host app: %s %05d".formatted(tag, i));
    }
    node.rsyslog()
        .sendTcp(messages.stream().map(m -> m.getBytes(ISO_8859_1)).toArray(byte[][]::new));
    return messages;
  }
}
