package io.duplog.benchmark.load;

import java.io.Closeable;
import java.io.IOException;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Simulates a host that sends each syslog message to several receivers, and withholds some of the
 * copies at random.
 *
 * <p>The sender is an open loop: message n is due at a fixed time after the start, so a slow
 * receiver can't reduce the load. A message has the number of the slot in which it is first sent.
 * Any thread may read the counters.
 */
public class RedundantSender implements Load {
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  /**
   * Number of maximum gaps in a second: two copies of a repeated message are at most 1/20 s apart.
   */
  private static final int MAX_GAPS_PER_SECOND = 20;

  /** Transport that carries copies of messages to the receivers, such as UDP. */
  @FunctionalInterface
  public interface Outlet extends Closeable {
    /**
     * Sends one copy of a message.
     *
     * @param stream index of the receiver, from 0
     * @throws IOException if the copy can't be sent
     */
    void send(int stream, byte[] message) throws IOException;

    /**
     * Breaks the connection to a receiver, as a killed sender does. A transport that guarantees
     * delivery sends the affected messages again. Does nothing by default.
     */
    default void reset(int stream) throws IOException {}

    /** Closes the transport. Does nothing by default. */
    @Override
    default void close() throws IOException {}
  }

  private final LoadPlan plan;
  private final Outlet outlet;
  private final LongSupplier nanoClock;
  private final long startNanos;

  private final SplittableRandom random;
  private final SyslogText syslog;
  private final Repeats repeats;
  private final List<Tally> streamTallies;
  private final FutureTask<@Nullable Void> senderTask =
      new FutureTask<>(
          () -> {
            run();
            return null;
          });

  private volatile long messages;
  private final AtomicLong copies = new AtomicLong();
  private volatile long maxDelayNanos;
  private volatile boolean stopped;

  /**
   * Creates a sender whose schedule starts now.
   *
   * @param outlet transport of the copies; closed by {@link #close}
   */
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
    this.repeats = new Repeats(plan.rate() / MAX_GAPS_PER_SECOND, random.split());
    this.streamTallies = Stream.generate(Tally::new).limit(plan.streams()).toList();
  }

  private void run() throws IOException {
    while (!stopped && runOnce()) {
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  @Override
  public final void start() {
    Thread thread = new Thread(senderTask, "sender");
    thread.setDaemon(true);
    thread.start();
  }

  /** Sends all messages that are due now. Returns whether the plan has more messages. */
  boolean runOnce() throws IOException {
    long elapsed = nanoClock.getAsLong() - startNanos;
    long due = Math.min(plan.messages(), dueMessages(elapsed));
    long first = messages;
    if (first < due) {
      maxDelayNanos = Math.max(maxDelayNanos, elapsed - first * NANOS_PER_SECOND / plan.rate());
    }
    for (long slot = first; slot < due; slot++) {
      send(slot);
      messages = slot + 1;
    }
    return due < plan.messages();
  }

  private long dueMessages(long elapsedNanos) {
    long seconds = elapsedNanos / NANOS_PER_SECOND;
    long remainder = elapsedNanos % NANOS_PER_SECOND;
    return seconds * plan.rate() + remainder * plan.rate() / NANOS_PER_SECOND;
  }

  /** Sends a repetition that is due. If none is, sends the message with the slot's number. */
  private void send(long slot) throws IOException {
    Repeats.Repeat repeat = repeats.due(slot);
    if (repeat != null) {
      send(repeat.serial(), repeat.lossyStream());
      return;
    }
    int lossyStream = random.nextInt(plan.streams());
    if (random.nextDouble() * 100 < plan.repeatPercent()) {
      repeats.repeat(slot, lossyStream);
    }
    send(slot, lossyStream);
  }

  private void send(long serial, int lossyStream) throws IOException {
    byte[] message = syslog.message(serial);
    boolean withheld = random.nextDouble() * 100 < plan.lossPercent() * plan.streams();
    for (int stream = 0; stream < plan.streams(); stream++) {
      Tally tally = withheld && stream == lossyStream ? null : tallyOf(stream, serial);
      if (tally != null) {
        send(tally, stream, serial, message);
      }
    }
  }

  private void send(Tally tally, int stream, long serial, byte[] message) throws IOException {
    tally.add(serial);
    beforeCopySent(serial);
    outlet.send(stream, message);
    copies.incrementAndGet();
  }

  /**
   * Returns the tally that counts a copy which is about to be sent, or null if the copy is
   * withheld. Called by the sender's thread.
   */
  protected @Nullable Tally tallyOf(int stream, long serial) {
    return streamTallies.get(stream);
  }

  /** Called by the sending thread just before a copy is sent. Does nothing by default. */
  protected void beforeCopySent(long serial) {}

  /** Sends one more message to one receiver. Must be called after {@link #stop}. */
  protected final void sendLast(Tally tally, int stream) throws IOException {
    long serial = messages;
    messages = serial + 1;
    send(tally, stream, serial, syslog.message(serial));
  }

  /** Breaks the connection to one receiver. Any thread may call this. */
  protected final void reset(int stream) throws IOException {
    outlet.reset(stream);
  }

  @Override
  public final Messages messages() {
    return syslog;
  }

  /** Returns the number of messages sent so far. All copies of a message count as one. */
  @Override
  public final long sent() {
    return messages;
  }

  /** Returns the number of copies sent so far, to all receivers together. */
  public final long copies() {
    return copies.get();
  }

  @Override
  public final boolean isOver() {
    return senderTask.isDone();
  }

  @Override
  public void stop() throws IOException, InterruptedException {
    stopped = true;
    try {
      senderTask.get();
    } catch (ExecutionException e) {
      throw new IOException("the sender failed: " + e.getCause(), e);
    }
  }

  /** Returns a negative number, because a repetition has no number of its own. */
  @Override
  public final long dueNanos(long serial) {
    return -1;
  }

  @Override
  public Sent record() {
    return Sent.of(streamTallies);
  }

  /**
   * Returns the maximum delay of a message relative to its schedule. It shows how busy the machine
   * was.
   */
  public final long maxDelayNanos() {
    return maxDelayNanos;
  }

  @Override
  public final void close() throws IOException {
    stopped = true;
    outlet.close();
  }
}
