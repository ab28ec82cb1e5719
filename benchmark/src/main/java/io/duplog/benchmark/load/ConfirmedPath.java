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
 * A way for batches whose receiver answers as a program does that rsyslog's omprog started: {@code
 * OK} when it is there; then a line for each of ours. A batch is a mark, its messages, and a mark:
 * {@code OK}, a {@code DEFER_COMMIT} for each message, and {@code OK} once the batch is safe, or
 * {@code ERROR} and why.
 *
 * <p>One thread sends a batch and waits for its outcome. Another reads the answers meanwhile, so
 * neither end can block the other, however large a batch is.
 */
public final class ConfirmedPath implements Closeable {
  private static final String OK = "OK";
  private static final String DEFERRED = "DEFER_COMMIT";
  private static final String REFUSED = "ERROR";

  /**
   * What became of a batch.
   *
   * @param failure why nothing will be confirmed any more; null where that is not so
   */
  private record Outcome(boolean confirmed, @Nullable IOException failure) {}

  private final OutputStream output;
  private final byte[] beginMark;
  private final byte[] commitMark;
  private final int batchSize;
  private final BufferedReader answers;
  private final BlockingQueue<Outcome> outcomes = new LinkedBlockingQueue<>();

  /**
   * Begins to read.
   *
   * @param output flushed at the end of each batch
   * @param batchSize messages of every batch
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

  /** Whether the next answer is this one, and no refusal. */
  private boolean expect(String expected) throws IOException {
    String answer = answers.readLine();
    if (answer == null) {
      throw new EOFException("the receiver has ended");
    }
    String word = CharMatcher.is('.').trimLeadingFrom(answer); // a dot: it takes longer
    if (!word.equals(expected) && !word.startsWith(REFUSED)) {
      throw new IOException("expected " + expected + ", the answer was " + answer);
    }
    return word.equals(expected);
  }

  /**
   * Waits until the receiver is there, or has refused or confirmed the batch that was sent last.
   *
   * @return false where it has to be sent again
   * @throws IOException if the receiver has ended, or answers what nobody expects
   */
  boolean awaitConfirmed() throws IOException, InterruptedException {
    Outcome outcome = outcomes.take();
    if (outcome.failure != null) {
      outcomes.add(outcome); // for whoever asks again
      throw outcome.failure;
    }
    return outcome.confirmed;
  }

  /** Sends a batch: as many lines as all have, each with its end. */
  void send(byte[] lines, int length) throws IOException {
    output.write(beginMark);
    output.write(lines, 0, length);
    output.write(commitMark);
    output.flush();
  }

  /** Tells the receiver that no more comes. */
  @Override
  public void close() throws IOException {
    output.close();
  }
}
