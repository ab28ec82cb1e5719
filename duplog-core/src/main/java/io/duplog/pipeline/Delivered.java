package io.duplog.pipeline;

import io.duplog.deliver.DeliveryRequest;
import io.duplog.observe.StreamCounters;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** Counts and times what the sink makes of a delivery request, and tells the bridge. */
public final class Delivered implements DeliveryRequest.Callback {

  /** Who goes on with the batch. */
  public interface Next {
    void accepted(InFlightBatch inFlight);

    void withdrawn(InFlightBatch inFlight);

    void refused(InFlightBatch inFlight, int message, String reason, Runnable kept);
  }

  private final InFlightBatch inFlight;
  private final DeliveryRequest.Passage passage;
  private final int count;
  private final StreamCounters counts;
  private final Timings timings;
  private final Next next;
  private final long sinceNanos = System.nanoTime();
  private final AtomicInteger refused = new AtomicInteger();

  /**
   * @param count how many copies the delivery request holds
   * @param counts of the stream that they came on
   */
  public Delivered(
      InFlightBatch inFlight,
      DeliveryRequest.Passage passage,
      int count,
      StreamCounters counts,
      Timings timings,
      Next next) {
    this.inFlight = inFlight;
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
    long delayMillis = System.currentTimeMillis() - inFlight.receivedMillis();
    timings.delay().accept(TimeUnit.MILLISECONDS.toNanos(delayMillis));
    next.accepted(inFlight);
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
    next.withdrawn(inFlight);
  }

  @Override
  public void refused(int message, String reason, Runnable kept) {
    refused.incrementAndGet();
    next.refused(inFlight, message, reason, kept);
  }
}
