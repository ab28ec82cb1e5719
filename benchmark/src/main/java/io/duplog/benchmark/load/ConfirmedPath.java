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
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a receiver that answers like a program which rsyslog's omprog has started. The
 * receiver says {@code OK} when it is ready, then answers each line that it gets. A batch consists
 * of a mark, its messages, and another mark. The answers are {@code OK}, {@code DEFER_COMMIT} for
 * each message, and {@code OK} after the batch is safe; an answer {@code ERROR} with a reason
 * refuses the batch.
 *
 * <p>One thread sends a batch and waits for its outcome. Another one reads the answers meanwhile,
 * so that neither end can block the other one, however large a batch is.
 */
public final class ConfirmedPath implements Closeable {
  private static final String OK = "OK";
  private static final String DEFERRED = "DEFER_COMMIT";
  private static final String REFUSED = "ERROR";

  /**
   * The outcome of a batch.
   *
   * @param failure reason why no more batches can be confirmed; null if there is none
   */
  private record Outcome(boolean confirmed, @Nullable IOException failure) {}

  private final OutputStream output;
  private final byte[] beginMark;
  private final byte[] commitMark;
  private final int batchSize;
  private final BufferedReader answers;
  private final BlockingQueue<Outcome> outcomes = new LinkedBlockingQueue<>();

  /**
   * Starts the thread that reads the answers.
   *
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
    this.answers =
        new BufferedReader(new InputStreamReader(answers, StandardCharsets.US_ASCII), 1 << 13);
    Thread reader = new Thread(this::readAll, "answers");
    reader.setDaemon(true);
    reader.start();
  }

  private static byte[] line(String text) {
    return (text + "\n").getBytes(StandardCharsets.US_ASCII);
  }

  private void readAll() {
    try {
      outcomes.add(new Outcome(expect(OK), null));
      while (true) {
        boolean confirmed = expect(OK);
        for (int i = 0; i < batchSize; i++) {
          confirmed &= expect(DEFERRED);
        }
        confirmed &= expect(OK);
        outcomes.add(new Outcome(confirmed, null));
      }
    } catch (IOException e) {
      outcomes.add(new Outcome(false, e));
    }
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
   * Waits until the receiver is ready (the first call), or has confirmed or refused the latest
   * batch.
   *
   * @return false if the batch must be sent again
   * @throws IOException if the receiver has ended, or has sent an unexpected answer
   */
  boolean awaitConfirmed() throws IOException, InterruptedException {
    Outcome outcome = outcomes.take();
    if (outcome.failure != null) {
      outcomes.add(outcome); // so that the next call fails, too
      throw outcome.failure;
    }
    return outcome.confirmed;
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
