package io.duplog.observe;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/**
 * Counts the received copies of one stream, and how many of them were delivered, dropped and so on.
 * Every received copy ends in exactly one {@link End}; until then it is in flight. Counts are
 * numbers of copies, unless stated otherwise. Thread-safe.
 */
public final class StreamCounters {
  private final String stream;

  /**
   * Counters of copies by end. Any thread may read the map, because it does not change after
   * construction.
   */
  private final Map<End, LongAdder> countersByEnd = new EnumMap<>(End.class);

  public final LongAdder receivedBatches = new LongAdder();
  public final LongAdder received = new LongAdder();

  /**
   * Number of received copies that arrived more than a window after another stream had reached the
   * same point. Such copies can no longer be matched.
   */
  public final LongAdder late = new LongAdder();

  /** Number of received copies in batches that contain the name of another stream. */
  public final LongAdder misnamed = new LongAdder();

  /** Number of received heartbeats of the shim, which do not count as messages. */
  public final LongAdder heartbeats = new LongAdder();

  /** Number of received heartbeats that can't be decoded; they are ignored. */
  public final LongAdder strangeHeartbeats = new LongAdder();

  StreamCounters(String stream) {
    this.stream = stream;
    for (End end : End.values()) {
      countersByEnd.put(end, new LongAdder());
    }
  }

  /** Returns the stream's configured name. */
  public String stream() {
    return stream;
  }

  /** Adds to the number of copies with the given end. */
  public void add(End end, long copies) {
    counter(end).add(copies);
  }

  /** Returns the number of copies with the given end. */
  public long sum(End end) {
    return counter(end).sum();
  }

  private LongAdder counter(End end) {
    return Objects.requireNonNull(countersByEnd.get(end));
  }

  /** Returns the number of copies that the sink has accepted. */
  public long delivered() {
    return Stream.of(End.values()).filter(End::isDelivered).mapToLong(this::sum).sum();
  }

  /**
   * Returns the number of received copies minus the number of ended copies. The result is exact
   * only while no copy is received or ends. Once all batches are settled, any value other than 0 is
   * a defect.
   */
  public long open() {
    // Reads the ends first. Otherwise a copy that is received and ends in between would be
    // subtracted without having been added.
    long ended = countersByEnd.values().stream().mapToLong(LongAdder::sum).sum();
    return received.sum() - ended;
  }

  /** Returns the approximate number of copies in flight, which is never negative. */
  public long inFlight() {
    return Math.max(0, open());
  }
}
