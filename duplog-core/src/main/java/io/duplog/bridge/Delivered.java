package io.duplog.bridge;

import io.duplog.deliver.Parcel;
import io.duplog.observe.StreamCounters;
import io.duplog.settle.Holding;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** Counts and times what the sink makes of a parcel, and tells the bridge. */
final class Delivered implements Parcel.Outcome {

  /** Who goes on with the batch. */
  interface Next {
    void accepted(Holding holding);

    void withdrawn(Holding holding);

    void refused(Holding holding, int message, String reason, Runnable kept);
  }

  private final Holding holding;
  private final Parcel.Passage passage;
  private final int count;
  private final StreamCounters counts;
  private final Timings timings;
  private final Next next;
  private final long sinceNanos = System.nanoTime();
  private final AtomicInteger refused = new AtomicInteger();

  /**
   * @param count how many copies the parcel holds
   * @param counts of the stream that they came on
   */
  Delivered(
      Holding holding,
      Parcel.Passage passage,
      int count,
      StreamCounters counts,
      Timings timings,
      Next next) {
    this.holding = holding;
    this.passage = passage;
    this.count = count;
    this.counts = counts;
    this.timings = timings;
    this.next = next;
  }

  @Override
  public void accepted() {
    counts.refused.add(refused.get());
    delivered().add(count - refused.get());
    timings.sink().accept(System.nanoTime() - sinceNanos);
    long delayMillis = System.currentTimeMillis() - holding.receivedMillis();
    timings.delay().accept(TimeUnit.MILLISECONDS.toNanos(delayMillis));
    next.accepted(holding);
  }

  private LongAdder delivered() {
    return switch (passage) {
      case KEPT -> counts.kept;
      case BYPASSED -> counts.bypassed;
      case RELEASED -> counts.released;
      case OBSERVED -> counts.observed;
    };
  }

  @Override
  public void withdrawn() {
    next.withdrawn(holding);
  }

  @Override
  public void refused(int message, String reason, Runnable kept) {
    refused.incrementAndGet();
    next.refused(holding, message, reason, kept);
  }
}
