package io.duplog.ingest.omprog;

import static io.duplog.ingest.omprog.Rsyslog.BEGIN;
import static io.duplog.ingest.omprog.Rsyslog.COMMIT;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.ingest.publish.OutgoingBatch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A stream of several queues: a transaction is a batch for each, and all or nothing. */
class SeveralQueuesTest {
  private static final int QUEUES = 4;
  private static final String FAILED = ".....ERROR broker away?\n";

  private static Rsyslog rsyslog(Mode mode, int maxMessages) {
    return new Rsyslog(mode, maxMessages, 65_536, QUEUES);
  }

  @Test
  void transaction_isABatchForEachQueue_andOkWhenAllAreConfirmed() throws Exception {
    Rsyslog rsyslog = rsyslog(Mode.CONFIRM, 4096);
    String[] messages = numbered("10.0.0.1", 0, 100);

    assertThat(rsyslog.transaction(messages)).isEqualTo("OK\n");

    assertThat(rsyslog.publisher.submitted)
        .extracting(OutgoingBatch::queue)
        .containsExactly(0, 1, 2, 3);
    assertThat(rsyslog.publisher.messages()).containsExactlyInAnyOrder(messages);
  }

  @Test
  void transaction_unconfirmed_fails() throws Exception {
    Rsyslog rsyslog = rsyslog(Mode.CONFIRM, 4096);
    rsyslog.publisher.confirming = false;

    assertThat(rsyslog.transaction(numbered("10.0.0.1", 0, 100))).isEqualTo(FAILED);
  }

  /** Whatever the transactions are, and wherever the nodes see the sender. */
  @Test
  void message_goesToTheSameQueue_onEveryNode() throws Exception {
    Rsyslog a = rsyslog(Mode.CONFIRM, 4096);
    Rsyslog b = rsyslog(Mode.CONFIRM, 7);
    a.transaction(numbered("10.0.0.1", 0, 200));
    for (int i = 0; i < 200; i += 10) {
      b.transaction(numbered("192.168.3.4", i, i + 10));
    }

    Map<String, Integer> queuesOfA = queues(a);
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

  @Test
  void resend_keepsIdsAndQueues() throws Exception {
    Rsyslog rsyslog = rsyslog(Mode.CONFIRM, 4096);
    String[] messages = numbered("10.0.0.1", 0, 20);
    rsyslog.publisher.confirming = false;
    rsyslog.transaction(messages);
    rsyslog.publisher.confirming = true;

    for (String message : messages) {
      assertThat(rsyslog.transaction(message)).isEqualTo("OK\n");
    }

    assertThat(rsyslog.publisher.submitted).as("each of four twice").hasSize(8);
    assertThat(rsyslog.publisher.messages()).containsExactlyInAnyOrder(messages);
  }

  /** A queue may be full for longer than bridges know a batch's id. */
  @Test
  void queueThatIsFull_doesNotHaveOthersBatchesPublishedAgain() throws Exception {
    Rsyslog rsyslog = rsyslog(Mode.CONFIRM, 4096);
    String[] messages = numbered("10.0.0.1", 0, 100);
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
    Rsyslog rsyslog = rsyslog(Mode.CONFIRM, 4096);
    String[] messages = numbered("10.0.0.1", 0, 100);
    rsyslog.publisher.full = Set.of(2);
    rsyslog.transaction(messages);
    Map<String, Integer> queues = queues(rsyslog);

    for (String message : messages) {
      boolean isFull = queues.get(withoutSender(message)) == 2;
      assertThat(rsyslog.transaction(message)).isEqualTo(isFull ? FAILED : "OK\n");
    }
  }

  /** What is published ahead, of all queues, is what came first; the rest leaves nothing behind. */
  @Test
  void transaction_largerThanMayBeHeld_failsAtItsCommit_andIsSentAgainOnce() throws Exception {
    Random random = new Random(7);
    for (int size = 24; size < 60; size += 7) {
      Rsyslog wide = rsyslog(Mode.CONFIRM, 3);
      String[] noise = noise(size, random);
      wide.publisher.arriving = false;
      wide.write(BEGIN);
      wide.write(noise);
      assertThat(wide.write(COMMIT).replace(".", "")).startsWith("ERROR");
      wide.publisher.arriving = true;

      assertThat(wide.transaction(noise)).isEqualTo("OK\n");
      assertThat(wide.transaction("10.0.0.1 after")).isEqualTo("OK\n");

      List<String> all = new ArrayList<>(List.of(noise));
      all.add("10.0.0.1 after");
      assertThat(wide.publisher.messages()).containsExactlyInAnyOrderElementsOf(all);
    }
  }

  /** As in {@link ConfirmedDialogueTest}, but for the order, which several queues don't keep. */
  @Test
  void randomOutages_resentWholeOrMessageByMessage_loseAndRepeatNothing() throws Exception {
    for (int seed = 0; seed < 100; seed++) {
      Outages outages = new Outages(seed, QUEUES);
      for (int i = 0; i < 30; i++) {
        outages.commitFailedOnesLast(outages.messages(12, 2 + i));
      }
      assertThat(outages.stored())
          .as("seed %d", seed)
          .containsExactlyInAnyOrderElementsOf(outages.committed());
    }
  }

  /** While one queue's batches fill up in quick succession, another's message waits no longer. */
  @Test
  void straggler_isPublishedWithinTheLinger() throws Exception {
    Rsyslog rsyslog = rsyslog(Mode.LINES, 2);
    rsyslog.write("h first");
    String straggler = "h straggler";
    String busy = messageOfAnotherQueue(straggler);
    rsyslog.write(straggler);
    for (int millis = 0; millis < 20; millis += 5) {
      rsyslog.write(busy, busy);
      rsyslog.time.sleep(5_000_000);
    }

    rsyslog.linger();

    assertThat(rsyslog.publisher.messages()).contains(straggler);
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

  private static String[] noise(int count, Random random) {
    String[] messages = new String[count];
    for (int i = 0; i < count; i++) {
      StringBuilder text = new StringBuilder("10.0.0.1 ");
      for (int c = 0; c < 40_000; c++) {
        text.append((char) (' ' + random.nextInt(200)));
      }
      messages[i] = text.toString();
    }
    return messages;
  }
}
