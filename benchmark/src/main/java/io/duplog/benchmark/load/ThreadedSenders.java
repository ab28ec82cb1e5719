package io.duplog.benchmark.load;

import com.google.common.io.Closer;
import com.google.common.util.concurrent.Uninterruptibles;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Senders of numbered messages that each have a thread, and all end at the same number. */
abstract class ThreadedSenders implements Senders {
  private static final Duration ENDS_WITHIN = Duration.ofMillis(200);

  private final NumberedLines lines;
  private final byte[] before;
  private final Pace pace;
  private volatile boolean stopping;
  private volatile boolean closed;

  /** Once all have stopped: how far the one that is furthest has come. */
  private volatile long end;

  /**
   * @param before what stands before each message
   */
  ThreadedSenders(NumberedLines lines, byte[] before, Pace pace) {
    this.lines = lines;
    this.before = before.clone();
    this.pace = pace;
  }

  /** All of them, always the same. */
  abstract List<? extends Worker> workers();

  @Override
  public final void start() {
    pace.begin();
    workers().forEach(Worker::begin);
  }

  @Override
  public final long stop() throws IOException, InterruptedException {
    stopping = true;
    join();
    end = workers().stream().mapToLong(worker -> worker.next).max().orElse(0);
    workers().forEach(Worker::begin);
    join();
    return sent();
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
  public final boolean isBroken() {
    return workers().stream().anyMatch(worker -> worker.failure != null);
  }

  @Override
  public final void close() throws IOException {
    closed = true;
    try (Closer closer = Closer.create()) {
      workers().forEach(closer::register);
    }
  }

  /**
   * Whether the pace still holds. In the end all have to come to the same number, whatever the pace
   * is.
   */
  final boolean isPaced() {
    return !stopping && !closed;
  }

  final long end() {
    return end;
  }

  /** One of them, with the thread that sends for it. */
  abstract class Worker implements Closeable {
    private final List<Closeable> connections;
    private final byte[] block;
    Thread thread = new Thread(this::run, "load");
    volatile @Nullable IOException failure;

    /** How far it has come, in its own count. Written by its own thread alone. */
    volatile long next;

    /**
     * @param connections closed in the end
     * @param most messages at once
     */
    Worker(List<? extends Closeable> connections, int most, long next) {
      this.connections = List.copyOf(connections);
      this.block = new byte[most * (before.length + lines.length() + 1)];
      this.next = next;
    }

    /** Sends some, or waits for a moment. */
    abstract void runOnce() throws IOException, InterruptedException;

    /** When it has nothing more to send for now. */
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
      } catch (InterruptedException e) {
        failure = new IOException("closed before all was confirmed", e);
      }
    }

    final byte[] block() {
      return block;
    }

    /** Writes messages with these numbers into the block, and returns how many bytes they are. */
    final int fill(long first, long limit) {
      int length = 0;
      for (long serial = first; serial < limit; serial++) {
        System.arraycopy(before, 0, block, length, before.length);
        length = lines.write(serial, block, length + before.length);
        block[length++] = '\n';
      }
      return length;
    }

    /** Where it is still writing, the receiver's end will end it: to close would be to wait. */
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
