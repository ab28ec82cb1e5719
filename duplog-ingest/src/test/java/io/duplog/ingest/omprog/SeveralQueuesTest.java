package io.duplog.ingest.omprog;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.ingest.publish.OutgoingBatch;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A stream of several queues: a transaction is a batch for each, and all or nothing. */
class SeveralQueuesTest {
  private static final int QUEUES = 4;
  private static final String FAILED = ".....ERROR broker away?\n";

  private final Rsyslog rsyslog = rsyslog(Mode.CONFIRM, 4096);
  private final String[] messages = numbered("10.0.0.1", 0, 100);

  private static Rsyslog rsyslog(Mode mode, int maxMessages) {
    return new Rsyslog(mode, maxMessages, 65_536, QUEUES);
  }

  @Test
  void transaction_isABatchForEachQueue_andOkWhenAllAreConfirmed() throws Exception {

    assertThat(rsyslog.transaction(messages)).isEqualTo("OK\n");

    assertThat(rsyslog.publisher.submitted)
        .extracting(OutgoingBatch::queue)
        .containsExactly(0, 1, 2, 3);
    assertThat(rsyslog.publisher.messages()).containsExactlyInAnyOrder(messages);
  }

  /** Whatever the transactions are, and wherever the nodes see the sender. */
  @Test
  void message_goesToTheSameQueue_onEveryNode() throws Exception {
    Rsyslog b = rsyslog(Mode.CONFIRM, 7);
    rsyslog.transaction(numbered("10.0.0.1", 0, 200));
    for (int i = 0; i < 200; i += 10) {
      b.transaction(numbered("192.168.3.4", i, i + 10));
    }

    Map<String, Integer> queuesOfA = queues(rsyslog);
    assertThat(queues(b)).isEqualTo(queuesOfA);
    assertThat(queuesOfA).hasSize(200);
  }

  /** By the message as its sender wrote it. */
  private static Map<String, Integer> queues(Rsyslog rsyslog) {
    Map<String, Integer> queues = new HashMap<>();
    for (OutgoingBatch batch : rsyslog.publisher.submitted) {
      for (String message : FakePublisher.messagesOf(batch)) {
        queues.put(withoutSender(message), batch.queue());
      }
    }
    return queues;
  }

  private static String withoutSender(String message) {
    return message.substring(message.indexOf(' ') + 1);
  }

  /** A queue may be full for longer than bridges know a batch's id. */
  @Test
  void queueThatIsFull_doesNotHaveOthersBatchesPublishedAgain() throws Exception {
    rsyslog.publisher.full = Set.of(2);
    assertThat(rsyslog.transaction(messages)).isEqualTo(FAILED);
    assertThat(rsyslog.transaction(messages)).isEqualTo(FAILED);
    rsyslog.publisher.full = Set.of();

    assertThat(rsyslog.transaction(messages)).isEqualTo("OK\n");

    assertThat(rsyslog.publisher.submitted)
        .extracting(OutgoingBatch::queue)
        .containsExactly(0, 1, 2, 3, 2, 2);
    assertThat(rsyslog.publisher.messages()).containsExactlyInAnyOrder(messages);
  }

  @Test
  void queueThatIsFull_failsItsOwnMessagesAlone_whereTheyComeOneByOne() throws Exception {
    rsyslog.publisher.full = Set.of(2);
    rsyslog.transaction(messages);
    Map<String, Integer> queues = queues(rsyslog);

    for (String message : messages) {
      boolean isFull = queues.get(withoutSender(message)) == 2;
      assertThat(rsyslog.transaction(message)).isEqualTo(isFull ? FAILED : "OK\n");
    }
  }

  /** While one queue's batches fill up in quick succession, another's message waits no longer. */
  @Test
  void straggler_isPublishedWithinTheLinger() throws Exception {
    Rsyslog lines = rsyslog(Mode.LINES, 2);
    lines.write("h first");
    String straggler = "h straggler";
    String busy = messageOfAnotherQueue(straggler);
    lines.write(straggler);
    for (int millis = 0; millis < 20; millis += 5) {
      lines.write(busy, busy);
      lines.time.sleep(5_000_000);
    }

    lines.linger();

    assertThat(lines.publisher.messages()).contains(straggler);
  }

  private static String messageOfAnotherQueue(String message) throws Exception {
    Rsyslog probe = rsyslog(Mode.CONFIRM, 4096);
    probe.transaction(message);
    int queue = probe.publisher.submitted.get(0).queue();
    for (String candidate : numbered("h", 0, 100)) {
      probe.transaction(candidate);
      List<OutgoingBatch> submitted = probe.publisher.submitted;
      if (submitted.get(submitted.size() - 1).queue() != queue) {
        return candidate;
      }
    }
    throw new AssertionError("all in one queue");
  }

  private static String[] numbered(String sender, int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(i -> "%s <13>Nov 21 12:00:00 host app: message %d".formatted(sender, i))
        .toArray(String[]::new);
  }
}
