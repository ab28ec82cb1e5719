package io.duplog.ingest.omprog;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.duplog.config.ConfigException;
import io.duplog.config.ConfigLoader;
import io.duplog.ingest.batch.BatchSettings;
import io.duplog.ingest.batch.FakePublisher;
import io.duplog.ingest.batch.FakeTime;
import io.duplog.ingest.batch.TransactionMark;
import io.duplog.ingest.publish.Publisher;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/** Simulates rsyslog's side of the omprog protocol for tests of the shim. */
final class Rsyslog {
  static final String BEGIN = "BEGIN TRANSACTION";
  static final String COMMIT = "COMMIT TRANSACTION";

  final FakeTime time = new FakeTime();
  final FakePublisher publisher;
  private final OmprogSettings omprog;
  private final BatchSettings batch;
  private final ByteArrayOutputStream answerBytes = new ByteArrayOutputStream();
  final TransactionMark mark;
  private final Dialogue dialogue;

  Rsyslog(Mode mode) {
    this(mode, 4, 4096, 1);
  }

  Rsyslog(Mode mode, int maxMessages, int maxMessageBytes, int queues) {
    this(
        queues,
        "mode: %s, max-message: %dB, patience: 5s"
            .formatted(mode.name().toLowerCase(Locale.ROOT), maxMessageBytes),
        maxMessages);
  }

  /**
   * @param omprog keys of the section {@code omprog}
   */
  Rsyslog(int queues, String omprog, int maxMessages) {
    this(queues, omprog, maxMessages, TransactionMark.none());
  }

  /**
   * @param omprog keys of the section {@code omprog}
   */
  Rsyslog(int queues, String omprog, int maxMessages, TransactionMark mark) {
    this.mark = mark;
    this.publisher = new FakePublisher(time, queues);
    this.omprog = settings(OmprogSettings.class, "{" + omprog + "}");
    this.batch =
        settings(
            BatchSettings.class,
            "{max-messages: %d, linger: 20ms, max-unconfirmed: 1MiB}".formatted(maxMessages));
    this.dialogue =
        this.omprog.mode() == Mode.CONFIRM
            ? new ConfirmedDialogue(
                this.omprog, batch, "syslog-a", new Answers(answerBytes), publisher, mark, time)
            : new UnconfirmedDialogue(this.omprog, batch, "syslog-a", publisher, time);
  }

  /** Creates an rsyslog with the given answer stream and broker. */
  Rsyslog(int queues, Publisher broker, OutputStream answers, TransactionMark mark, FakeTime time) {
    this.mark = mark;
    this.publisher = new FakePublisher(time, queues);
    this.omprog = settings(OmprogSettings.class, "{patience: 5s, keep-alive: 5s}");
    this.batch =
        settings(BatchSettings.class, "{max-messages: 2, linger: 20ms, max-unconfirmed: 1MiB}");
    this.dialogue =
        new ConfirmedDialogue(omprog, batch, "syslog-a", new Answers(answers), broker, mark, time);
  }

  /** Writes lines one after another, and returns the answers to all of them. */
  String write(String... lines) throws Exception {
    for (String line : lines) {
      byte[] bytes = line.getBytes(ISO_8859_1);
      dialogue.handleLine(bytes, 0, bytes.length);
      dialogue.linesHandled();
    }
    return takeAnswers();
  }

  /** Writes a transaction, and returns the answer to its COMMIT including dots. */
  String transaction(String... messages) throws Exception {
    write(BEGIN);
    write(messages);
    return write(COMMIT);
  }

  void requestEnd() {
    dialogue.requestEnd();
  }

  long closePipe() throws Exception {
    return dialogue.ended();
  }

  long publishGathered() throws Exception {
    return dialogue.publishGathered();
  }

  /** Runs a conversation over the content of a pipe, and returns all answers. */
  String run(InputStream pipe) throws Exception {
    conversation(pipe, answerBytes).run();
    return takeAnswers();
  }

  String run(String pipe) throws Exception {
    return run(new ByteArrayInputStream(pipe.getBytes(ISO_8859_1)));
  }

  /** Returns a conversation that the test runs on its own threads. */
  Conversation conversation(InputStream pipe, OutputStream answers) {
    return new Conversation(omprog, batch, "syslog-a", pipe, answers, publisher, mark, time);
  }

  /** Returns incompressible messages of 40,000 bytes. */
  static String[] noise(int count) {
    Random random = new Random(7);
    String[] messages = new String[count];
    for (int i = 0; i < count; i++) {
      byte[] bytes = new byte[40_000];
      random.nextBytes(bytes);
      messages[i] = "10.0.0.1 " + new String(bytes, ISO_8859_1).replace('\n', ' ');
    }
    return messages;
  }

  private static <T extends Record> T settings(Class<T> type, String keys) {
    try {
      return ConfigLoader.of(Map.of(), "host-1").parse("duplog-ingest.yaml", keys, type);
    } catch (ConfigException e) {
      throw new AssertionError(e);
    }
  }

  private String takeAnswers() {
    String text = answerBytes.toString(ISO_8859_1);
    answerBytes.reset();
    return text;
  }
}
