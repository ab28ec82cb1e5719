package io.duplog.observe;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/**
 * Counts of what became of the copies of one stream since the bridge started; in copies, unless
 * said otherwise. Every received copy ends in exactly one {@link End}; a copy that has not ended is
 * in flight. Safe for any thread.
 */
public final class StreamCounters {
  private final String stream;

  /**
   * Number of copies by end. The map is not changed after construction, so any thread may read it.
   */
  private final Map<End, LongAdder> ends = new EnumMap<>(End.class);

  public final LongAdder receivedBatches = new LongAdder();
  public final LongAdder received = new LongAdder();

  /**
   * Number of received copies that came more than a window after another stream had come as far, so
   * that they can't be matched.
   */
  public final LongAdder late = new LongAdder();

  /** Number of received copies in batches that name another stream. */
  public final LongAdder misnamed = new LongAdder();

  /** Number of received heartbeats of the shim, which do not count as messages. */
  public final LongAdder heartbeats = new LongAdder();

  /**
   * Number of received bodies that claim to be heartbeats but can't be decoded; they are ignored.
   */
  public final LongAdder strangeHeartbeats = new LongAdder();

  StreamCounters(String stream) {
    this.stream = stream;
    for (End end : End.values()) {
      ends.put(end, new LongAdder());
    }
  }

  /** Returns the stream's configured name. */
  public String stream() {
    return stream;
  }

  /** Adds to the number of copies that ended in the given way. */
  public void add(End end, long copies) {
    count(end).add(copies);
  }

  /** Returns how many copies ended in the given way. */
  public long sum(End end) {
    return count(end).sum();
  }

  private LongAdder count(End end) {
    return Objects.requireNonNull(ends.get(end));
  }

  /** Returns how many copies the sink has accepted. */
  public long delivered() {
    return Stream.of(End.values()).filter(End::isDelivered).mapToLong(this::sum).sum();
  }

  /**
   * Returns the number of received copies minus those that have ended, which is exact while nothing
   * moves. Once everything is settled, any value but 0 is a defect.
   */
  public long open() {
    // The ends are read first, so that a copy that ends meanwhile is not subtracted without being
    // counted as received.
    long ended = ends.values().stream().mapToLong(LongAdder::sum).sum();
    return received.sum() - ended;
  }

  /**
   * Returns the number of copies in flight, which is about right while something moves, and never
   * negative.
   */
  public long inFlight() {
    return Math.max(0, open());
  }
}
