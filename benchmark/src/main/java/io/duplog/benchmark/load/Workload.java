package io.duplog.benchmark.load;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends numbered messages to every stream over one or more connections, each with a thread of its
 * own. Any thread may call {@link #sent}.
 */
public final class Workload extends Senders {
  /** Number of consecutive messages that are sent over the same connection. */
  private static final int BLOCK = 64;

  private static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final List<Lane> lanes = new ArrayList<>();

  /**
   * Starts no thread yet.
   *
   * @param before prefix of each message
   * @param connections connections of each stream, over which its messages are spread; closed by
   *     {@link #close}
   */
  public Workload(
      NumberedLines lines, String before, Pace pace, List<List<OutputStream>> connections) {
    super(lines, before, pace, connections.size());
    for (List<OutputStream> stream : connections) {
      for (int i = 0; i < stream.size(); i++) {
        lanes.add(new Lane(stream.get(i), i, stream.size()));
      }
    }
  }

  @Override
  List<Lane> workers() {
    return lanes;
  }

  @Override
  public long sent() {
    long least = Long.MAX_VALUE;
    for (Lane lane : lanes) {
      least = Math.min(least, lane.next);
    }
    return least;
  }

  /** Returns the due time of a message according to {@link Pace#dueNanos}. */
  @Override
  public long dueNanos(long serial) {
    return pace.dueNanos(serial);
  }

  /**
   * One connection with its thread, which has sent all its messages with numbers below {@code
   * next}.
   */
  final class Lane extends Worker {
    private final OutputStream output;
    private final int lanesOfStream;

    Lane(OutputStream output, int index, int lanesOfStream) {
      super(List.of(output), BLOCK, (long) BLOCK * index);
      this.output = output;
      this.lanesOfStream = lanesOfStream;
    }

    @Override
    void runOnce() throws IOException {
      long first = next;
      long blockEnd = first - first % BLOCK + BLOCK;
      long limit = Math.min(blockEnd, isPaced() ? pace.allowed(sent()) : end);
      if (limit <= first) {
        flush();
        LockSupport.parkNanos(WAIT_NANOS);
        return;
      }
      output.write(block, 0, fill(first, limit));
      next = limit == blockEnd ? blockEnd + (long) BLOCK * (lanesOfStream - 1) : limit;
    }

    @Override
    void flush() throws IOException {
      output.flush();
    }
  }
}
