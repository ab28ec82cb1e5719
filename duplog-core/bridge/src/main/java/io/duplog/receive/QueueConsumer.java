package io.duplog.receive;

import io.duplog.amqp.BrokerFailure;
import io.duplog.config.Durations;
import io.duplog.observe.Backoff;
import io.duplog.observe.PollingThread;
import io.duplog.observe.RecurringWarning;
import io.duplog.wire.StreamBroker;
import io.duplog.wire.Topology;
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
 * @see "docs/decisions/receive.md#queue-consumers"
 */
public final class QueueConsumer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(QueueConsumer.class);
  private static final Duration TICK = Duration.ofMillis(10);

  /** Longest wait for the broker when a connection is given up and another one follows. */
  private static final Duration LONGEST_DISCONNECT = Duration.ofSeconds(1);

  /** Pause in nanoseconds between questions for the queue's depth, because each takes time. */
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** The sources of a consumer's connections, time and random numbers. Safe for any thread. */
  public record Environment(Connector connector, LongSupplier nanoClock, RandomGenerator random) {

    /** Returns an environment with real network connections, clock and random numbers. */
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
  private final RecurringWarning crowdWarning;
  private final Prefetch prefetch;
  private final UnusableBodies unusable;
  private final PollingThread thread;
  private volatile boolean stopping;
  private volatile boolean held;
  private volatile boolean givingBack;

  /** Whether the queue was read before. */
  private volatile boolean hasRead;

  /**
   * The open connection; null while there is none. This field and those below are set by the
   * consumer's thread only.
   */
  private volatile @Nullable ConsumerChannel channel;

  private volatile @Nullable StreamBroker lastBroker;
  private volatile @Nullable QueueDepth depth;
  private long retryAtNanos;
  private long lookAtNanos;

  /**
   * @param heldBytes shared by all consumers of a bridge
   * @param handler receives each delivery, and has to return at once
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
    this.crowdWarning = new RecurringWarning(log, "prefetch from " + settings, nanoClock);
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

  /** Starts the consumer's thread, which connects and asks for deliveries. */
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
   * Suspends or resumes the consumer. While suspended, it asks for no deliveries but stays
   * connected. May be called from any thread.
   *
   * @param hold true to suspend; false to ask for deliveries again
   */
  public void hold(boolean hold) {
    held = hold;
  }

  /**
   * Disconnects, so that the broker redelivers everything that this consumer has not settled, to
   * any consumer. Takes effect in the thread's next step. May be called from any thread.
   */
  public void giveBack() {
    givingBack = true;
    thread.hurry();
  }

  /**
   * Returns the queue's depth as the broker reported it last, up to a few seconds ago; null while
   * not connected. May be called from any thread.
   */
  public @Nullable QueueDepth depth() {
    return depth;
  }

  /**
   * Returns the broker that the consumer is connected to, or was connected to last; null if it
   * never was, or if the broker doesn't identify itself. May be called from any thread.
   */
  public @Nullable StreamBroker broker() {
    ConsumerChannel open = channel;
    StreamBroker now = open == null ? null : open.broker();
    StreamBroker last = lastBroker;
    return now != null || last == null ? now : last.lost();
  }

  /** Whether the consumer is suspended by {@link #hold}. May be called from any thread. */
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
   * Whether the consumer asks for deliveries. It asks for none while it is suspended, or while the
   * bridge holds as many bytes as it may. May be called from any thread.
   */
  public boolean isConsuming() {
    ConsumerChannel open = channel;
    return open != null && open.isConsuming();
  }

  /**
   * Returns why the queue can't be read, in one line for an operator; null if it can. May be called
   * from any thread.
   */
  public @Nullable String trouble() {
    String known = trouble.current();
    if (known != null || channel != null) {
      return known;
    }
    return hasRead
        ? settings + " is being connected again, after everything was given back"
        : "not connected yet: its stream is not being merged";
  }

  /**
   * Returns why not all is well with the stream though the queue is read, in one line for an
   * operator: nothing is counted, or messages wait in queues that nobody reads. Null if neither is
   * so. May be called from any thread.
   */
  public @Nullable String doubt() {
    ConsumerChannel open = channel;
    StreamBroker broker = open == null ? null : open.broker();
    return broker == null || broker.isIdentified()
        ? leftBehind()
        : settings.broker()
            + " can't be identified: its messages are delivered without deduplication. It has an"
            + " alarm, or queue "
            + Topology.identityQueue(settings.queue())
            + " can't be declared (a limit of the virtual host). Asked again every 10 s";
  }

  private @Nullable String leftBehind() {
    ConsumerChannel open = channel;
    QueueDepth.LeftBehind left = open == null ? null : open.leftBehind();
    return left == null
        ? null
        : "%s: %s. Do: %s".formatted(left, QueueDepth.LeftBehind.CONSEQUENCE, left.remedy());
  }

  /** Returns the queue's settings; their {@code toString} names broker and queue in log lines. */
  public QueueSettings settings() {
    return settings;
  }

  /**
   * Begins to close: the thread acknowledges settled deliveries and disconnects. May be called from
   * any thread.
   */
  public void end() {
    thread.close();
  }

  /**
   * Ends the consumer, and waits until the broker has read the last acknowledgements. Waits twice
   * the {@link io.duplog.amqp.BrokerLogin#answerTimeout} at most: once for a question that is under
   * way, and once for the acknowledgements.
   */
  @Override
  public void close() {
    end();
    thread.awaitEnd(settings.login().answerTimeout().multipliedBy(2));
  }

  private void disconnectForGood() {
    disconnect(settings.login().answerTimeout());
    unusable.close();
  }

  /**
   * Performs one step of the thread: connects if that is due, stops or resumes asking for
   * deliveries, and acknowledges settled deliveries by the policy.
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
      disconnect(LONGEST_DISCONNECT);
    }
    ConsumerChannel open = channel;
    try {
      if (open == null) {
        if (stopping || nowNanos - retryAtNanos < 0) {
          return;
        }
        open = new ConsumerChannel(settings, policy, heldBytes, prefetch, handler, environment);
        lastBroker = open.broker();
        channel = open;
        if (open.hasDeclaredQueue()) {
          log.warn(
              "{} was not there and is declared now: nothing comes from it until a shim publishes"
                  + " to it. Where one does already, compare its broker.queue and virtual-host",
              settings);
        }
        String left = leftBehind();
        if (left != null) {
          log.warn("{}", left);
        }
      }
      if (open.isLost()) {
        Throwable cause = open.lostBy();
        failed(cause == null ? new IOException("connection lost") : cause);
        return;
      }
      steer(open, nowNanos);
      open.tick();
      open.identifyAgain();
      lastBroker = open.broker();
      open.lookBehindAgain();
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
      hasRead = true;
      pauses.reset();
      trouble.recovered();
      if (prefetch.isNarrow()) {
        crowdWarning.occurred(
            settings
                + " delivers more than receive.prefetch-bytes has room for: asking for fewer at"
                + " once, what did not fit was given back unread");
      } else {
        crowdWarning.recovered();
      }
    }
  }

  private void failed(Throwable cause) {
    say(cause); // before the connection is closed, which takes a while
    disconnect(LONGEST_DISCONNECT);
    retryAtNanos = nanoClock.getAsLong() + pauses.nextNanos();
  }

  private void say(Throwable cause) {
    String failure = settings.describe(cause);
    trouble.occurred(
        BrokerFailure.isAbsence(settings.login(), cause) ? "away" : failure,
        RecurringWarning.causeOf(cause, failure),
        failure
            + ": trying again every "
            + Durations.inWords(settings.retryMin(), settings.retryMax())
            + ", its stream is not being merged");
  }

  private void disconnect(Duration wait) {
    ConsumerChannel open = channel;
    if (open != null) {
      channel = null;
      depth = null;
      open.close(wait);
    }
  }
}
