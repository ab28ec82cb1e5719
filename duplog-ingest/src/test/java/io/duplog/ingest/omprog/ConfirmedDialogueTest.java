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

/**
 * Tests that the shim says OK only after RabbitMQ has confirmed the transaction, and that messages
 * that rsyslog resends are stored only once.
 */
class ConfirmedDialogueTest {
  private static final String FAILURE_ANSWER = ".....ERROR broker away?\n";

  private final Rsyslog rsyslog = new Rsyslog(Mode.CONFIRM);
  private final FakePublisher publisher = rsyslog.publisher;
  private final Rsyslog fourQueues = new Rsyslog(Mode.CONFIRM, 4096, 65_536, 4);
  private final String[] hundredMessages = numbered("10.0.0.1", 0, 100);

  @Test
  void transaction_confirmed_eachLineIsAnswered() throws Exception {
    assertThat(rsyslog.write(BEGIN, "a", "", COMMIT))
        .isEqualTo("OK\nDEFER_COMMIT\nDEFER_COMMIT\nOK\n");
    assertThat(publisher.messages()).containsExactly("a", "");
  }

  /**
   * Each word is a transaction, in which each letter is a message. A transaction after a minus gets
   * no confirm. The last column is the number of submitted batches, each of at most four messages.
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
  void transactions_resent_areStoredOnce(
      String name, String transactions, String stored, int submitted) throws Exception {
    for (String transaction : transactions.split(" ", -1)) {
      publisher.confirming = !transaction.startsWith("-");
      assertThat(rsyslog.transaction(transaction.replace("-", "").split("")))
          .isEqualTo(publisher.confirming ? "OK\n" : FAILURE_ANSWER);
    }

    assertThat(publisher.messages()).as(name).containsExactly(stored.split(""));
    assertThat(publisher.submittedBatches).as(name).hasSize(submitted);
  }

  /**
   * Each number is the size of a transaction, 5 ms after the previous answer. The expected waits
   * are in ms.
   */
  @Test
  void commit_smallTransaction_waitsFor512MessagesOrLinger() throws Exception {
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
    // If rsyslog gathered 1,024 messages in 25 ms, it gathers 512 in 12 ms, and so on. After two
    // transactions of 128 messages, rsyslog's limit is assumed.
    assertThat(waits).containsExactly(20L, 20L, 12L, 8L, 3L, 20L, 20L, 0L, 0L, 20L, 20L);
  }

  @Test
  void transaction_noMessages_isAnsweredOk() throws Exception {
    assertThat(rsyslog.transaction()).isEqualTo("OK\n");
    assertThat(publisher.submittedBatches).isEmpty();
  }

  @Test
  void commit_withoutConfirm_sendsDotsAndFailsAfterPatience() throws Exception {
    publisher.confirming = false;
    long from = rsyslog.time.nanos();
    assertThat(rsyslog.transaction("a")).isEqualTo(FAILURE_ANSWER);
    assertThat(rsyslog.time.nanos() - from).isEqualTo(5_000_000_000L);
  }

  @Test
  void requestEnd_afterFailedCommit_waitsForResentMessages() throws Exception {
    publisher.confirming = false;
    rsyslog.transaction("a", "b");
    rsyslog.requestEnd();
    publisher.confirming = true;
    assertThat(rsyslog.transaction("a")).isEqualTo("OK\n");
    assertThat(rsyslog.transaction("b")).isEqualTo("OK\n");
    assertThat(rsyslog.write(BEGIN, "c")).as("c is left to the next program").isEqualTo("OK\n");
    assertThat(publisher.messages()).containsExactly("a", "b");
  }

  @Test
  void commit_otherTransactionOpen_publishesBoth() throws Exception {
    assertThat(rsyslog.write(BEGIN, "1", BEGIN, "2", COMMIT)).endsWith("OK\n");
    assertThat(publisher.messages()).containsExactly("1", "2");
    assertThat(rsyslog.write("3", COMMIT)).isEqualTo("DEFER_COMMIT\nOK\n");
    assertThat(publisher.messages()).containsExactly("1", "2", "3");
  }

  @Test
  void commit_failsWhileOtherIsOpen_otherFailsToo() throws Exception {
    publisher.arriving = false;
    rsyslog.write(BEGIN, "1", BEGIN, "2");
    assertThat(rsyslog.write(COMMIT)).isEqualTo(FAILURE_ANSWER);
    publisher.arriving = true;
    assertThat(rsyslog.write(BEGIN)).as("none may begin meanwhile").startsWith(".ERROR");
    assertThat(rsyslog.write("3", COMMIT)).startsWith("DEFER_COMMIT\n.ERROR");
    assertThat(rsyslog.transaction("2", "3")).isEqualTo("OK\n");
    assertThat(rsyslog.transaction("1")).isEqualTo("OK\n");
    assertThat(publisher.messages()).contains("1", "2", "3");
  }

  /**
   * The first messages of all queues are published before the COMMIT; the failure leaves no trace
   * of the others.
   */
  @ParameterizedTest
  @CsvSource({"80,1", "24,4", "31,4", "38,4", "45,4", "52,4", "59,4"})
  void transaction_largerThanLimit_failsAtCommitAndIsStoredOnce(int messages, int queues)
      throws Exception {
    String[] noise = Rsyslog.noise(messages);
    Rsyslog limitedRsyslog = new Rsyslog(Mode.CONFIRM, 3, 65_536, queues);
    limitedRsyslog.publisher.arriving = false;
    limitedRsyslog.write(BEGIN);
    assertThat(limitedRsyslog.write(noise).replace(".", ""))
        .isEqualTo("DEFER_COMMIT\n".repeat(messages));
    assertThat(limitedRsyslog.publisher.submittedBatches.isEmpty()).isEqualTo(messages == 24);
    assertThat(limitedRsyslog.write(COMMIT)).contains(".ERROR");
    limitedRsyslog.publisher.arriving = true;

    assertThat(limitedRsyslog.transaction(noise)).isEqualTo("OK\n");
    assertThat(limitedRsyslog.transaction("10.0.0.1 after")).isEqualTo("OK\n");
    assertThat(limitedRsyslog.publisher.messages())
        .hasSize(messages + 1)
        .contains(noise)
        .contains("10.0.0.1 after");
    if (queues == 1) {
      assertThat(limitedRsyslog.publisher.messages()).startsWith(noise);
    }
  }

  /** Each committed message is stored exactly once. */
  @ParameterizedTest
  @CsvSource({"1, true, 300, 8", "1, false, 300, 8", "4, false, 100, 12"})
  void randomOutages_resentMessages_areStoredOnce(int queues, boolean inOrder, int seeds, int bound)
      throws Exception {
    for (int seed = 0; seed < seeds; seed++) {
      Outages outages = new Outages(seed, queues, inOrder);
      for (int i = 0; i < 30; i++) {
        outages.commitSome(bound, inOrder ? 2 : 2 + i);
      }
      if (inOrder) {
        assertThat(outages.storedMessages())
            .as("seed %d", seed)
            .isEqualTo(outages.committedMessages);
      } else {
        assertThat(outages.storedMessages())
            .as("seed %d", seed)
            .containsExactlyInAnyOrderElementsOf(outages.committedMessages);
      }
    }
  }

  /**
   * The queue depends neither on the transactions nor on the address at which a node sees the
   * sender.
   */
  @Test
  void message_onEveryNode_goesToTheSameQueue() throws Exception {
    Rsyslog secondNode = new Rsyslog(Mode.CONFIRM, 7, 65_536, 4);
    fourQueues.transaction(numbered("10.0.0.1", 0, 200));
    for (int i = 0; i < 200; i += 10) {
      secondNode.transaction(numbered("192.168.3.4", i, i + 10));
    }

    assertThat(queues(fourQueues)).hasSize(200).isEqualTo(queues(secondNode));
  }

  /** Returns the queue of each message by its text without the sender. */
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

  /** A queue may be full for longer than bridges remember a batch's id. */
  @Test
  void fullQueue_resentTransaction_otherBatchesAreNotPublishedAgain() throws Exception {
    fourQueues.publisher.fullQueues = Set.of(2);
    assertThat(fourQueues.transaction(hundredMessages)).isEqualTo(FAILURE_ANSWER);
    assertThat(fourQueues.transaction(hundredMessages)).isEqualTo(FAILURE_ANSWER);
    fourQueues.publisher.fullQueues = Set.of();

    assertThat(fourQueues.transaction(hundredMessages)).isEqualTo("OK\n");

    assertThat(fourQueues.publisher.submittedBatches)
        .extracting(OutgoingBatch::queue)
        .containsExactly(0, 1, 2, 3, 2, 2);
    assertThat(fourQueues.publisher.messages()).containsExactlyInAnyOrder(hundredMessages);
  }

  @Test
  void fullQueue_singleMessages_failsOnlyItsOwnMessages() throws Exception {
    fourQueues.publisher.fullQueues = Set.of(2);
    fourQueues.transaction(hundredMessages);
    Map<String, Integer> queues = queues(fourQueues);

    for (String message : hundredMessages) {
      boolean queueIsFull = queues.get(withoutSender(message)) == 2;
      assertThat(fourQueues.transaction(message)).isEqualTo(queueIsFull ? FAILURE_ANSWER : "OK\n");
    }
  }

  /**
   * A killed shim had deferred two of five messages; rsyslog sends the other three to its
   * successor.
   */
  @Test
  void successor_predecessorDiedInTransaction_failsFirstCommitAndStoresOnceWithoutLinger(
      @TempDir Path folder) throws Exception {
    Path deadMarkFile = folder.resolve("duplog-syslog-a-1.transaction");
    Files.write(deadMarkFile, new byte[] {1});
    TransactionMark mark = TransactionMark.createIn(folder, "syslog-a", 1, 4096, () -> 0);
    Rsyslog successor = new Rsyslog(1, "patience: 5s", 4, mark);
    successor.write(BEGIN);
    assertThat(folder).isDirectoryContaining(file -> isLive(file) && startsWith(file, 1));

    assertThat(successor.write("3", "4", "5", COMMIT))
        .isEqualTo(
            "DEFER_COMMIT\n".repeat(3)
                + "ERROR the shim before this one ended in mid-transaction\n");
    assertThat(successor.publisher.messages()).isEmpty();
    assertThat(folder).isDirectoryContaining(file -> isLive(file) && startsWith(file, 0));
    for (String message : List.of("1", "2", "3", "4", "5")) {
      successor.time.sleep(1_000_000);
      long from = successor.time.nanos();
      assertThat(successor.transaction(message)).isEqualTo("OK\n");
      assertThat(successor.time.nanos()).as("without a linger").isEqualTo(from);
    }

    assertThat(successor.publisher.messages()).containsExactly("1", "2", "3", "4", "5");
  }

  @Test
  void transactionMark_isOpenFromFirstMessageToCommitAnswer(@TempDir Path folder) throws Exception {
    TransactionMark mark = TransactionMark.createIn(folder, "syslog-a", 1, 4096, () -> 0);
    Rsyslog rsyslogWithMark = new Rsyslog(1, "patience: 5s", 4, mark);

    rsyslogWithMark.write(BEGIN);
    assertThat(folder).isDirectoryContaining(file -> startsWith(file, 0));
    rsyslogWithMark.write("a");
    assertThat(folder).isDirectoryContaining(file -> startsWith(file, 1));
    rsyslogWithMark.write(COMMIT);
    assertThat(folder).isDirectoryContaining(file -> startsWith(file, 0));
  }

  private static boolean isLive(Path file) {
    return file.toString().endsWith(".transaction");
  }

  private static boolean startsWith(Path file, int value) {
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
