package io.duplog.deliver.tap;

import io.duplog.deliver.DeliveryRequest;
import io.duplog.observe.LineFeed;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** All taps of a bridge. Safe for any thread. */
public final class Taps {
  private final Supplier<TappedMessage> messages;
  private final LongSupplier nanoClock;
  private final List<Tap> taps = new CopyOnWriteArrayList<>();

  /**
   * @param messages what a tap looks at messages with, one for each tap
   * @param nanoClock {@code System::nanoTime}, or a test's
   */
  public Taps(Supplier<TappedMessage> messages, LongSupplier nanoClock) {
    this.messages = messages;
    this.nanoClock = nanoClock;
  }

  /** Shows what is about to go to the sink. Where nobody watches it reads a volatile, no more. */
  public void offer(DeliveryRequest delivery) {
    if (!taps.isEmpty()) {
      taps.forEach(tap -> tap.offer(delivery));
    }
  }

  /**
   * Begins to watch, until the feed is closed.
   *
   * @param words {@code sender}, {@code sourcetype}, {@code sample}, or none
   * @throws IllegalArgumentException that says, in a line for who asks, what is wrong with them
   */
  public LineFeed open(Map<String, String> words) {
    TapQuery query = TapQuery.of(words);
    TappedMessage message = messages.get();
    if (query.sourcetype() != null && !message.routed) {
      throw new IllegalArgumentException(
          "sourcetype is for bridges whose sink.type is hec: this one's gives messages none");
    }
    Tap tap = new Tap(query, message, nanoClock, taps::remove);
    taps.add(tap);
    return tap;
  }
}
