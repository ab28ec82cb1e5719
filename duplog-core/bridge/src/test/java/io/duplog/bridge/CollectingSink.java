package io.duplog.bridge;

import io.duplog.deliver.DeliveryRequest;
import io.duplog.deliver.Sink;
import io.duplog.observe.EventCounts;
import io.duplog.wire.MessageBatch;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A sink for tests that records every delivered message, and accepts it at once unless the test
 * tells it not to.
 */
public final class CollectingSink implements Sink {
  private final List<String> messages = new ArrayList<>();
  private final Map<String, Long> receivedMillis = new TreeMap<>();
  private final List<DeliveryRequest> unaccepted = new ArrayList<>();
  private final Set<String> uncompared = new HashSet<>();
  private int bypassed;
  private boolean accepting = true;
  private boolean available = true;
  private boolean struggling;

  /** Accepts nothing from now on. */
  public synchronized void refuse() {
    accepting = false;
  }

  /**
   * Accepts nothing from now on.
   *
   * @param seemsAvailable whether the sink still claims to be available, and only reports that it
   *     accepts nothing
   */
  synchronized void acceptNothing(boolean seemsAvailable) {
    accepting = false;
    available = seemsAvailable;
    struggling = seemsAvailable;
  }

  @Override
  public synchronized boolean acceptsNothing() {
    return struggling;
  }

  @Override
  public synchronized boolean isAvailable() {
    return available;
  }

  @Override
  public void withdraw() {
    List<DeliveryRequest> waiting;
    synchronized (this) {
      waiting = taken();
      available &= !struggling; // it rests
      struggling = false;
    }
    waiting.forEach(delivery -> delivery.callback().withdrawn());
  }

  private synchronized List<DeliveryRequest> taken() {
    List<DeliveryRequest> waiting = List.copyOf(unaccepted);
    unaccepted.clear();
    return waiting;
  }

  /**
   * Refuses all waiting messages permanently: they go to the dead-letter queue, and are settled
   * then.
   */
  public void refuseForGood(String reason) {
    for (DeliveryRequest delivery : taken()) {
      AtomicInteger left = new AtomicInteger(delivery.chosen().cardinality());
      delivery.chosen().stream()
          .forEach(
              i ->
                  delivery
                      .callback()
                      .refused(
                          i,
                          null,
                          reason,
                          () -> {
                            if (left.decrementAndGet() == 0) {
                              delivery.callback().accepted();
                            }
                          }));
    }
  }

  /** Accepts everything that waits, and what comes from now on. */
  public void accept() {
    List<DeliveryRequest> waiting;
    synchronized (this) {
      accepting = true;
      available = true;
      struggling = false;
      waiting = taken();
      waiting.forEach(this::remember);
    }
    waiting.forEach(delivery -> delivery.callback().accepted());
  }

  @Override
  public void deliver(DeliveryRequest delivery) {
    synchronized (this) {
      if (!accepting) {
        unaccepted.add(delivery);
        return;
      }
      remember(delivery);
    }
    delivery.callback().accepted();
  }

  private void remember(DeliveryRequest delivery) {
    MessageBatch batch = delivery.batch();
    delivery.chosen().stream()
        .forEach(
            i -> {
              String message =
                  new String(
                      batch.data(),
                      batch.textStart(i),
                      batch.end(i) - batch.textStart(i),
                      StandardCharsets.ISO_8859_1);
              messages.add(message);
              receivedMillis.put(message, delivery.receivedMillis());
              if (delivery.passage() != DeliveryRequest.Passage.KEPT) {
                uncompared.add(message);
              }
            });
    bypassed +=
        delivery.passage() == DeliveryRequest.Passage.BYPASSED
            ? delivery.chosen().cardinality()
            : 0;
  }

  @Override
  public synchronized Map<EventCounts.Source, Long> accepted() {
    return Map.of(EventCounts.Source.of("syslog", ""), (long) messages.size());
  }

  public synchronized int count() {
    return messages.size();
  }

  public synchronized int waiting() {
    return unaccepted.size();
  }

  synchronized int bypassed() {
    return bypassed;
  }

  /**
   * Whether any copy of the message came without Redis having seen it, or was dropped and released.
   */
  synchronized boolean wasUncompared(String message) {
    return uncompared.contains(message);
  }

  /** Returns how often each message arrived. */
  public synchronized Map<String, Integer> counts() {
    Map<String, Integer> counts = new TreeMap<>();
    messages.forEach(message -> counts.merge(message, 1, Integer::sum));
    return counts;
  }

  /** Returns each accepted message's time of receipt, as its delivery request states it. */
  public synchronized Map<String, Long> receivedMillis() {
    return new TreeMap<>(receivedMillis);
  }

  @Override
  public void close() {}
}
