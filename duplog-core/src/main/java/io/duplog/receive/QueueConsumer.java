package io.duplog.receive;

import io.duplog.amqp.BrokerFailure;
import io.duplog.observe.Backoff;
import io.duplog.observe.PollingThread;
import io.duplog.observe.RecurringWarning;
import java.io.IOException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads one queue for as long as the bridge runs, and reconnects after each failure. A thread of
 * its own does all of that; deliveries arrive on threads of the AMQP client.
 *
 * @see "docs/decisions/queue-consumers.md"
 */
public final class QueueConsumer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(QueueConsumer.class);
  private static final Duration TICK = Duration.ofMillis(10);
  private static final Duration LONGEST_CLOSE = Duration.ofSeconds(5);

  /** Pause between looks at the queue, because each costs the broker and this thread a moment. */
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** The sources of a consumer's connections, time and randomness. Safe for any thread. */
  public record Environment(Connector connector, LongSupplier nanoClock, RandomGenerator random) {

    /** Returns the network, the system's clock, and random numbers. */
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
  private final PollingThread thread;
  private volatile boolean stopping;
  private volatile boolean held;
  private volatile boolean givingBack;

  /**
   * The open connection; null while there is none. Set by the consumer's thread, as all that
   * follows.
   */
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
    this.thread =
        new PollingThread(
            "consume-" + settings.stream() + "-" + settings.queue(),
            TICK,
            this::runOnce,
            this::disconnectForGood);
  }

  /** Starts the thread, which connects and consumes. */
  public void start() {
    thread.start();
  }

  /**
   * Asks for no more deliveries; those that were delivered can still be settled. May be called from
   * any thread.
   */
  public void stop() {
    stopping = true;
  }

  /**
   * Holds the consumer, or lets it go on. While it is on hold it asks for no deliveries, but stays
   * connected. May be called from any thread.
   *
   * @param hold false to ask for deliveries again
   */
  public void hold(boolean hold) {
    held = hold;
  }

  /**
   * Has the broker deliver everything again, to any consumer, that this one was delivered and has
   * not settled. Takes effect soon. May be called from any thread.
   */
  public void giveBack() {
    givingBack = true;
    thread.hurry();
  }

  /**
   * Returns what the broker said of the queue a moment ago; null while not connected. May be called
   * from any thread.
   */
  public @Nullable QueueDepth depth() {
    return depth;
  }

  /**
   * Returns the broker's name for itself; null if it is unknown, as while not connected. May be
   * called from any thread.
   */
  public @Nullable String broker() {
    ConsumerChannel open = channel;
    return open == null ? null : open.broker();
  }

  /** Whether the consumer is on hold. May be called from any thread. */
  public boolean isHeld() {
    return held;
  }

  /** Returns the configured name of the stream. */
  public String stream() {
    return settings.stream();
  }

  /** Whether the consumer is connected and its queue exists. May be called from any thread. */
  public boolean isConnected() {
    return channel != null;
  }

  /**
   * Whether the consumer asks for deliveries. It does not while it is on hold, and while the bridge
   * holds as many bytes as it may. May be called from any thread.
   */
  public boolean isConsuming() {
    ConsumerChannel open = channel;
    return open != null && open.isConsuming();
  }

  /**
   * Returns what is wrong, in one line for an operator; null if nothing is known. May be called
   * from any thread.
   */
  public @Nullable String trouble() {
    return trouble.current();
  }

  /** Returns the settings, whose text names the broker and the queue in log lines. */
  public QueueSettings settings() {
    return settings;
  }

  /**
   * Acknowledges what is settled, disconnects, and waits up to five seconds for the thread to end.
   */
  @Override
  public void close() {
    thread.close();
    thread.awaitEnd(LONGEST_CLOSE);
  }

  private void disconnectForGood() {
    disconnect();
    unusable.close();
  }

  /**
   * Performs one step: connects if that is due, pauses or resumes, and acknowledges what is due.
   */
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
    // A crowded prefetch causes a pause even if there is room again, because the pause gives back
    // what did not fit.
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
