package io.duplog.benchmark.load;

import com.google.common.io.Closer;
import com.google.common.util.concurrent.Uninterruptibles;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Sends numbered messages to every stream, over one connection a stream or several, with a thread
 * each. Any thread may ask how far it is.
 */
public final class Workload implements Senders {
  /** Messages with consecutive numbers that take the same connection. */
  private static final int BLOCK = 64;

  private static final long WAIT_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
  private static final Duration ENDS_WITHIN = Duration.ofMillis(200);

  private final NumberedLines lines;
  private final byte[] before;
  private final Pace pace;
  private final int copies;
  private final List<Lane> lanes = new ArrayList<>();
  private volatile boolean stopping;
  private volatile boolean closed;

  /** Once all have stopped: where the one that is furthest did. */
  private volatile long end;

  /**
   * @param before what stands before each message
   * @param connections of each stream; a stream's messages are spread over its own, each of them
   *     closed in the end
   */
  public Workload(
      NumberedLines lines, byte[] before, Pace pace, List<List<OutputStream>> connections) {
    this.lines = lines;
    this.before = before.clone();
    this.pace = pace;
    this.copies = connections.size();
    for (List<OutputStream> stream : connections) {
      for (int i = 0; i < stream.size(); i++) {
        lanes.add(new Lane(stream.get(i), i, stream.size()));
      }
    }
  }

  @Override
  public void start() {
    pace.begin();
    lanes.forEach(Lane::begin);
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
  public long stop() throws IOException, InterruptedException {
    stopping = true;
    join();
    for (Lane lane : lanes) {
      end = Math.max(end, lane.next);
    }
    lanes.forEach(Lane::begin);
    join();
    return end;
  }

  private void join() throws IOException, InterruptedException {
    for (Lane lane : lanes) {
      lane.thread.join();
      IOException failure = lane.failure;
      if (failure != null) {
        throw new IOException("a connection broke: " + failure.getMessage(), failure);
      }
    }
  }

  @Override
  public boolean isBroken() {
    return lanes.stream().anyMatch(lane -> lane.failure != null);
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

  @Override
  public void close() throws IOException {
    closed = true;
    try (Closer closer = Closer.create()) {
      lanes.forEach(lane -> closer.register(lane::close));
    }
  }

  /** One connection. */
  private final class Lane {
    private final OutputStream output;
    private final int lanesOfStream;
    private final byte[] block = new byte[BLOCK * (before.length + lines.length() + 1)];
    private Thread thread = new Thread(this::run, "load");

    /** No message below this number is left for this connection. */
    private volatile long next;

    private volatile @Nullable IOException failure;

    Lane(OutputStream output, int index, int lanesOfStream) {
      this.output = output;
      this.lanesOfStream = lanesOfStream;
      this.next = (long) BLOCK * index;
    }

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
        output.flush();
      } catch (IOException e) {
        failure = e;
      }
    }

    /** Where it is still writing, the receiver's end will end it: to close would be to wait. */
    void close() throws IOException {
      Uninterruptibles.joinUninterruptibly(thread, ENDS_WITHIN);
      if (!thread.isAlive()) {
        output.close();
      }
    }

    private void runOnce() throws IOException {
      long first = next;
      long blockEnd = first - first % BLOCK + BLOCK;
      long limit = Math.min(blockEnd, stopping ? end : pace.allowed(sent()));
      if (limit <= first) {
        output.flush();
        LockSupport.parkNanos(WAIT_NANOS);
        return;
      }
      send(first, limit);
      next = limit == blockEnd ? blockEnd + (long) BLOCK * (lanesOfStream - 1) : limit;
    }

    private void send(long first, long limit) throws IOException {
      int length = 0;
      for (long serial = first; serial < limit; serial++) {
        System.arraycopy(before, 0, block, length, before.length);
        length = lines.write(serial, block, length + before.length);
        block[length++] = '\n';
      }
      output.write(block, 0, length);
    }
  }
}
