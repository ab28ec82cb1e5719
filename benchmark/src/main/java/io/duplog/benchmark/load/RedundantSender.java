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
 * Sends every message to each of several receivers, as hosts do that log to two servers, and
 * withholds some of the copies.
 *
 * <p>An open loop: message n is due at a fixed time after the start, whatever became of those
 * before it, so a slow receiver can't slow the load down. {@link #run} belongs to one thread; the
 * counters may be read by any.
 */
public final class RedundantSender {
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Two copies of a repeated message are up to a twentieth of a second apart. */
  private static final int GAPS_A_SECOND = 20;

  /** Where messages leave the sender. */
  @FunctionalInterface
  public interface Outlet {
    /**
     * Sends one copy.
     *
     * @param stream which of the receivers, from 0
     * @param bytes holds the message in its first {@code length} bytes; not to be changed
     * @throws IOException if it did not leave
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

  /** A sender whose time begins now. */
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
   * @throws IOException if a message can't leave
   */
  public void run() throws IOException {
    while (!stopped && runOnce()) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /**
   * Runs in a thread of its own. The future ends with that, and fails where a message can't leave.
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

  /** Sends all that is due, and returns whether there is more to come. */
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

  /** Ends {@link #run} soon. */
  public void stop() {
    stopped = true;
  }

  /** Unique messages sent so far. */
  public long messages() {
    return messages;
  }

  /** Copies sent so far, to all receivers together. */
  public long copies() {
    return copies.get();
  }

  /** The longest that a message left after its time: how far to trust this machine. */
  public long mostBehindNanos() {
    return mostBehindNanos;
  }
}
