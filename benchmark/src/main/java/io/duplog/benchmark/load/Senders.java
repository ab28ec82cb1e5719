package io.duplog.benchmark.load;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.google.common.io.Closer;
import com.google.common.util.concurrent.Uninterruptibles;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Base of loads that send every message once to each stream, in threads of their own. All threads
 * stop at the same number.
 */
public abstract class Senders implements Load {
  private static final Duration JOIN_TIMEOUT = Duration.ofSeconds(2);

  private final NumberedLines lines;
  private final byte[] prefix;
  final Pace pace;
  private final int copies;
  private volatile boolean stopping;
  private volatile boolean closed;

  /** Value of {@link Worker#next} at which each worker stops; set by {@link #stop}. */
  volatile long end;

  /**
   * Creates the senders. Starts no thread.
   *
   * @param prefix prefix of each message
   * @param copies number of paths
   */
  Senders(NumberedLines lines, String prefix, Pace pace, int copies) {
    this.lines = lines;
    this.prefix = prefix.getBytes(US_ASCII);
    this.pace = pace;
    this.copies = copies;
  }

  /** Returns all senders. Every call must return the same ones. */
  abstract List<? extends Worker> workers();

  @Override
  public final Messages messages() {
    return lines;
  }

  @Override
  public final void start() {
    pace.begin();
    workers().forEach(Worker::begin);
  }

  /**
   * Stops after every path has sent the same messages. Slower paths first send the missing
   * messages.
   */
  @Override
  public final void stop() throws IOException, InterruptedException {
    stopping = true;
    join();
    end = workers().stream().mapToLong(worker -> worker.next).max().orElse(0);
    workers().forEach(Worker::begin);
    join();
  }

  @Override
  public final Sent record() {
    return Sent.of(Collections.nCopies(copies, Tally.oneOfEach(sent())));
  }

  private void join() throws IOException, InterruptedException {
    for (Worker worker : workers()) {
      worker.thread.join();
      IOException failure = worker.failure;
      if (failure != null) {
        throw new IOException("a connection broke: " + failure.getMessage(), failure);
      }
    }
  }

  @Override
  public final boolean isOver() {
    return workers().stream().anyMatch(worker -> worker.failure != null);
  }

  /**
   * Closes all connections without waiting for receivers. A connection on which a thread is still
   * blocked stays open until its receiver ends.
   */
  @Override
  public final void close() throws IOException {
    closed = true;
    try (Closer closer = Closer.create()) {
      workers().forEach(closer::register);
    }
  }

  /**
   * Whether workers have to keep to the pace. While stopping they don't, because all have to reach
   * the same number.
   */
  final boolean isPaced() {
    return !stopping && !closed;
  }

  /** A sender with its own thread. */
  abstract class Worker implements Closeable {
    private final List<Closeable> connections;
    final byte[] block;
    Thread thread = new Thread(this::run, "load");
    volatile @Nullable IOException failure;

    /** Progress, as a number of messages or of rounds. Written only by this worker's thread. */
    volatile long next;

    /**
     * Allocates the block.
     *
     * @param connections connections to be closed by {@link #close}
     * @param maxMessages maximum number of messages in the block
     * @param next initial progress
     */
    Worker(List<? extends Closeable> connections, int maxMessages, long next) {
      this.connections = List.copyOf(connections);
      this.block = new byte[maxMessages * (prefix.length + lines.length() + 1)];
      this.next = next;
    }

    /** Sends some messages, or waits briefly if the pace does not allow any. */
    abstract void runOnce() throws IOException;

    /** Called when the worker can't send more for now. Does nothing by default. */
    void flush() throws IOException {}

    void begin() {
      thread = new Thread(this::run, "load");
      thread.setDaemon(true);
      thread.start();
    }

    private void run() {
      try {
        while (!closed && (!stopping || next < end)) {
          runOnce();
        }
        flush();
      } catch (IOException e) {
        failure = e;
      }
    }

    /**
     * Writes the messages with these numbers into the block, and returns their total length in
     * bytes.
     */
    final int fill(long first, long limit) {
      int length = 0;
      for (long serial = first; serial < limit; serial++) {
        System.arraycopy(prefix, 0, block, length, prefix.length);
        length = lines.write(serial, block, length + prefix.length);
        block[length++] = '\n';
      }
      return length;
    }

    /**
     * Closes the connections unless the thread is still writing. In that case, closing would wait
     * for the receiver. Such a thread ends when its receiver does.
     */
    @Override
    public void close() throws IOException {
      thread.interrupt();
      Uninterruptibles.joinUninterruptibly(thread, JOIN_TIMEOUT);
      if (!thread.isAlive()) {
        try (Closer closer = Closer.create()) {
          connections.forEach(closer::register);
        }
      }
    }
  }
}
