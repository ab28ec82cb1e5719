package io.duplog.ingest.bulk;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duplog.config.ConfigLoader;
import io.duplog.ingest.IngestConfig;
import io.duplog.ingest.batch.FakePublisher;
import io.duplog.ingest.batch.FakeTime;
import io.duplog.ingest.batch.TransactionMark;
import io.duplog.ingest.publish.RsyslogContact;
import io.duplog.wire.Heartbeat;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests how rsyslog's bulk requests become transactions, and are not published twice. */
class BulkTransactionsTest {
  static final String INDEX = "{\"index\":{\"_index\": \"duplog\"}}\n";

  private final FakeTime time = new FakeTime();
  private FakePublisher publisher = new FakePublisher(time, 1);
  private final RsyslogContact contact = new RsyslogContact(time::nanos);
  private TransactionMark mark = TransactionMark.none();
  private BulkTransactions transactions;

  @BeforeEach
  void make() throws Exception {
    transactions = transactions("");
  }

  private BulkTransactions transactions(String more) throws Exception {
    String yaml =
        "stream: a\nbroker: {host: h, user: u, password: p}\nlisten: {password: p}\n" + more;
    IngestConfig config =
        ConfigLoader.of(Map.of(), "host").parse("test.yaml", yaml, IngestConfig.class);
    return new BulkTransactions(
        config.batch(), config.omprog(), config.stream(), publisher, contact, mark, time);
  }

  /** Returns what omelasticsearch makes of a transaction. */
  static String body(String... messages) {
    StringBuilder body = new StringBuilder();
    for (String message : messages) {
      body.append(INDEX).append(message).append('\n');
    }
    return body.toString();
  }

  private boolean take(String... messages) throws Exception {
    boolean confirmed = transactions.publish(stream(body(messages)), () -> {});
    if (confirmed) {
      transactions.answering();
    }
    return confirmed;
  }

  private AbstractThrowableAssert<?, ?> assertBreaksOff(InputStream request) {
    return assertThatThrownBy(() -> transactions.publish(request, () -> {}))
        .isInstanceOf(IOException.class);
  }

  private static InputStream stream(String body) {
    return new ByteArrayInputStream(body.getBytes(ISO_8859_1));
  }

  private static String[] numbered(String name, int count) {
    return IntStream.range(0, count).mapToObj(i -> "h " + name + " " + i).toArray(String[]::new);
  }

  @Test
  void messages_keepEveryByte_alsoOneThatLooksLikeAnIndex() throws Exception {
    String strange = "h \0\t\r\u00ff{\"index\":";

    assertThat(take(strange, "{\"index\":{}}", "", "h last")).isTrue();

    assertThat(publisher.messages()).containsExactly(strange, "{\"index\":{}}", "", "h last");
  }

  /** A sender may write the same words with anything before, or of no address. */
  @Test
  void rsyslogsOwnMark_isHeard_andIsNoMessage() throws Exception {
    String probe = Heartbeat.Rsyslog.PROBE;
    assertThat(take("10.0.0.1 <13>" + probe, "10.0.0.1 x " + probe, probe)).isTrue();
    assertThat(contact.report().probes()).isFalse();

    assertThat(take("127.0.0.1 " + probe)).isTrue();
    assertThat(take("h one", "127.0.0.1 " + probe, "h two")).isTrue();

    assertThat(contact.report().probes()).isTrue();
    assertThat(publisher.messages())
        .containsExactly("10.0.0.1 <13>" + probe, "10.0.0.1 x " + probe, probe, "h one", "h two");
  }

  @Test
  void rsyslogsOwnMark_isHeard_whereNoAddressStandsBeforeMessages() throws Exception {
    transactions =
        transactions("omprog: {sender-prefix: false, begin-mark: b-17, commit-mark: c-17}\n");
    assertThat(take(Heartbeat.Rsyslog.PROBE)).isTrue();
    assertThat(contact.report().probes()).isTrue();
    assertThat(publisher.submitted).isEmpty();
  }

  @Test
  void lineFeedInAMessage_makesTwo_andShiftsNoOther() throws Exception {
    assertThat(take("h one\nhalf", "h two")).isTrue();

    assertThat(publisher.messages()).containsExactly("h one", "half", "h two");
  }

  @Test
  void tooLongMessage_isCut_andTheNextIsWhole() throws Exception {
    transactions = transactions("omprog: {max-message: 256B}\n");

    assertThat(take("h " + "x".repeat(300_000), "h next")).isTrue();

    assertThat(publisher.messages()).containsExactly("h " + "x".repeat(254), "h next");
  }

  @Test
  void requestWithoutMessages_isConfirmed() throws Exception {
    assertThat(take()).isTrue();
    assertThat(publisher.submitted).isEmpty();
  }

  /**
   * rsyslog sends each message of a failed transaction again. Each word of the second column is a
   * request, in which each letter is a message; a request that begins with a minus is not
   * confirmed. {@code ~} lets ten minutes and a second pass. The last column is the broker's
   * content in the end.
   */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          sent again singly, and one of them logged once more     | -abcde a b c d e b         | abcdeb
          of three workers, sent again by turns                   | -abc -de -fgh a d f b e g c h | abcdefgh
          of two workers with one message: whose it was is unknown | -aeb -ce c e aebn         | aebcen
          lost by rsyslog long ago: what comes is another one     | -t ~ t                     | tt
          """)
  void failedTransactions_sentAgain_areNotPublishedTwice(
      String name, String requests, String stored) throws Exception {
    for (String request : requests.split(" ", -1)) {
      if (request.equals("~")) {
        time.sleep(601_000_000_000L);
      } else {
        publisher.confirming = !request.startsWith("-");
        assertThat(take(request.replace("-", "").split(""))).isEqualTo(publisher.confirming);
      }
    }

    assertThat(publisher.messages()).containsExactlyInAnyOrder(stored.split(""));
  }

  /** The transaction was more than a batch holds. */
  @Test
  void failedTransaction_sentAgainAndBrokenOff_isNotPublishedTwice() throws Exception {
    String[] messages = numbered("m", 5000);
    publisher.confirming = false;
    assertThat(take(messages)).isFalse();
    publisher.confirming = true;
    String half = body(numbered("m", 4500)) + INDEX + "h";

    assertBreaksOff(stream(half));
    assertThat(take(messages)).isTrue();

    assertThat(publisher.messages()).containsExactly(messages);
  }

  @Test
  void largeRequestThatBreaksOff_leavesNothingToTheNextOne() throws Exception {
    String half = body(numbered("m", 5000)) + INDEX + "h";

    assertBreaksOff(stream(half));
    assertThat(take("h one")).isTrue();

    assertThat(publisher.messages()).containsExactly("h one");
  }

  @Test
  void requestThatBreaksOff_countsForNothing() throws Exception {
    InputStream broken = InputStream.nullInputStream();
    broken.close();

    assertBreaksOff(new SequenceInputStream(stream(body("h one", "h two") + INDEX), broken));
    assertBreaksOff(stream(body("h one") + INDEX + "h t"))
        .hasMessageStartingWith("the last line has no end");
    assertThat(publisher.submitted).isEmpty();
    assertThat(take("h one", "h two", "h three")).isTrue();

    assertThat(publisher.messages()).containsExactly("h one", "h two", "h three");
  }

  /** Takes a request of a run of rsyslog. */
  private boolean takeFrom(String run, String... messages) throws Exception {
    String body = body(messages).replace("\"duplog\"", '"' + run + '"');
    boolean confirmed = transactions.publish(stream(body), () -> {});
    if (confirmed) {
      transactions.answering();
    }
    return confirmed;
  }

  /** The shim is killed after RabbitMQ has the transaction, and before rsyslog has its answer. */
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "the same rsyslog sends it again,          RUN,   a b c d, abcd",
    "with a message of its other worker first, RUN,   x a b c, xabc",
    "another rsyslog logs what looks the same, OTHER, a b c d, abcabcd",
    "no telling which rsyslog it is,           none,  a b c d, abcabcd"
  })
  void shimKilledOverItsAnswer_hasASuccessorThatKnowsWhatItPublished(
      String name, String run, String requests, String stored, @TempDir Path folder)
      throws Exception {
    mark = markIn(folder);
    transactions = transactions("");
    String same = "0123456789abcdef0123456789abcdef";
    String body = body("a", "b", "c").replace("\"duplog\"", '"' + same + '"');
    assertThat(transactions.publish(stream(body), () -> {})).isTrue();
    kill(folder);

    mark = markIn(folder);
    transactions = transactions("");
    for (String message : requests.split(" ", -1)) {
      assertThat(
              takeFrom(run.replace("RUN", same).replace("OTHER", same.replace('0', '7')), message))
          .isTrue();
    }

    assertThat(publisher.messages()).containsExactlyInAnyOrder(stored.split(""));
    mark.close();
    assertThat(folder).as("what is over").isDirectoryNotContaining("glob:**.transaction");
  }

  private static TransactionMark markIn(Path folder) {
    return TransactionMark.createIn(folder, "a", 0, 8192, () -> 0);
  }

  /** Leaves the file as it is, without its lock. */
  private void kill(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      Path file = files.findAny().get();
      byte[] left = Files.readAllBytes(file);
      mark.close();
      Files.write(file, left);
    }
    FakePublisher successors = new FakePublisher(time, 1);
    successors.stored.putAll(publisher.stored);
    publisher = successors;
  }

  /** rsyslog gathers more for the next transaction. This one's messages are published by then. */
  @Test
  void answer_ofASmallTransaction_waitsForTheLinger() throws Exception {
    long before = time.nanos();
    publisher.beforeConfirm = () -> assertThat(time.nanos()).isEqualTo(before);

    take("h one", "h two");

    assertThat(time.nanos() - before).isEqualTo(15_000_000);
  }

  /** An earlier shim may have died over a transaction. */
  @Test
  void firstMessages_thatComeSingly_doNotWait() throws Exception {
    long before = time.nanos();

    take("h one");
    take("h two");

    assertThat(time.nanos()).isEqualTo(before);
  }

  @Test
  void answer_ofATransactionThatRsyslogsLimitCut_doesNotWait_norOneOfAMessageSentAgain()
      throws Exception {
    take(numbered("first", 1024));
    long before = time.nanos();
    take(numbered("second", 1024));
    publisher.arriving = false;
    take(numbered("third", 50));
    publisher.arriving = true;
    long failed = time.nanos();
    take("h third 0");

    assertThat(time.nanos()).isEqualTo(failed);
    assertThat(failed - before).as("the wait for RabbitMQ").isEqualTo(30_000_000_000L);
  }
}
