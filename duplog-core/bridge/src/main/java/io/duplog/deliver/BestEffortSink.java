package io.duplog.deliver;

import io.duplog.deliver.route.Routing;
import io.duplog.observe.EventCounts;
import io.duplog.observe.Trouble;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A sink that holds nobody up. Accepts every delivery request at once, and keeps the messages in a
 * bounded buffer until the real sink accepts them. Counts the messages that the buffer had no room
 * for.
 */
public final class BestEffortSink implements Sink {
  private static final Logger log = LoggerFactory.getLogger(BestEffortSink.class);
  private static final Duration MAX_DRAIN_TIME = Duration.ofSeconds(5);
  private static final Duration DRAIN_PAUSE = Duration.ofMillis(10);

  private final String name;
  private final Sink sink;
  private final long bufferBytes;
  private final Trouble trouble;
  private final LongSupplier nanoClock;
  private final AtomicLong bufferedBytes = new AtomicLong();
  private final AtomicLong bufferedMessages = new AtomicLong();
  private final LongAdder deliveredMessages = new LongAdder();
  private final LongAdder missedMessages = new LongAdder();

  /**
   * @param name the sink's name in the configuration
   * @param bufferBytes size of the buffer in bytes; an empty buffer accepts a batch of any size
   */
  public BestEffortSink(String name, Sink sink, long bufferBytes, SinkContext context) {
    this.name = name;
    this.sink = sink;
    this.bufferBytes = bufferBytes;
    this.trouble = context.trouble(log, "buffer of sink " + name);
    this.nanoClock = context.board().nanoClock();
  }

  /**
   * Returns the context for the real sink. If the real sink fails permanently, only that sink gets
   * nothing more. The bridge continues.
   */
  public static SinkContext contextOf(String name, SinkContext context) {
    Trouble trouble = context.trouble(log, "sink " + name);
    return new SinkContext(
        context.bridge(),
        context.subject(),
        context.isRequired(),
        cause ->
            trouble.occurred(
                "Sink "
                    + name
                    + " has failed: "
                    + cause
                    + " Messages will be missing there; the other sinks get them. Restart this"
                    + " bridge."),
        context.board());
  }

  @Override
  public void deliver(DeliveryRequest delivery) {
    int messages = delivery.chosen().cardinality();
    long bytes = delivery.retainedBytes();
    if (reserve(bytes)) {
      bufferedMessages.addAndGet(messages);
      sink.deliver(delivery.with(new Buffered(messages, bytes)));
    } else {
      missed(messages);
    }
    delivery.callback().accepted();
  }

  /** Takes room in the buffer. A batch that is larger than the buffer fits into an empty one. */
  private boolean reserve(long bytes) {
    while (true) {
      long held = bufferedBytes.get();
      if (held > 0 && held + bytes > bufferBytes) {
        return false;
      }
      if (bufferedBytes.compareAndSet(held, held + bytes)) {
        return true;
      }
    }
  }

  private void missed(int messages) {
    missedMessages.add(messages);
    trouble.occurred(
        "full",
        "Sink "
            + name
            + " does not keep up, and its buffer is full. Messages are missing there; the other"
            + " sinks get them. Check this sink, or set required: true if it must have all of them.");
  }

  /** The outcome of a delivery request that the real sink has. */
  private final class Buffered implements DeliveryRequest.Callback {
    private final int messages;
    private final long bytes;
    private final AtomicInteger refusedMessages = new AtomicInteger();

    Buffered(int messages, long bytes) {
      this.messages = messages;
      this.bytes = bytes;
    }

    @Override
    public void accepted() {
      deliveredMessages.add(messages - refusedMessages.get());
      leaveBuffer();
    }

    private void leaveBuffer() {
      bufferedMessages.addAndGet(-messages);
      if (bufferedBytes.addAndGet(-bytes) <= bufferBytes / 2) {
        trouble.recovered();
      }
    }

    @Override
    public void withdrawn() {
      missedMessages.add(messages - refusedMessages.get());
      leaveBuffer();
    }

    @Override
    public void refused(int message, @Nullable String sink, String reason, Runnable kept) {
      refusedMessages.incrementAndGet();
      missedMessages.increment();
      log.debug("Sink {} refused a message: {}", name, reason);
      kept.run();
    }
  }

  @Override
  public boolean isAvailable() {
    return true;
  }

  /** Whether the real sink is known to accept messages now. */
  boolean isRealSinkAvailable() {
    return sink.isAvailable();
  }

  /** Keeps the buffer, because the bridge has settled its messages already. */
  @Override
  public void withdraw() {}

  /** Returns the number of messages that the real sink has accepted since it was opened. */
  long delivered() {
    return deliveredMessages.sum();
  }

  @Override
  public long missed() {
    return missedMessages.sum();
  }

  @Override
  public int isolated() {
    return sink.isolated();
  }

  @Override
  public void watch() {
    sink.watch();
  }

  @Override
  public @Nullable Routing routing() {
    return sink.routing();
  }

  @Override
  public Map<String, LongSupplier> answers() {
    return sink.answers();
  }

  @Override
  public Map<EventCounts.Source, Long> accepted() {
    return sink.accepted();
  }

  @Override
  public @Nullable String reopen() {
    return sink.reopen();
  }

  /** Waits a few seconds for the buffer to become empty, if the real sink is available. */
  @Override
  public void close() throws IOException {
    long start = nanoClock.getAsLong();
    while (bufferedMessages.get() > 0
        && sink.isAvailable()
        && nanoClock.getAsLong() - start < MAX_DRAIN_TIME.toNanos()) {
      LockSupport.parkNanos(this, DRAIN_PAUSE.toNanos());
    }
    try {
      sink.close();
    } finally {
      long left = bufferedMessages.get();
      if (left > 0) {
        log.warn(
            "The bridge ends. {} messages in the buffer of sink {} are not delivered there.",
            left,
            name);
      }
    }
  }
}
