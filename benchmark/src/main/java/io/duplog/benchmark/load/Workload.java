package io.duplog.benchmark.load;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends numbered messages to every stream, over one connection a stream or several, with a thread
 * each. Any thread may ask how far it is.
 */
public final class Workload extends ThreadedSenders {
  /** Messages with consecutive numbers that take the same connection. */
  private static final int BLOCK = 64;

  private static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final Pace pace;
  private final int copies;
  private final List<Lane> lanes = new ArrayList<>();

  /**
   * @param before what stands before each message
   * @param connections of each stream; a stream's messages are spread over its own, each of them
   *     closed in the end
   */
  public Workload(
      NumberedLines lines, byte[] before, Pace pace, List<List<OutputStream>> connections) {
    super(lines, before, pace);
    this.pace = pace;
    this.copies = connections.size();
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

  @Override
  public int copies() {
    return copies;
  }

  /** See {@link Pace#dueNanos}. */
  @Override
  public long dueNanos(long serial) {
    return pace.dueNanos(serial);
  }

  /** One connection. No message below its {@code next} is left for it. */
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
      long limit = Math.min(blockEnd, isPaced() ? pace.allowed(sent()) : end());
      if (limit <= first) {
        flush();
        LockSupport.parkNanos(WAIT_NANOS);
        return;
      }
      output.write(block(), 0, fill(first, limit));
      next = limit == blockEnd ? blockEnd + (long) BLOCK * (lanesOfStream - 1) : limit;
    }

    @Override
    void flush() throws IOException {
      output.flush();
    }
  }
}
