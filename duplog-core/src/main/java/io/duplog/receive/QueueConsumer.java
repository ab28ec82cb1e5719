package io.duplog.receive;

import com.google.common.util.concurrent.Uninterruptibles;
import io.duplog.amqp.BrokerFailure;
import io.duplog.observe.Backoff;
import io.duplog.observe.RecurringWarning;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads one queue for as long as the bridge runs, and connects again to whatever comes back. A
 * thread of its own does all of it; deliveries arrive on threads of the AMQP client.
 */
public final class QueueConsumer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(QueueConsumer.class);
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** A question costs the broker and this thread a moment. */
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** Where a consumer's connections, time and chance come from. Safe for any thread. */
  public record Environment(Connector connector, LongSupplier nanoClock, RandomGenerator random) {

    /** The network, and the system's own. */
    public static Environment ofSystem() {
      return new Environment(Connector.ofSystem(), System::nanoTime, new Random());
    }
  }

  private final QueueSettings settings;
  private final AcknowledgePolicy policy;
  private final HeldBytes heldBytes;
  private final Consumer<Delivery> handler;
  private final Environment environment;
  private final LongSupplier nanoClock;
  private final Backoff pauses;
  private final RecurringWarning trouble;
  private final RecurringWarning crowded;
  private final Prefetch prefetch;
  private final UnusableBodies unusable;
  private final Thread thread;
  private volatile boolean stopping;
  private volatile boolean closing;
  private volatile boolean held;
  private volatile boolean givingBack;

  /** Null while it is not connected. Replaced by the consumer's thread, as all that follows. */
  private volatile @Nullable ConsumerChannel channel;

  private volatile @Nullable QueueDepth depth;
  private long retryAtNanos;
  private long lookAtNanos;

  /**
   * @param heldBytes shared by all consumers of a bridge
   * @param handler takes each delivery and returns at once
   */
  public QueueConsumer(
      QueueSettings settings,
      AcknowledgePolicy policy,
      HeldBytes heldBytes,
      Consumer<Delivery> handler,
      Environment environment) {
    this.settings = settings;
    this.policy = policy;
    this.heldBytes = heldBytes;
    this.handler = handler;
    this.environment = environment;
    this.nanoClock = environment.nanoClock();
    this.pauses =
        new Backoff(
            settings.retryMin().toNanos(), settings.retryMax().toNanos(), environment.random());
    this.trouble = new RecurringWarning(log, settings.toString(), nanoClock);
    this.crowded = new RecurringWarning(log, "prefetch from " + settings, nanoClock);
    this.prefetch =
        new Prefetch(settings.prefetch(), heldBytes.limit() / settings.share().siblings());
    this.unusable = new UnusableBodies(settings, environment);
    this.retryAtNanos = nanoClock.getAsLong();
    this.thread = new Thread(this::run, "consume-" + settings.stream() + "-" + settings.queue());
  }

  /** Begins to consume. */
  public void start() {
    thread.start();
  }

  /** Asks for no more deliveries; what was delivered can still be settled. Any thread. */
  public void stop() {
    stopping = true;
  }

  /**
   * While on hold no deliveries are asked for, but the connection stays. Any thread.
   *
   * @param hold false: asks for deliveries again
   */
  public void hold(boolean hold) {
    held = hold;
  }

  /**
   * Has the broker deliver again, to whoever asks, everything that this consumer was delivered and
   * has not settled. Soon; any thread.
   */
  public void giveBack() {
    givingBack = true;
    LockSupport.unpark(thread);
  }

  /** What the broker said of the queue a moment ago; null while it is not connected. Any thread. */
  public @Nullable QueueDepth depth() {
    return depth;
  }

  /** What the broker calls itself; null while it is not connected. Any thread. */
  public @Nullable String broker() {
    ConsumerChannel open = channel;
    return open == null ? null : open.broker();
  }

  /** Whether it is on hold. Any thread. */
  public boolean isHeld() {
    return held;
  }

  /** The configured name of the stream. */
  public String stream() {
    return settings.stream();
  }

  /** Whether the broker has it, and its queue, at present. Any thread. */
  public boolean isConnected() {
    return channel != null;
  }

  /**
   * Whether it asks for deliveries: not so while it is on hold, and while the bridge holds as many
   * bytes as it may. Any thread.
   */
  public boolean isConsuming() {
    ConsumerChannel open = channel;
    return open != null && open.isConsuming();
  }

  /** What is wrong with it, in a line for an operator; null where nothing is known. Any thread. */
  public @Nullable String trouble() {
    return trouble.current();
  }

  /** The broker and the queue, as they stand in log lines. */
  public QueueSettings settings() {
    return settings;
  }

  /** Acknowledges what is settled, disconnects, and waits for the thread to end. */
  @Override
  public void close() {
    closing = true;
    LockSupport.unpark(thread);
    Uninterruptibles.joinUninterruptibly(thread, 5, TimeUnit.SECONDS);
  }

  private void run() {
    while (!closing) {
      runOnce();
      LockSupport.parkNanos(this, TICK_NANOS);
    }
    disconnect();
    unusable.close();
  }

  /** One step: connects where that is due, pauses or resumes, and acknowledges what is due. */
  void runOnce() {
    try {
      takeStep(nanoClock.getAsLong());
    } catch (RuntimeException e) {
      failed(e);
    }
  }

  private void takeStep(long nowNanos) {
    if (givingBack) {
      givingBack = false;
      disconnect();
    }
    ConsumerChannel open = channel;
    try {
      if (open == null) {
        if (stopping || nowNanos - retryAtNanos < 0) {
          return;
        }
        open = new ConsumerChannel(settings, policy, heldBytes, prefetch, handler, environment);
        channel = open;
        if (open.hasDeclaredQueue()) {
          log.warn(
              "{} was not there and is declared now: nothing comes from it until a shim publishes"
                  + " to it. Where one does already, compare its broker.queue and virtual-host",
              settings);
        }
      }
      if (open.isLost()) {
        Throwable cause = open.lostBy();
        failed(cause == null ? new IOException("connection lost") : cause);
        return;
      }
      steer(open, nowNanos);
      open.tick();
      if (depth == null || nowNanos - lookAtNanos >= 0) {
        depth = open.look();
        lookAtNanos = nowNanos + LOOK_NANOS;
      }
      unusable.publishFrom(open);
    } catch (IOException | TimeoutException e) {
      failed(e);
    }
  }

  private void steer(ConsumerChannel open, long nowNanos) throws IOException {
    boolean unwanted = stopping || held;
    // Crowded: what did not fit is given back in the pause, though there may be room again by now.
    boolean paused =
        unwanted || heldBytes.isFull() || prefetch.isCrowded() || prefetch.isToBeWidened(nowNanos);
    if (open.isConsuming() && paused) {
      open.pause();
    } else if (!open.isConsuming() && !unwanted && heldBytes.hasRoom()) {
      open.resume();
      pauses.reset();
      trouble.recovered();
      if (prefetch.isNarrow()) {
        crowded.occurred(
            settings
                + " delivers more than receive.prefetch-bytes has room for: asking for fewer at"
                + " once, what did not fit was given back unread");
      } else {
        crowded.recovered();
      }
    }
  }

  private void failed(Throwable cause) {
    disconnect();
    retryAtNanos = nanoClock.getAsLong() + pauses.nextNanos();
    String failure = settings.describe(cause);
    trouble.occurred(
        BrokerFailure.isAbsence(settings.login(), cause) ? "away" : failure,
        failure
            + ": trying again every "
            + settings.retryMin().toSeconds()
            + "-"
            + settings.retryMax().toSeconds()
            + " s, its stream is not being merged");
  }

  private void disconnect() {
    ConsumerChannel open = channel;
    if (open != null) {
      channel = null;
      depth = null;
      open.close();
    }
  }
}
