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

/**
 * Tests that each HTTP request from rsyslog is published as one transaction, and that messages sent
 * again are published once.
 */
class BulkTransactionsTest {
  static final String INDEX = "{\"index\":{\"_index\": \"duplog\"}}\n";

  private final FakeTime time = new FakeTime();
  private FakePublisher publisher = new FakePublisher(time, 1);
  private final RsyslogContact contact = new RsyslogContact(time::nanos);
  private TransactionMark mark = TransactionMark.none();
  private BulkTransactions transactions;

  @BeforeEach
  void createTransactions() throws Exception {
    transactions = transactions("");
  }

  private BulkTransactions transactions(String extraYaml) throws Exception {
    String yaml =
        "stream: a\nbroker: {host: h, user: u, password: p}\nlisten: {password: p}\n" + extraYaml;
    IngestConfig config =
        ConfigLoader.of(Map.of(), "host").parse("test.yaml", yaml, IngestConfig.class);
    return new BulkTransactions(
        config.batch(), config.omprog(), config.stream(), publisher, contact, mark, time);
  }

  /** Returns the request body in which omelasticsearch sends a transaction. */
  static String body(String... messages) {
    StringBuilder body = new StringBuilder();
    for (String message : messages) {
      body.append(INDEX).append(message).append('\n');
    }
    return body.toString();
  }

  private boolean publish(String... messages) throws Exception {
    boolean confirmed = transactions.publish(stream(body(messages)), () -> {});
    if (confirmed) {
      transactions.answering();
    }
    return confirmed;
  }

  private AbstractThrowableAssert<?, ?> assertInterrupted(InputStream request) {
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
  void publish_unusualMessages_keepsEveryByte() throws Exception {
    String unusualMessage = "h \0\t\r\u00ff{\"index\":";

    assertThat(publish(unusualMessage, "{\"index\":{}}", "", "h last")).isTrue();

    assertThat(publisher.messages())
        .containsExactly(unusualMessage, "{\"index\":{}}", "", "h last");
  }

  /** A sender may send the same text with a prefix or without an address. */
  @Test
  void publish_markMessageWithAddress_isRecordedAndDropped() throws Exception {
    String probe = Heartbeat.Rsyslog.PROBE;
    assertThat(publish("10.0.0.1 <13>" + probe, "10.0.0.1 x " + probe, probe)).isTrue();
    assertThat(contact.report().probes()).isFalse();

    assertThat(publish("127.0.0.1 " + probe)).isTrue();
    assertThat(publish("h one", "127.0.0.1 " + probe, "h two")).isTrue();

    assertThat(contact.report().probes()).isTrue();
    assertThat(publisher.messages())
        .containsExactly("10.0.0.1 <13>" + probe, "10.0.0.1 x " + probe, probe, "h one", "h two");
  }

  @Test
  void publish_markMessageWithoutSenderPrefix_isRecordedAndDropped() throws Exception {
    transactions =
        transactions("omprog: {sender-prefix: false, begin-mark: b-17, commit-mark: c-17}\n");
    assertThat(publish(Heartbeat.Rsyslog.PROBE)).isTrue();
    assertThat(contact.report().probes()).isTrue();
    assertThat(publisher.submittedBatches).isEmpty();
  }

  @Test
  void publish_lineFeedInMessage_splitsOnlyThisMessage() throws Exception {
    assertThat(publish("h one\nhalf", "h two")).isTrue();

    assertThat(publisher.messages()).containsExactly("h one", "half", "h two");
  }

  @Test
  void publish_tooLongMessage_isCutAndNextIsComplete() throws Exception {
    transactions = transactions("omprog: {max-message: 256B}\n");

    assertThat(publish("h " + "x".repeat(300_000), "h next")).isTrue();

    assertThat(publisher.messages()).containsExactly("h " + "x".repeat(254), "h next");
  }

  @Test
  void publish_noMessages_isConfirmed() throws Exception {
    assertThat(publish()).isTrue();
    assertThat(publisher.submittedBatches).isEmpty();
  }

  /**
   * rsyslog sends each message of a failed transaction again. Each word in the second column is a
   * request, in which each letter is a message. A request that begins with a minus is not
   * confirmed. {@code ~} advances the time by ten minutes and a second. The last column contains
   * the broker's messages at the end.
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
  void publish_resentFailedTransactions_storesEachMessageOnce(
      String name, String requests, String stored) throws Exception {
    for (String request : requests.split(" ", -1)) {
      if (request.equals("~")) {
        time.sleep(601_000_000_000L);
      } else {
        publisher.confirming = !request.startsWith("-");
        assertThat(publish(request.replace("-", "").split(""))).isEqualTo(publisher.confirming);
      }
    }

    assertThat(publisher.messages()).containsExactlyInAnyOrder(stored.split(""));
  }

  /** The transaction is larger than a batch. */
  @Test
  void publish_resentTransactionInterrupted_storesEachMessageOnce() throws Exception {
    String[] messages = numbered("m", 5000);
    publisher.confirming = false;
    assertThat(publish(messages)).isFalse();
    publisher.confirming = true;
    String partialBody = body(numbered("m", 4500)) + INDEX + "h";

    assertInterrupted(stream(partialBody));
    assertThat(publish(messages)).isTrue();

    assertThat(publisher.messages()).containsExactly(messages);
  }

  @Test
  void publish_largeRequestInterrupted_doesNotAffectNext() throws Exception {
    String partialBody = body(numbered("m", 5000)) + INDEX + "h";

    assertInterrupted(stream(partialBody));
    assertThat(publish("h one")).isTrue();

    assertThat(publisher.messages()).containsExactly("h one");
  }

  @Test
  void publish_requestInterrupted_hasNoEffect() throws Exception {
    InputStream closedStream = InputStream.nullInputStream();
    closedStream.close();

    assertInterrupted(
        new SequenceInputStream(stream(body("h one", "h two") + INDEX), closedStream));
    assertInterrupted(stream(body("h one") + INDEX + "h t"))
        .hasMessageStartingWith("the last line has no end");
    assertThat(publisher.submittedBatches).isEmpty();
    assertThat(publish("h one", "h two", "h three")).isTrue();

    assertThat(publisher.messages()).containsExactly("h one", "h two", "h three");
  }

  /** Publishes a request of a run of rsyslog. */
  private boolean publishFromRun(String run, String... messages) throws Exception {
    String body = body(messages).replace("\"duplog\"", '"' + run + '"');
    boolean confirmed = transactions.publish(stream(body), () -> {});
    if (confirmed) {
      transactions.answering();
    }
    return confirmed;
  }

  /**
   * The shim is killed after RabbitMQ has confirmed the transaction, and before rsyslog gets its
   * answer.
   */
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "the same rsyslog sends it again,          RUN,   a b c d, abcd",
    "with a message of its other worker first, RUN,   x a b c, xabc",
    "another rsyslog logs what looks the same, OTHER, a b c d, abcabcd",
    "no telling which rsyslog it is,           none,  a b c d, abcabcd"
  })
  void publish_predecessorKilledBeforeAnswer_storesEachMessageOnce(
      String name, String run, String requests, String stored, @TempDir Path folder)
      throws Exception {
    mark = markIn(folder);
    transactions = transactions("");
    String runId = "0123456789abcdef0123456789abcdef";
    String body = body("a", "b", "c").replace("\"duplog\"", '"' + runId + '"');
    assertThat(transactions.publish(stream(body), () -> {})).isTrue();
    kill(folder);

    mark = markIn(folder);
    transactions = transactions("");
    for (String message : requests.split(" ", -1)) {
      assertThat(
              publishFromRun(
                  run.replace("RUN", runId).replace("OTHER", runId.replace('0', '7')), message))
          .isTrue();
    }

    assertThat(publisher.messages()).containsExactlyInAnyOrder(stored.split(""));
    mark.close();
    assertThat(folder).as("what is over").isDirectoryNotContaining("glob:**.transaction");
  }

  private static TransactionMark markIn(Path folder) {
    return TransactionMark.createIn(folder, "a", 0, 8192, () -> 0);
  }

  /** Simulates the death of a shim: keeps the content of its file, and releases the lock. */
  private void kill(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      Path file = files.findAny().get();
      byte[] content = Files.readAllBytes(file);
      mark.close();
      Files.write(file, content);
    }
    FakePublisher successorPublisher = new FakePublisher(time, 1);
    successorPublisher.storedBatches.putAll(publisher.storedBatches);
    publisher = successorPublisher;
  }

  /**
   * Meanwhile rsyslog gathers messages for the next transaction. The messages of this one are
   * already published.
   */
  @Test
  void publish_smallTransaction_waitsForLinger() throws Exception {
    long before = time.nanos();
    publisher.beforeConfirm = () -> assertThat(time.nanos()).isEqualTo(before);

    publish("h one", "h two");

    assertThat(time.nanos() - before).isEqualTo(15_000_000);
  }

  /** A predecessor may have died during a transaction. */
  @Test
  void publish_firstSingleMessages_doNotWait() throws Exception {
    long before = time.nanos();

    publish("h one");
    publish("h two");

    assertThat(time.nanos()).isEqualTo(before);
  }

  @Test
  void publish_sizeLimitedOrResentTransaction_doesNotWait() throws Exception {
    publish(numbered("first", 1024));
    long before = time.nanos();
    publish(numbered("second", 1024));
    publisher.arriving = false;
    publish(numbered("third", 50));
    publisher.arriving = true;
    long failed = time.nanos();
    publish("h third 0");

    assertThat(time.nanos()).isEqualTo(failed);
    assertThat(failed - before).as("the wait for RabbitMQ").isEqualTo(30_000_000_000L);
  }
}
