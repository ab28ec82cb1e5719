package io.duplog.benchmark.load;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Simulates a shim that confirms or refuses batches over the omprog protocol, for tests of the
 * load. Thread-safe.
 */
final class FakeShim extends ByteArrayOutputStream {
  private static final String BEGIN = "BEGIN 1";
  private static final String COMMIT = "COMMIT 1";

  private final Pipe pipe;
  private final OutputStream answers;
  private final List<String> confirmedMessages = new ArrayList<>();
  private final List<String> currentBatch = new ArrayList<>();
  private boolean isHolding;
  private int heldBatches;
  private int refusalsLeft;
  private int batches;
  private String messageAnswer = "DEFER_COMMIT";
  private boolean isEnded;
  private boolean isClosed;

  FakeShim() throws IOException {
    pipe = Pipe.open();
    answers = Channels.newOutputStream(pipe.sink());
    answer("OK");
  }

  ConfirmedPath path(int batchSize) {
    return new OmprogPath(this, Channels.newInputStream(pipe.source()), BEGIN, COMMIT, batchSize);
  }

  /** Answers no batch from now on. */
  synchronized void hold() {
    isHolding = true;
  }

  /** Answers batches again, starting with the one that was held. */
  synchronized void release() throws IOException {
    isHolding = false;
    for (; heldBatches > 0; heldBatches--) {
      answer("...OK");
    }
  }

  /** Refuses the next batches. */
  synchronized void refuse(int number) {
    refusalsLeft = number;
  }

  /** Answers messages with this text from now on. */
  synchronized void answerMessagesWith(String text) {
    messageAnswer = text;
  }

  /** Ends the shim. */
  synchronized void end() throws IOException {
    isEnded = true;
    answers.close();
  }

  /** Returns the messages that the shim has confirmed, or will confirm once it is released. */
  synchronized List<String> confirmedMessages() {
    return List.copyOf(confirmedMessages);
  }

  /** Returns the number of received batches, including refused ones. */
  synchronized int batches() {
    return batches;
  }

  synchronized boolean isClosed() {
    return isClosed;
  }

  private void answer(String text) throws IOException {
    if (!isEnded) {
      answers.write((text + "\n").getBytes(StandardCharsets.US_ASCII));
    }
  }

  private void handle(String line) throws IOException {
    switch (line) {
      case BEGIN -> {
        currentBatch.clear();
        answer("OK");
      }
      case COMMIT -> commitBatch();
      default -> {
        currentBatch.add(line);
        answer(messageAnswer);
      }
    }
  }

  private void commitBatch() throws IOException {
    batches++;
    if (refusalsLeft > 0) {
      refusalsLeft--;
      answer("..ERROR broker syslog-a unreachable");
      return;
    }
    confirmedMessages.addAll(currentBatch);
    if (isHolding) {
      heldBatches++;
    } else {
      answer("OK");
    }
  }

  /** Handles the received lines. Each flush holds a whole batch. */
  @Override
  public synchronized void flush() throws IOException {
    for (String line : toString(StandardCharsets.US_ASCII).lines().toList()) {
      handle(line);
    }
    reset();
  }

  @Override
  public synchronized void close() throws IOException {
    isClosed = true;
    end();
  }
}
