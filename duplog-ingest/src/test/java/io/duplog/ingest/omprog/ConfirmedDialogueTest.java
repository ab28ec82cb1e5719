package io.duplog.ingest.omprog;

import static io.duplog.ingest.omprog.Rsyslog.BEGIN;
import static io.duplog.ingest.omprog.Rsyslog.COMMIT;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.ingest.batch.FakePublisher;
import io.duplog.ingest.batch.TransactionMark;
import io.duplog.ingest.publish.OutgoingBatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests when a transaction is answered, and that resent messages are stored once. */
class ConfirmedDialogueTest {
  private static final String FAILED = ".....ERROR broker away?\n";

  private final Rsyslog rsyslog = new Rsyslog(Mode.CONFIRM);
  private final FakePublisher publisher = rsyslog.publisher;
  private final Rsyslog fourQueues = new Rsyslog(Mode.CONFIRM, 4096, 65_536, 4);
  private final String[] hundred = numbered("10.0.0.1", 0, 100);

  @Test
  void transaction_confirmed_isAnsweredWordByWord() throws Exception {
    assertThat(rsyslog.write(BEGIN, "a", "", COMMIT))
        .isEqualTo("OK\nDEFER_COMMIT\nDEFER_COMMIT\nOK\n");
    assertThat(publisher.messages()).containsExactly("a", "");
  }

  /**
   * Each word is a transaction, of messages of one letter each; after a minus, no confirm comes
   * back. The last column is how many batches were submitted, of four messages at most.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          larger than a batch           | 12345                    | 12345   | 2
          same content after success    | ab ab                    | abab    | 2
          same after a resent failure   | -aa aa aa                | aaaa    | 3
          resent as it was              | -12345 -12345 12345      | 12345   | 6
          message by message            | -12345 1 2 3 4 5 6       | 123456  | 5
          failing in the middle         | -123456 123 -45 45 6     | 123456  | 5
          failed ones last, as 8.2302   | -12345 -1 -2 3 4 5 12 16 | 1234516 | 7
          new messages behind           | -12 -123 123             | 123     | 5
          other messages, then a repeat | -12 3 12                 | 12312   | 3
          """)
  void transactions_resentInAnyWay_areStoredOnce(
      String name, String transactions, String stored, int submitted) throws Exception {
    for (String transaction : transactions.split(" ", -1)) {
      publisher.confirming = !transaction.startsWith("-");
      assertThat(rsyslog.transaction(transaction.replace("-", "").split("")))
          .isEqualTo(publisher.confirming ? "OK\n" : FAILED);
    }

    assertThat(publisher.messages()).as(name).containsExactly(stored.split(""));
    assertThat(publisher.submittedBatches).as(name).hasSize(submitted);
  }

  /**
   * Each number is a transaction of this many messages, 5 ms after the last answer; the other
   * column is in ms.
   */
  @Test
  void commit_isAnsweredOnceRsyslogHasGathered512_orALingerAfterItsBegin() throws Exception {
    List<Long> waits = new ArrayList<>();
    rsyslog.time.sleep(1_000_000_000);
    for (int messages : new int[] {1, 1, 1024, 1020, 2048, 8, 128, 128, 128, 8, 8}) {
      rsyslog.time.sleep(5_000_000);
      rsyslog.write(BEGIN);
      rsyslog.write("x".repeat(messages).split(""));
      long from = rsyslog.time.nanos();
      assertThat(rsyslog.write(COMMIT)).isEqualTo("OK\n");
      waits.add((rsyslog.time.nanos() - from) / 1_000_000);
    }
    // After 25 ms with 1,024 messages 512 take 12 ms; and so on. After 128 in a row more wait.
    assertThat(waits).containsExactly(20L, 20L, 12L, 8L, 3L, 20L, 20L, 0L, 0L, 20L, 20L);
  }

  @Test
  void transaction_ofNothing_isOk() throws Exception {
    assertThat(rsyslog.transaction()).isEqualTo("OK\n");
    assertThat(publisher.submittedBatches).isEmpty();
  }

  @Test
  void commit_withoutConfirm_getsADotASecondAndFailsAfterPatience() throws Exception {
    publisher.confirming = false;
    long from = rsyslog.time.nanos();
    assertThat(rsyslog.transaction("a")).isEqualTo(FAILED);
    assertThat(rsyslog.time.nanos() - from).isEqualTo(5_000_000_000L);
  }

  @Test
  void end_afterAFailedCommit_waitsUntilItsMessagesCameAgain() throws Exception {
    publisher.confirming = false;
    rsyslog.transaction("a", "b");
    rsyslog.askToEnd();
    publisher.confirming = true;
    assertThat(rsyslog.transaction("a")).isEqualTo("OK\n");
    assertThat(rsyslog.transaction("b")).isEqualTo("OK\n");
    assertThat(rsyslog.write(BEGIN, "c")).as("c is left to the next program").isEqualTo("OK\n");
    assertThat(publisher.messages()).containsExactly("a", "b");
  }

  @Test
  void commit_whileAnotherIsOpen_confirmsBoth() throws Exception {
    assertThat(rsyslog.write(BEGIN, "1", BEGIN, "2", COMMIT)).endsWith("OK\n");
    assertThat(publisher.messages()).containsExactly("1", "2");
    assertThat(rsyslog.write("3", COMMIT)).isEqualTo("DEFER_COMMIT\nOK\n");
    assertThat(publisher.messages()).containsExactly("1", "2", "3");
  }

  @Test
  void commit_failingWhileAnotherIsOpen_failsThatOneToo() throws Exception {
    publisher.arriving = false;
    rsyslog.write(BEGIN, "1", BEGIN, "2");
    assertThat(rsyslog.write(COMMIT)).isEqualTo(FAILED);
    publisher.arriving = true;
    assertThat(rsyslog.write(BEGIN)).as("none may begin meanwhile").startsWith(".ERROR");
    assertThat(rsyslog.write("3", COMMIT)).startsWith("DEFER_COMMIT\n.ERROR");
    assertThat(rsyslog.transaction("2", "3")).isEqualTo("OK\n");
    assertThat(rsyslog.transaction("1")).isEqualTo("OK\n");
    assertThat(publisher.messages()).contains("1", "2", "3");
  }

  /** Of all queues, the first messages are published ahead; the rest leaves nothing behind. */
  @ParameterizedTest
  @CsvSource({"80,1", "24,4", "31,4", "38,4", "45,4", "52,4", "59,4"})
  void transaction_largerThanMayBeHeld_failsAtItsCommitAlone_andIsSentAgainOnce(
      int messages, int queues) throws Exception {
    String[] noise = Rsyslog.noise(messages);
    Rsyslog wide = new Rsyslog(Mode.CONFIRM, 3, 65_536, queues);
    wide.publisher.arriving = false;
    wide.write(BEGIN);
    assertThat(wide.write(noise).replace(".", "")).isEqualTo("DEFER_COMMIT\n".repeat(messages));
    assertThat(wide.publisher.submittedBatches.isEmpty()).isEqualTo(messages == 24);
    assertThat(wide.write(COMMIT)).contains(".ERROR");
    wide.publisher.arriving = true;

    assertThat(wide.transaction(noise)).isEqualTo("OK\n");
    assertThat(wide.transaction("10.0.0.1 after")).isEqualTo("OK\n");
    assertThat(wide.publisher.messages())
        .hasSize(messages + 1)
        .contains(noise)
        .contains("10.0.0.1 after");
    if (queues == 1) {
      assertThat(wide.publisher.messages()).startsWith(noise);
    }
  }

  /** Everything that was committed is stored, and nothing twice. */
  @ParameterizedTest
  @CsvSource({"1, true, 300, 8", "1, false, 300, 8", "4, false, 100, 12"})
  void randomOutages_resentEitherWay_loseAndRepeatNothing(
      int queues, boolean inOrder, int seeds, int bound) throws Exception {
    for (int seed = 0; seed < seeds; seed++) {
      Outages outages = new Outages(seed, queues, inOrder);
      for (int i = 0; i < 30; i++) {
        outages.commitSome(bound, inOrder ? 2 : 2 + i);
      }
      if (inOrder) {
        assertThat(outages.stored()).as("seed %d", seed).isEqualTo(outages.committed);
      } else {
        assertThat(outages.stored())
            .as("seed %d", seed)
            .containsExactlyInAnyOrderElementsOf(outages.committed);
      }
    }
  }

  /** The queue depends neither on the transactions, nor on where the nodes see the sender. */
  @Test
  void message_goesToTheSameQueue_onEveryNode() throws Exception {
    Rsyslog other = new Rsyslog(Mode.CONFIRM, 7, 65_536, 4);
    fourQueues.transaction(numbered("10.0.0.1", 0, 200));
    for (int i = 0; i < 200; i += 10) {
      other.transaction(numbered("192.168.3.4", i, i + 10));
    }

    assertThat(queues(fourQueues)).hasSize(200).isEqualTo(queues(other));
  }

  /** Returns the queue of each message, by the message as its sender wrote it. */
  private static Map<String, Integer> queues(Rsyslog rsyslog) {
    Map<String, Integer> queues = new HashMap<>();
    for (OutgoingBatch batch : rsyslog.publisher.submittedBatches) {
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
    fourQueues.publisher.fullQueues = Set.of(2);
    assertThat(fourQueues.transaction(hundred)).isEqualTo(FAILED);
    assertThat(fourQueues.transaction(hundred)).isEqualTo(FAILED);
    fourQueues.publisher.fullQueues = Set.of();

    assertThat(fourQueues.transaction(hundred)).isEqualTo("OK\n");

    assertThat(fourQueues.publisher.submittedBatches)
        .extracting(OutgoingBatch::queue)
        .containsExactly(0, 1, 2, 3, 2, 2);
    assertThat(fourQueues.publisher.messages()).containsExactlyInAnyOrder(hundred);
  }

  @Test
  void queueThatIsFull_failsItsOwnMessagesAlone_whereTheyComeOneByOne() throws Exception {
    fourQueues.publisher.fullQueues = Set.of(2);
    fourQueues.transaction(hundred);
    Map<String, Integer> queues = queues(fourQueues);

    for (String message : hundred) {
      boolean isFull = queues.get(withoutSender(message)) == 2;
      assertThat(fourQueues.transaction(message)).isEqualTo(isFull ? FAILED : "OK\n");
    }
  }

  /** A killed shim had deferred two of five messages; rsyslog gives three to its successor. */
  @Test
  void shimBehindOneThatBrokeOff_failsItsFirstCommit_andStoresWhatIsSentAgainOnce_withoutLinger(
      @TempDir Path folder) throws Exception {
    Path left = folder.resolve("duplog-syslog-a-1.transaction");
    Files.write(left, new byte[] {1});
    TransactionMark mark = TransactionMark.createIn(folder, "syslog-a", 1, 4096, () -> 0);
    Rsyslog successor = new Rsyslog(1, "patience: 5s", 4, mark);
    successor.write(BEGIN);
    assertThat(folder).isDirectoryContaining(file -> isLive(file) && holds(file, 1));

    assertThat(successor.write("3", "4", "5", COMMIT))
        .isEqualTo(
            "DEFER_COMMIT\n".repeat(3)
                + "ERROR the shim before this one ended in mid-transaction\n");
    assertThat(successor.publisher.messages()).isEmpty();
    assertThat(folder).isDirectoryContaining(file -> isLive(file) && holds(file, 0));
    for (String message : List.of("1", "2", "3", "4", "5")) {
      successor.time.sleep(1_000_000);
      long from = successor.time.nanos();
      assertThat(successor.transaction(message)).isEqualTo("OK\n");
      assertThat(successor.time.nanos()).as("without a linger").isEqualTo(from);
    }

    assertThat(successor.publisher.messages()).containsExactly("1", "2", "3", "4", "5");
  }

  @Test
  void mark_isOpenFromTheFirstDeferredMessageToTheAnswerOfItsCommit(@TempDir Path folder)
      throws Exception {
    TransactionMark mark = TransactionMark.createIn(folder, "syslog-a", 1, 4096, () -> 0);
    Rsyslog marked = new Rsyslog(1, "patience: 5s", 4, mark);

    marked.write(BEGIN);
    assertThat(folder).isDirectoryContaining(file -> holds(file, 0));
    marked.write("a");
    assertThat(folder).isDirectoryContaining(file -> holds(file, 1));
    marked.write(COMMIT);
    assertThat(folder).isDirectoryContaining(file -> holds(file, 0));
  }

  private static boolean isLive(Path file) {
    return file.toString().endsWith(".transaction");
  }

  private static boolean holds(Path file, int value) {
    try {
      return Files.readAllBytes(file)[0] == value;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String[] numbered(String sender, int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(i -> "%s <13>Nov 21 12:00:00 host app: message %d".formatted(sender, i))
        .toArray(String[]::new);
  }
}
