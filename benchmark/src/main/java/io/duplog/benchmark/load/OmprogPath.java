package io.duplog.benchmark.load;

import com.google.common.base.CharMatcher;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Sends batches to a shim over the omprog protocol, as rsyslog does, and waits for its
 * confirmations. Not thread-safe.
 *
 * <p>The shim answers {@code READY_OR_CONFIRMED} when it is ready, and then answers each line. A
 * batch consists of a begin mark, its messages, and a commit mark. The answers are {@code
 * READY_OR_CONFIRMED}, then {@code DEFER_COMMIT} for each message, and {@code READY_OR_CONFIRMED}
 * once the batch is safe. An answer {@code ERROR} with a reason refuses the batch.
 *
 * <p>Answers are not read while a batch is sent. The answers to a batch must therefore fit into a
 * pipe, which holds 64 KiB: the answers to 5,000 messages.
 */
public final class OmprogPath implements ConfirmedPath {
  private static final String READY_OR_CONFIRMED = "OK";
  private static final String DEFER_COMMIT = "DEFER_COMMIT";
  private static final String ERROR = "ERROR";

  private final OutputStream output;
  private final byte[] beginMark;
  private final byte[] commitMark;
  private final int batchSize;
  private final BufferedReader answers;

  /**
   * Creates the path to a receiver that has started.
   *
   * @param output the receiver's input, flushed at the end of each batch
   * @param batchSize number of messages in every batch
   */
  public OmprogPath(
      OutputStream output,
      InputStream answers,
      String beginMark,
      String commitMark,
      int batchSize) {
    this.output = output;
    this.beginMark = toLineBytes(beginMark);
    this.commitMark = toLineBytes(commitMark);
    this.batchSize = batchSize;
    this.answers = new BufferedReader(new InputStreamReader(answers, StandardCharsets.US_ASCII));
  }

  private static byte[] toLineBytes(String text) {
    return (text + "\n").getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Reads the next answer. Returns whether it is the expected one rather than a refusal. Throws on
   * any other answer.
   */
  private boolean readAnswer(String expected) throws IOException {
    String answer = answers.readLine();
    if (answer == null) {
      throw new EOFException("the receiver has ended");
    }
    String answerWithoutDots =
        CharMatcher.is('.')
            .trimLeadingFrom(
                answer); // Omprog allows leading dots, which mean that the answer takes longer.
    if (!answerWithoutDots.equals(expected) && !answerWithoutDots.startsWith(ERROR)) {
      throw new IOException("expected " + expected + ", the answer was " + answer);
    }
    return answerWithoutDots.equals(expected);
  }

  @Override
  public void awaitReady() throws IOException {
    readAnswer(READY_OR_CONFIRMED);
  }

  @Override
  public boolean awaitConfirmed() throws IOException {
    boolean confirmed = readAnswer(READY_OR_CONFIRMED);
    for (int i = 0; i < batchSize; i++) {
      confirmed &= readAnswer(DEFER_COMMIT);
    }
    confirmed &= readAnswer(READY_OR_CONFIRMED);
    return confirmed;
  }

  /**
   * Sends a batch between the marks. The batch must have as many lines as the constructor's batch
   * size.
   */
  @Override
  public void send(byte[] lines, int length) throws IOException {
    output.write(beginMark);
    output.write(lines, 0, length);
    output.write(commitMark);
    output.flush();
  }

  /** Closes the receiver's input, which makes the receiver end. */
  @Override
  public void close() throws IOException {
    output.close();
  }
}
