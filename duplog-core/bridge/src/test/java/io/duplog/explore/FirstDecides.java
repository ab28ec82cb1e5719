package io.duplog.explore;

import io.duplog.deliver.DeliveryRequest;
import io.duplog.deliver.Sink;
import io.duplog.deliver.WaitingSink;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A defective combination of two sinks, which reports the outcome of the first one, so that the
 * explorer can show that it would find this.
 */
record FirstDecides(List<WaitingSink> sinks) implements Sink {
  /** The outcome at the second sink, which nobody asks for. */
  private record Unasked(DeliveryRequest.Callback first) implements DeliveryRequest.Callback {
    @Override
    public void accepted() {}

    @Override
    public void withdrawn() {}

    @Override
    public void refused(int message, @Nullable String sink, String reason, Runnable kept) {}

    @Override
    public String toString() {
      return first.toString();
    }
  }

  @Override
  public void deliver(DeliveryRequest delivery) {
    sinks.get(0).deliver(delivery);
    sinks.get(1).deliver(delivery.with(new Unasked(delivery.callback())));
  }

  @Override
  public boolean isAvailable() {
    return true;
  }

  @Override
  public void withdraw() {
    sinks.forEach(WaitingSink::withdraw);
  }

  @Override
  public void close() {}
}
