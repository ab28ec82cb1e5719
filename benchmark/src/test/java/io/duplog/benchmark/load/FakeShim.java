package io.duplog.benchmark.load;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Answers batches as a shim does whose rsyslog wants confirmations. */
final class FakeShim extends ByteArrayOutputStream {
  private static final String BEGIN = "BEGIN 1";
  private static final String COMMIT = "COMMIT 1";

  private final Pipe pipe;
  private final OutputStream answers;
  private final List<String> confirmed = new ArrayList<>();
  private final List<String> batch = new ArrayList<>();
  private boolean holding;
  private int held;
  private int refusals;
  private int batches;
  private String message = "DEFER_COMMIT";
  private boolean ended;
  private boolean closed;

  FakeShim() throws IOException {
    pipe = Pipe.open();
    answers = Channels.newOutputStream(pipe.sink());
    answer("OK");
  }

  ConfirmedPath path(int batchSize) {
    return new ConfirmedPath(
        this, Channels.newInputStream(pipe.source()), BEGIN, COMMIT, batchSize);
  }

  /** Answers no batch from now on. */
  synchronized void hold() {
    holding = true;
  }

  /** Answers batches again, and first the one that was held. */
  synchronized void release() throws IOException {
    holding = false;
    for (; held > 0; held--) {
      answer("...OK");
    }
  }

  /** Refuses the next batches. */
  synchronized void refuse(int number) {
    refusals = number;
  }

  /** Answers messages with this text from now on. */
  synchronized void answerMessagesWith(String text) {
    message = text;
  }

  /** Ends the shim. */
  synchronized void end() throws IOException {
    ended = true;
    answers.close();
  }

  /** Returns what it has confirmed, or will confirm once it is released. */
  synchronized List<String> confirmed() {
    return List.copyOf(confirmed);
  }

  /** Returns how many batches came, including those that it refused. */
  synchronized int batches() {
    return batches;
  }

  synchronized boolean isClosed() {
    return closed;
  }

  private void answer(String text) throws IOException {
    if (!ended) {
      answers.write((text + "\n").getBytes(StandardCharsets.US_ASCII));
    }
  }

  private void line(String line) throws IOException {
    switch (line) {
      case BEGIN -> {
        batch.clear();
        answer("OK");
      }
      case COMMIT -> commit();
      default -> {
        batch.add(line);
        answer(message);
      }
    }
  }

  private void commit() throws IOException {
    batches++;
    if (refusals > 0) {
      refusals--;
      answer("..ERROR broker syslog-a unreachable");
      return;
    }
    confirmed.addAll(batch);
    if (holding) {
      held++;
    } else {
      answer("OK");
    }
  }

  /** Reads its standard input: a batch is whole. */
  @Override
  public synchronized void flush() throws IOException {
    for (String line : toString(StandardCharsets.US_ASCII).lines().toList()) {
      line(line);
    }
    reset();
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    end();
  }
}
