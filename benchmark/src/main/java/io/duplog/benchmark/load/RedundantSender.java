package io.duplog.benchmark.load;

import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.SplittableRandom;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends every message to several receivers, like hosts that log to two servers, and withholds some
 * of the copies.
 *
 * <p>The sender is an open loop: message n is due at a fixed time after the start, so a slow
 * receiver can't reduce the load. One thread calls {@link #run}; any thread may read the counters.
 */
public final class RedundantSender {
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

  /**
   * Number of longest gaps in a second: two copies of a repeated message are at most 1/20 s apart.
   */
  private static final int GAPS_A_SECOND = 20;

  /** Transport that carries copies of messages to the receivers, such as UDP. */
  @FunctionalInterface
  public interface Outlet {
    /**
     * Sends one copy of a message.
     *
     * @param stream index of the receiver, from 0
     * @param bytes buffer with the message in its first {@code length} bytes; must not be changed
     * @throws IOException if the copy can't be sent
     */
    void send(int stream, byte[] bytes, int length) throws IOException;
  }

  private final LoadPlan plan;
  private final Outlet outlet;
  private final LongSupplier nanoClock;
  private final long startNanos;
  private final long startMillis;

  private final SplittableRandom random;
  private final SyslogText syslog;
  private final Repeats repeats;
  private long serial;

  private volatile long messages;
  private final AtomicLong copies = new AtomicLong();
  private volatile long mostBehindNanos;
  private volatile boolean stopped;

  /** Creates a sender whose schedule starts now. */
  public RedundantSender(LoadPlan plan, Outlet outlet) {
    this(plan, outlet, System::nanoTime, InstantSource.system());
  }

  RedundantSender(LoadPlan plan, Outlet outlet, LongSupplier nanoClock, InstantSource wallClock) {
    this.plan = plan;
    this.outlet = outlet;
    this.nanoClock = nanoClock;
    this.startNanos = nanoClock.getAsLong();
    this.startMillis = wallClock.millis();
    this.random = new SplittableRandom(plan.seed());
    this.syslog = new SyslogText(ZoneId.systemDefault(), random.split());
    this.repeats = new Repeats(plan.rate() / GAPS_A_SECOND, random.split());
  }

  /**
   * Sends until the plan is fulfilled or {@link #stop} is called.
   *
   * @throws IOException if a copy can't be sent
   */
  public void run() throws IOException {
    while (!stopped && runOnce()) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /**
   * Calls {@link #run} in a thread of its own, and returns a future that ends, or fails, with that
   * call.
   */
  public Future<?> start() {
    FutureTask<@Nullable Void> sending =
        new FutureTask<>(
            () -> {
              run();
              return null;
            });
    Thread thread = new Thread(sending, "sender");
    thread.setDaemon(true);
    thread.start();
    return sending;
  }

  /** Sends all messages that are due now; returns whether the plan has more messages. */
  boolean runOnce() throws IOException {
    long elapsed = nanoClock.getAsLong() - startNanos;
    long due = Math.min(plan.messages(), dueBy(elapsed));
    long first = messages;
    if (first < due) {
      mostBehindNanos = Math.max(mostBehindNanos, elapsed - first * SECOND_NANOS / plan.rate());
    }
    for (long slot = first; slot < due; slot++) {
      send(slot);
      messages = slot + 1;
    }
    return due < plan.messages();
  }

  private long dueBy(long elapsedNanos) {
    long seconds = elapsedNanos / SECOND_NANOS;
    long rest = elapsedNanos % SECOND_NANOS;
    return seconds * plan.rate() + rest * plan.rate() / SECOND_NANOS;
  }

  private void send(long slot) throws IOException {
    Repeats.Repeat repeat = repeats.due(slot);
    if (repeat != null) {
      send(repeat.text(), repeat.sparedStream());
      return;
    }
    byte[] text =
        syslog.message(serial++, Instant.ofEpochMilli(startMillis + slot * 1000 / plan.rate()));
    int sparedStream = random.nextInt(plan.streams());
    if (random.nextDouble() * 100 < plan.repeatPercent()) {
      repeats.repeat(slot, text, sparedStream);
    }
    send(text, sparedStream);
  }

  private void send(byte[] message, int sparedStream) throws IOException {
    boolean withheld = random.nextDouble() * 100 < plan.lossPercent() * plan.streams();
    for (int stream = 0; stream < plan.streams(); stream++) {
      if (!withheld || stream != sparedStream) {
        outlet.send(stream, message, message.length);
        copies.incrementAndGet();
      }
    }
  }

  /** Makes {@link #run} return soon. */
  public void stop() {
    stopped = true;
  }

  /** Returns the number of messages sent so far; all copies of a message count as one. */
  public long messages() {
    return messages;
  }

  /** Returns the number of copies sent so far, to all receivers together. */
  public long copies() {
    return copies.get();
  }

  /**
   * Returns the longest delay of a message behind its schedule, which shows how busy this machine
   * was.
   */
  public long mostBehindNanos() {
    return mostBehindNanos;
  }
}
