package io.duplog.deliver.tap;

import io.duplog.deliver.DeliveryRequest;
import io.duplog.observe.Json;
import io.duplog.observe.JsonObject;
import io.duplog.observe.LineFeed;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Shows one reader, such as {@code duplog tap}, the messages that a bridge delivers to its sink. It
 * shows each as one JSON object on a line. Holds a few delivery requests with their batches.
 * Messages for which there is no room, or that exceed the limit of a second, are only counted. Not
 * thread-safe, except for {@link #offer}.
 */
final class Tap implements LineFeed {
  /** Limit of messages shown per second. */
  static final int MAX_A_SECOND = 100;

  /** Limit of JSON characters shown per second. */
  static final int BYTES_A_SECOND = 1 << 20;

  /** Limit of the delivery requests that wait to be shown. */
  static final int MAX_QUEUED = 64;

  /**
   * Limit of held batches in bytes, including the one being shown. Larger than the shim's largest
   * batch by default.
   */
  static final long MAX_QUEUED_BYTES = 2 << 20;

  /** Longest life of a tap in seconds. */
  static final long LONGEST_SECONDS = 900;

  private static final String END = "the tap has ended, after " + LONGEST_SECONDS + " s";
  private static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final TapQuery query;
  private final TappedMessage message;
  private final LongSupplier nanoClock;
  private final Consumer<Tap> closeListener;
  private final BlockingQueue<DeliveryRequest> queue = new ArrayBlockingQueue<>(MAX_QUEUED);
  private final AtomicLong queuedBytes = new AtomicLong();
  private final LongAdder notShown = new LongAdder();
  private final long startNanos;

  private long secondNanos;
  private int shownInSecond;
  private int bytesInSecond;
  private long matchingMessages;
  private boolean hasEnded;

  Tap(TapQuery query, TappedMessage message, LongSupplier nanoClock, Consumer<Tap> closeListener) {
    this.query = query;
    this.message = message;
    this.nanoClock = nanoClock;
    this.closeListener = closeListener;
    this.secondNanos = nanoClock.getAsLong();
    this.startNanos = secondNanos;
  }

  /**
   * Accepts a delivery request that is about to go to the sink and its rules, or counts its
   * messages if there is no room. Returns immediately. Thread-safe.
   */
  void offer(DeliveryRequest delivery) {
    long bytes = delivery.batch().retainedBytes();
    if (queuedBytes.addAndGet(bytes) > MAX_QUEUED_BYTES || !queue.offer(delivery)) {
      queuedBytes.addAndGet(-bytes);
      notShown.add(delivery.chosen().cardinality());
    }
  }

  @Override
  public @Nullable String next() throws InterruptedException {
    if (hasEnded) {
      return null;
    }
    StringBuilder lines = new StringBuilder();
    long begunNanos = nanoClock.getAsLong();
    DeliveryRequest delivery;
    do {
      delivery = queue.poll(WAIT_NANOS, TimeUnit.NANOSECONDS);
      beginSecond(lines);
      if (delivery != null && !hasEnded) {
        show(message.delivered(delivery), lines);
        queuedBytes.addAndGet(-delivery.batch().retainedBytes());
      }
    } while (delivery != null
        && lines.isEmpty()
        && nanoClock.getAsLong() - begunNanos < WAIT_NANOS);
    return lines.toString();
  }

  private void beginSecond(StringBuilder lines) {
    long now = nanoClock.getAsLong();
    hasEnded = now - startNanos >= LONGEST_SECONDS * SECOND_NANOS;
    if (hasEnded || now - secondNanos >= SECOND_NANOS) {
      secondNanos = now;
      shownInSecond = 0;
      bytesInSecond = 0;
      long unseen = notShown.sumThenReset();
      if (unseen > 0) {
        add(lines, Json.render(new JsonObject().put("notShown", unseen)));
      }
    }
    if (hasEnded) {
      add(lines, Json.render(new JsonObject().put("end", END)));
    }
  }

  private void show(DeliveryRequest delivery, StringBuilder lines) {
    int left = delivery.chosen().cardinality();
    for (int i = delivery.chosen().nextSetBit(0);
        i >= 0 && shownInSecond < MAX_A_SECOND && bytesInSecond < BYTES_A_SECOND;
        i = delivery.chosen().nextSetBit(i + 1)) {
      left--;
      message.read(delivery, i);
      if (query.matches(message) && query.takes(matchingMessages++)) {
        String json = message.json(delivery, i);
        add(lines, json);
        shownInSecond++;
        bytesInSecond += json.length();
      }
    }
    notShown.add(left);
  }

  private static void add(StringBuilder lines, String line) {
    lines.append(line).append('\n');
  }

  @Override
  public void close() {
    closeListener.accept(this);
  }
}
