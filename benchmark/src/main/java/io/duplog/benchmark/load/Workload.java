package io.duplog.benchmark.load;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends numbered messages to every stream over several connections at a given pace. Any thread may
 * call {@link #sent}.
 */
public final class Workload extends Senders {
  /** Number of consecutive messages that are sent over the same connection. */
  private static final int BLOCK_MESSAGES = 64;

  private static final long PACE_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final List<ConnectionWorker> connectionWorkers = new ArrayList<>();

  /**
   * Creates the connections' workers. Starts no thread.
   *
   * @param prefix prefix of each message
   * @param connections connections of each stream, which share its messages; closed by {@link
   *     #close}
   */
  public Workload(
      NumberedLines lines, String prefix, Pace pace, List<List<OutputStream>> connections) {
    super(lines, prefix, pace, connections.size());
    for (List<OutputStream> stream : connections) {
      for (int i = 0; i < stream.size(); i++) {
        connectionWorkers.add(new ConnectionWorker(stream.get(i), i, stream.size()));
      }
    }
  }

  @Override
  List<ConnectionWorker> workers() {
    return connectionWorkers;
  }

  @Override
  public long sent() {
    long minSent = Long.MAX_VALUE;
    for (ConnectionWorker worker : connectionWorkers) {
      minSent = Math.min(minSent, worker.next);
    }
    return minSent;
  }

  /** Returns the due time of a message according to {@link Pace#dueNanos}. */
  @Override
  public long dueNanos(long serial) {
    return pace.dueNanos(serial);
  }

  /**
   * A connection with its thread. The worker has sent all its messages with numbers below {@code
   * next}.
   */
  final class ConnectionWorker extends Worker {
    private final OutputStream output;
    private final int connectionsOfStream;

    ConnectionWorker(OutputStream output, int index, int connectionsOfStream) {
      super(List.of(output), BLOCK_MESSAGES, (long) BLOCK_MESSAGES * index);
      this.output = output;
      this.connectionsOfStream = connectionsOfStream;
    }

    @Override
    void runOnce() throws IOException {
      long first = next;
      long blockEnd = first - first % BLOCK_MESSAGES + BLOCK_MESSAGES;
      long limit = Math.min(blockEnd, isPaced() ? pace.allowed(sent()) : end);
      if (limit <= first) {
        flush();
        LockSupport.parkNanos(PACE_POLL_NANOS);
        return;
      }
      output.write(block, 0, fill(first, limit));
      next =
          limit == blockEnd ? blockEnd + (long) BLOCK_MESSAGES * (connectionsOfStream - 1) : limit;
    }

    @Override
    void flush() throws IOException {
      output.flush();
    }
  }
}
