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
 * The load of a measured run: all numbers from 0 on, each once on every path. Each sender has its
 * own thread, and all stop at the same number.
 */
public abstract class Senders implements Load {
  private static final Duration ENDS_WITHIN = Duration.ofSeconds(2);

  private final NumberedLines lines;
  private final byte[] before;
  final Pace pace;
  private final int copies;
  private volatile boolean stopping;
  private volatile boolean closed;

  /** Value of {@link Worker#next} at which each worker stops; set by {@link #stop}. */
  volatile long end;

  /**
   * Starts no thread yet.
   *
   * @param before prefix of each message
   * @param copies number of paths
   */
  Senders(NumberedLines lines, String before, Pace pace, int copies) {
    this.lines = lines;
    this.before = before.getBytes(US_ASCII);
    this.pace = pace;
    this.copies = copies;
  }

  /** Returns all senders, which must be the same at each call. */
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
   * Stops after every path has got the same messages. Paths that are behind get the missing
   * messages first.
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
    return Sent.of(Collections.nCopies(copies, Tally.ofFirst(sent())));
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

  /** A sender, which has its own thread. */
  abstract class Worker implements Closeable {
    private final List<Closeable> connections;
    final byte[] block;
    Thread thread = new Thread(this::run, "load");
    volatile @Nullable IOException failure;

    /** Progress, as a number of messages or of rounds; written by this worker's thread only. */
    volatile long next;

    /**
     * Allocates the block.
     *
     * @param connections connections to be closed by {@link #close}
     * @param most number of messages that the block has room for
     * @param next initial progress
     */
    Worker(List<? extends Closeable> connections, int most, long next) {
      this.connections = List.copyOf(connections);
      this.block = new byte[most * (before.length + lines.length() + 1)];
      this.next = next;
    }

    /** Sends some messages, or waits briefly if the pace does not allow any. */
    abstract void runOnce() throws IOException;

    /** Called when the worker can send nothing more for now; does nothing by default. */
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
        System.arraycopy(before, 0, block, length, before.length);
        length = lines.write(serial, block, length + before.length);
        block[length++] = '\n';
      }
      return length;
    }

    /**
     * Closes the connections unless the thread still writes, because closing would then wait for
     * the receiver. Such a thread ends when its receiver does.
     */
    @Override
    public void close() throws IOException {
      thread.interrupt();
      Uninterruptibles.joinUninterruptibly(thread, ENDS_WITHIN);
      if (!thread.isAlive()) {
        try (Closer closer = Closer.create()) {
          connections.forEach(closer::register);
        }
      }
    }
  }
}
