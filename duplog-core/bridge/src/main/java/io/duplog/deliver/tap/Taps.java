package io.duplog.deliver.tap;

import io.duplog.deliver.DeliveryRequest;
import io.duplog.observe.LineFeed;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Manages the readers that currently watch the messages that a bridge delivers. Thread-safe. */
public final class Taps {
  private final Function<@Nullable String, TappedMessage> messages;
  private final LongSupplier nanoClock;
  private final List<Tap> taps = new CopyOnWriteArrayList<>();

  /**
   * @param messages creates the {@link TappedMessage} of each tap, for the sink with the given
   *     name, or for the first sink if the name is null. Throws {@link IllegalArgumentException}
   *     with a line for the reader if there is no such sink.
   * @param nanoClock {@code System::nanoTime}, or a test's clock
   */
  public Taps(Function<@Nullable String, TappedMessage> messages, LongSupplier nanoClock) {
    this.messages = messages;
    this.nanoClock = nanoClock;
  }

  /**
   * Shows a delivery request that is about to go to the sink. If there is no tap, this only reads a
   * volatile field.
   */
  public void offer(DeliveryRequest delivery) {
    if (!taps.isEmpty()) {
      taps.forEach(tap -> tap.offer(delivery));
    }
  }

  /**
   * Opens a tap, which lasts until its feed is closed.
   *
   * @param words the conditions, if any, by name: {@code sender}, {@code sourcetype}, {@code
   *     sample} or {@code sink}
   * @throws IllegalArgumentException if a condition is wrong; the message is a line for the reader
   *     of the tap
   */
  public LineFeed open(Map<String, String> words) {
    TapQuery query = TapQuery.of(words);
    TappedMessage message = messages.apply(words.get("sink"));
    if (query.sourcetype() != null && !message.routed) {
      throw new IllegalArgumentException(
          "sourcetype is for sinks of type hec: this one gives messages none");
    }
    Tap tap = new Tap(query, message, nanoClock, taps::remove);
    taps.add(tap);
    return tap;
  }
}
