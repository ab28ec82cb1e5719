package io.duplog.simulate;

import io.duplog.deliver.DeliveryRequest;
import io.duplog.deliver.Sink;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * A second required sink of a simulated bridge. It accepts each request after a while of its own,
 * so that bridges die, and give back, between the acceptances of the two sinks.
 */
final class SecondSink implements Sink {
  private static final long USUAL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(2);

  private record Waiting(DeliveryRequest request, long dueNanos) {}

  private final SimulatedBridge bridge;
  private final Random random;
  private final Actor writer;
  private final List<Waiting> waiting = new ArrayList<>();

  SecondSink(SimulatedBridge bridge, Random random) {
    this.bridge = bridge;
    this.random = random;
    this.writer = new Actor(bridge, "second-sink", this::write);
  }

  @Override
  public void deliver(DeliveryRequest delivery) {
    boolean isSlow = random.nextInt(5) == 0;
    waiting.add(new Waiting(delivery, now() + random.nextLong(isSlow ? LONG_NANOS : USUAL_NANOS)));
    writer.wake();
  }

  private long now() {
    return bridge.world.timeline.nanos();
  }

  private long write() {
    List<Waiting> due = waiting.stream().filter(each -> each.dueNanos() <= now()).toList();
    waiting.removeAll(due);
    for (Waiting each : due) {
      bridge.world.arrivals.written(bridge, each.request());
      each.request().callback().accepted();
    }
    if (!due.isEmpty()) {
      bridge.wakeSettling();
    }
    return waiting.stream()
        .map(Waiting::dueNanos)
        .min(Comparator.naturalOrder())
        .map(next -> Math.max(1, next - now()))
        .orElse(Actor.NEVER);
  }

  @Override
  public boolean isAvailable() {
    return true;
  }

  @Override
  public void withdraw() {
    List<Waiting> all = List.copyOf(waiting);
    waiting.clear();
    all.forEach(each -> each.request().callback().withdrawn());
  }

  @Override
  public void close() {}
}
