package io.duplog.observe;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/**
 * What became of the copies that came on one stream since the bridge started; in copies, unless
 * said otherwise. Every received copy ends in exactly one {@link End}; what has not ended is in
 * flight. Safe for any thread.
 */
public final class StreamCounters {
  private final String stream;

  /** Complete since the constructor, so that any thread may read it. */
  private final Map<End, LongAdder> ends = new EnumMap<>(End.class);

  public final LongAdder receivedBatches = new LongAdder();
  public final LongAdder received = new LongAdder();

  /** Of those received: older than the window, so that nothing could be left to match them with. */
  public final LongAdder late = new LongAdder();

  /** Of those received: in batches that say that they are of another stream. */
  public final LongAdder misnamed = new LongAdder();

  /** Heartbeats of the shim, which are no messages. */
  public final LongAdder heartbeats = new LongAdder();

  /** Bodies that call themselves heartbeats and are none; they are ignored. */
  public final LongAdder strangeHeartbeats = new LongAdder();

  StreamCounters(String stream) {
    this.stream = stream;
    for (End end : End.values()) {
      ends.put(end, new LongAdder());
    }
  }

  /** The configured name. */
  public String stream() {
    return stream;
  }

  /** Counts copies that ended so. */
  public void add(End end, long copies) {
    count(end).add(copies);
  }

  /** How many copies ended so. */
  public long sum(End end) {
    return count(end).sum();
  }

  private LongAdder count(End end) {
    return Objects.requireNonNull(ends.get(end));
  }

  /** How many copies the sink accepted. */
  public long delivered() {
    return Stream.of(End.values()).filter(End::isDelivered).mapToLong(this::sum).sum();
  }

  /**
   * What was received less all that ended: exact while nothing moves. Once everything is settled,
   * all but 0 is a defect.
   */
  public long open() {
    // The ends are read first, so that what ends meanwhile does not seem never to have come.
    long ended = ends.values().stream().mapToLong(LongAdder::sum).sum();
    return received.sum() - ended;
  }

  /** The same for whoever looks while something moves: about right, and never negative. */
  public long inFlight() {
    return Math.max(0, open());
  }
}
