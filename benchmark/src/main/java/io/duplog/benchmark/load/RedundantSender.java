package io.duplog.benchmark.load;

import java.io.IOException;
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
     * @param serial the message's number
     * @throws IOException if the copy can't be sent
     */
    void send(int stream, long serial, byte[] message) throws IOException;
  }

  private final LoadPlan plan;
  private final Outlet outlet;
  private final LongSupplier nanoClock;
  private final long startNanos;

  private final SplittableRandom random;
  private final SyslogText syslog;
  private final Repeats repeats;

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
    this.random = new SplittableRandom(plan.seed());
    this.syslog =
        new SyslogText(ZoneId.systemDefault(), plan.rate(), plan.seed(), wallClock.millis());
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

  /** Sends a repetition that is due, or else the message that has the slot's number. */
  private void send(long slot) throws IOException {
    Repeats.Repeat repeat = repeats.due(slot);
    if (repeat != null) {
      send(repeat.serial(), repeat.sparedStream());
      return;
    }
    int sparedStream = random.nextInt(plan.streams());
    if (random.nextDouble() * 100 < plan.repeatPercent()) {
      repeats.repeat(slot, sparedStream);
    }
    send(slot, sparedStream);
  }

  private void send(long serial, int sparedStream) throws IOException {
    byte[] message = syslog.message(serial);
    boolean withheld = random.nextDouble() * 100 < plan.lossPercent() * plan.streams();
    for (int stream = 0; stream < plan.streams(); stream++) {
      if (!withheld || stream != sparedStream) {
        outlet.send(stream, serial, message);
        copies.incrementAndGet();
      }
    }
  }

  /** Returns the messages, of which each has the number of the slot in which it is sent first. */
  public Messages texts() {
    return syslog;
  }

  /**
   * Sends one more message to one receiver. To be called after {@link #run} has ended.
   *
   * @param direct carries the copy in place of the usual transport
   */
  public void sendLast(int stream, Outlet direct) throws IOException {
    long serial = messages;
    messages = serial + 1;
    direct.send(stream, serial, syslog.message(serial));
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
