package io.duplog.ingest.omprog;

import io.duplog.config.ByteSize;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Plays omprog's side of the pipe, with lines as Latin-1. */
final class Rsyslog {
  static final String BEGIN = "BEGIN TRANSACTION";
  static final String COMMIT = "COMMIT TRANSACTION";

  final FakeTime time = new FakeTime();
  final FakePublisher publisher;
  private final Mode mode;
  private final int maxMessages;
  private final int maxMessageBytes;
  private final Answered answered = new Answered();
  private final Dialogue dialogue;

  Rsyslog(Mode mode) {
    this(mode, 4, 4096);
  }

  Rsyslog(Mode mode, int maxMessages, int maxMessageBytes) {
    this(mode, maxMessages, maxMessageBytes, 1);
  }

  Rsyslog(Mode mode, int maxMessages, int maxMessageBytes, int queues) {
    this.publisher = new FakePublisher(time, queues);
    this.mode = mode;
    this.maxMessages = maxMessages;
    this.maxMessageBytes = maxMessageBytes;
    this.dialogue =
        mode == Mode.CONFIRM
            ? new ConfirmedDialogue(
                omprog(), batch(), "syslog-a", new Answers(answered), publisher, time)
            : new UnconfirmedDialogue(omprog(), batch(), "syslog-a", publisher, time);
  }

  /** Writes lines, one after another, and returns what was answered to all of them. */
  String write(String... lines) throws Exception {
    for (String line : lines) {
      byte[] bytes = line.getBytes(StandardCharsets.ISO_8859_1);
      dialogue.line(bytes, 0, bytes.length);
      dialogue.drained();
    }
    return answered.take();
  }

  /** A transaction of these messages; returns the answer to its COMMIT, dots included. */
  String transaction(String... messages) throws Exception {
    write(BEGIN);
    write(messages);
    return write(COMMIT);
  }

  long leave() throws Exception {
    return dialogue.closed();
  }

  long linger() throws Exception {
    return dialogue.linger();
  }

  /** A whole run with this as the pipe's content; returns all answers. */
  String run(InputStream pipe) throws Exception {
    new Conversation(omprog(), batch(), "syslog-a", pipe, answered, publisher, time).run();
    return answered.take();
  }

  String run(String pipe) throws Exception {
    return run(new ByteArrayInputStream(pipe.getBytes(StandardCharsets.ISO_8859_1)));
  }

  OmprogSettings omprog() {
    return new OmprogSettings(
        mode,
        BEGIN,
        COMMIT,
        true,
        new ByteSize(maxMessageBytes),
        Duration.ofSeconds(5),
        Duration.ofSeconds(1),
        Duration.ofSeconds(1));
  }

  BatchSettings batch() {
    return new BatchSettings(
        maxMessages, new ByteSize(1 << 20), Duration.ofMillis(20), true, new ByteSize(1 << 20));
  }

  private static final class Answered extends ByteArrayOutputStream {
    String take() {
      String text = toString(StandardCharsets.US_ASCII);
      reset();
      return text;
    }
  }
}
