package io.duplog.benchmark.load;

import com.google.common.base.CharMatcher;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * A connection to a receiver that answers like a program which rsyslog's omprog has started. The
 * receiver says {@code OK} when it is ready, then answers each line that it gets. A batch consists
 * of a mark, its messages, and another mark. The answers are {@code OK}, {@code DEFER_COMMIT} for
 * each message, and {@code OK} after the batch is safe; an answer {@code ERROR} with a reason
 * refuses the batch.
 *
 * <p>Used by one thread at a time. Nobody reads the answers while a batch is sent, so those to a
 * batch must fit into a pipe, which holds 64 KiB: the answers to 5,000 messages.
 */
public final class ConfirmedPath implements Closeable {
  private static final String OK = "OK";
  private static final String DEFERRED = "DEFER_COMMIT";
  private static final String REFUSED = "ERROR";

  private final OutputStream output;
  private final byte[] beginMark;
  private final byte[] commitMark;
  private final int batchSize;
  private final BufferedReader answers;

  /**
   * @param output the receiver's input, flushed at the end of each batch
   * @param batchSize number of messages in every batch
   */
  public ConfirmedPath(
      OutputStream output,
      InputStream answers,
      String beginMark,
      String commitMark,
      int batchSize) {
    this.output = output;
    this.beginMark = line(beginMark);
    this.commitMark = line(commitMark);
    this.batchSize = batchSize;
    this.answers = new BufferedReader(new InputStreamReader(answers, StandardCharsets.US_ASCII));
  }

  private static byte[] line(String text) {
    return (text + "\n").getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Whether the next answer is the expected one; false if it is a refusal. Any other answer throws.
   */
  private boolean expect(String expected) throws IOException {
    String answer = answers.readLine();
    if (answer == null) {
      throw new EOFException("the receiver has ended");
    }
    String word = CharMatcher.is('.').trimLeadingFrom(answer); // a dot means that it takes longer
    if (!word.equals(expected) && !word.startsWith(REFUSED)) {
      throw new IOException("expected " + expected + ", the answer was " + answer);
    }
    return word.equals(expected);
  }

  /**
   * Waits until the receiver is ready. To be called before the first batch.
   *
   * @throws IOException if the receiver has ended, or has sent an unexpected answer
   */
  void awaitReady() throws IOException {
    expect(OK);
  }

  /**
   * Waits until the receiver has confirmed or refused the batch that was sent.
   *
   * @return false if the batch must be sent again
   * @throws IOException if the receiver has ended, or has sent an unexpected answer
   */
  boolean awaitConfirmed() throws IOException {
    boolean confirmed = expect(OK);
    for (int i = 0; i < batchSize; i++) {
      confirmed &= expect(DEFERRED);
    }
    confirmed &= expect(OK);
    return confirmed;
  }

  /** Sends a batch between the marks; its number of lines must be the constructor's batch size. */
  void send(byte[] lines, int length) throws IOException {
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
