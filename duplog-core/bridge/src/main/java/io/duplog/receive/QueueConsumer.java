package io.duplog.receive;

import io.duplog.amqp.BrokerFailure;
import io.duplog.config.Durations;
import io.duplog.observe.Backoff;
import io.duplog.observe.Conditions;
import io.duplog.observe.Level;
import io.duplog.observe.PollingThread;
import io.duplog.observe.Runbook;
import io.duplog.observe.Trouble;
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
 * Reads one RabbitMQ queue for as long as the bridge runs, and reconnects after each failure. Uses
 * a separate thread; deliveries arrive on threads of the AMQP client.
 *
 * @see "docs/decisions/receive.md#queue-consumers"
 */
public final class QueueConsumer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(QueueConsumer.class);
  private static final Duration TICK = Duration.ofMillis(10);

  /** Longest wait for the broker when a connection is replaced. */
  private static final Duration DISCONNECT_TIMEOUT = Duration.ofSeconds(1);

  /**
   * Shortest and longest time for which a batch that only a newer bridge can read stays here. If no
   * newer bridge takes it, it comes back at once. Each time costs as much as a delivery.
   */
  private static final long FIRST_GIVE_BACK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long LAST_GIVE_BACK_NANOS = TimeUnit.MINUTES.toNanos(5);

  /** Pause in nanoseconds between queries of the queue's depth, because each takes time. */
  private static final long DEPTH_NANOS = TimeUnit.SECONDS.toNanos(2);

  /**
   * The sources of a consumer's connections and random numbers, and the board that has its clock.
   * Thread-safe.
   */
  public record Environment(Connector connector, Conditions board, RandomGenerator random) {

    /** Returns an environment with real network connections and random numbers. */
    public static Environment ofSystem(Conditions board) {
      return new Environment(Connector.ofSystem(), board, new Random());
    }

    public LongSupplier nanoClock() {
      return board.nanoClock();
    }
  }

  private final QueueSettings settings;
  private final AcknowledgePolicy policy;
  private final HeldBytes heldBytes;
  private final Consumer<Delivery> handler;
  private final Environment environment;
  private final LongSupplier nanoClock;
  private final Backoff pauses;
  private final Backoff giveBackPauses;
  private final Trouble trouble;
  private final Trouble identityTrouble;
  private final Trouble leftBehindTrouble;
  private final Trouble newerTrouble;
  private final Trouble prefetchWarning;
  private final Prefetch prefetch;
  private final UnusableBodies unusableBodies;
  private final PollingThread thread;
  private volatile boolean isStopping;
  private volatile boolean isSuspended;
  private volatile boolean isReturnDue;

  /**
   * The open connection, or null while there is none. The consumer's thread alone sets this field
   * and those below.
   */
  private volatile @Nullable ConsumerChannel channel;

  private volatile @Nullable StreamBroker lastBroker;
  private volatile @Nullable QueueDepth depth;
  private long retryAtNanos;
  private long depthDueNanos;

  /** When a batch that only a newer bridge can read last arrived, or was returned. */
  private long newerAtNanos;

  /** Whether the broker was last asked to serve all other bridges first. */
  private boolean isLast;

  /** When such batches are due to go back; null while this consumer holds none. */
  private @Nullable Long giveBackAtNanos;

  /**
   * @param heldBytes shared by all consumers of a bridge
   * @param handler receives each delivery, and must return immediately
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
    this.giveBackPauses =
        new Backoff(FIRST_GIVE_BACK_NANOS, LAST_GIVE_BACK_NANOS, environment.random());
    Conditions board = environment.board();
    String name = settings.toString();
    String subject = subject(settings.stream());
    this.trouble = board.trouble(log, name, subject, Level.DOWN, Runbook.BROKER_DISCONNECTED);
    this.identityTrouble =
        board.trouble(log, "identity of " + name, subject, Level.DEGRADED, Runbook.SETTINGS_DIFFER);
    this.leftBehindTrouble =
        board.trouble(
            log,
            "reading of all that " + name + " had",
            subject,
            Level.DEGRADED,
            Runbook.SETTINGS_DIFFER);
    this.newerTrouble =
        board.trouble(
            log,
            "reading of all batches of " + name,
            subject,
            Level.DEGRADED,
            Runbook.BATCHES_TOO_NEW);
    trouble.expected(
        "Not connected yet. Its stream is not being merged. No action needed, unless this lasts.");
    this.prefetchWarning = new Trouble(log, "prefetch from " + settings, nanoClock);
    this.prefetch =
        new Prefetch(settings.prefetch(), heldBytes.limit() / settings.share().siblings());
    this.unusableBodies = new UnusableBodies(settings, environment);
    this.retryAtNanos = nanoClock.getAsLong();
    this.thread =
        new PollingThread(
            "consume-" + settings.stream() + "-" + settings.queue(),
            TICK,
            this::runOnce,
            this::disconnectFinally);
  }

  /** Returns the name of a stream's component on the board. */
  public static String subject(String stream) {
    return "stream " + stream;
  }

  /** Starts the consumer's thread, which connects and requests deliveries. */
  public void start() {
    thread.start();
  }

  /**
   * Stops requesting deliveries. Deliveries that have arrived can still be settled. Thread-safe.
   */
  public void stop() {
    isStopping = true;
  }

  /**
   * Suspends or resumes the consumer. While suspended, it requests no deliveries but stays
   * connected. Thread-safe.
   *
   * @param hold true to suspend, false to resume
   */
  public void hold(boolean hold) {
    isSuspended = hold;
  }

  /**
   * Disconnects, so that the broker redelivers everything that this consumer has not settled, to
   * any consumer. Takes effect in the thread's next run. Thread-safe.
   */
  public void giveBack() {
    isReturnDue = true;
    thread.hurry();
  }

  /**
   * Returns the queue's depth as last reported by the broker, up to a few seconds ago, or null
   * while not connected. Thread-safe.
   */
  public @Nullable QueueDepth depth() {
    return depth;
  }

  /**
   * Returns the broker to which the consumer is or was last connected. Returns null if there was
   * none, or if the broker doesn't identify itself. Thread-safe.
   */
  public @Nullable StreamBroker broker() {
    ConsumerChannel open = channel;
    StreamBroker now = open == null ? null : open.broker();
    StreamBroker last = lastBroker;
    return now != null || last == null ? now : last.lost();
  }

  /** Whether the consumer is suspended by {@link #hold}. Thread-safe. */
  public boolean isHeld() {
    return isSuspended;
  }

  /** Returns the configured name of the stream. */
  public String stream() {
    return settings.stream();
  }

  /** Whether the consumer is connected and its queue exists. Thread-safe. */
  public boolean isConnected() {
    return channel != null;
  }

  /**
   * Whether the consumer requests deliveries. It requests none while it is suspended, or while the
   * bridge holds its limit of bytes. Thread-safe.
   */
  public boolean isConsuming() {
    ConsumerChannel open = channel;
    return open != null && open.isConsuming();
  }

  /** Returns the queue's settings. Their {@code toString} names broker and queue in log lines. */
  public QueueSettings settings() {
    return settings;
  }

  /** Starts closing: the thread acknowledges settled deliveries and disconnects. Thread-safe. */
  public void end() {
    thread.close();
  }

  /**
   * Ends the consumer, and waits until the broker has read the last acknowledgements. Waits at most
   * twice the {@link io.duplog.amqp.BrokerLogin#answerTimeout}: once for a request in progress, and
   * once for the acknowledgements.
   */
  @Override
  public void close() {
    end();
    thread.awaitEnd(settings.login().answerTimeout().multipliedBy(2));
  }

  private void disconnectFinally() {
    disconnect(settings.login().answerTimeout());
    unusableBodies.close();
  }

  /**
   * Performs one run of the thread: connects if that is due, pauses or resumes requesting
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
    if (isReturnDue) {
      isReturnDue = false;
      if (channel != null) {
        trouble.expected(
            settings
                + " is reconnecting, because its deliveries were returned to the broker. No action needed.");
      }
      disconnect(DISCONNECT_TIMEOUT);
    }
    ConsumerChannel open = channel;
    try {
      if (open == null) {
        if (isStopping || nowNanos - retryAtNanos < 0) {
          return;
        }
        open = new ConsumerChannel(settings, policy, heldBytes, prefetch, handler, environment);
        lastBroker = open.broker();
        channel = open;
        if (open.hasDeclaredQueue()) {
          log.warn(
              "{} did not exist and was declared. It stays empty until a shim publishes to it. If a"
                  + " shim already runs, compare its broker.queue and virtual-host with the stream's.",
              settings);
        }
      }
      if (open.isLost()) {
        Throwable cause = open.lossCause();
        failed(cause == null ? new IOException("connection lost") : cause);
        return;
      }
      pauseOrResume(open, nowNanos);
      open.tick();
      open.identifyAgain();
      lastBroker = open.broker();
      open.recheckLeftBehind();
      identityTrouble.update(identityDoubt(open.broker()));
      leftBehindTrouble.update(messagesLeft(open.leftBehind()));
      if (depth == null || nowNanos - depthDueNanos >= 0) {
        depth = open.queueDepth();
        depthDueNanos = nowNanos + DEPTH_NANOS;
      }
      unusableBodies.publishFrom(open);
    } catch (IOException | TimeoutException e) {
      failed(e);
    }
  }

  private void pauseOrResume(ConsumerChannel open, long nowNanos) throws IOException {
    boolean isPauseWanted = isStopping || isSuspended;
    boolean isGiveBackDue = isGiveBackDue(open, nowNanos);
    // A prefetch that overflowed causes a pause even if there is room again, because the pause
    // returns the discarded deliveries.
    boolean paused =
        isPauseWanted
            || heldBytes.isFull()
            || prefetch.hasOverflowed()
            || prefetch.isRaiseDue(nowNanos)
            || (isLast && !newerTrouble.isOpen())
            || isGiveBackDue;
    if (!open.isConsuming() && isGiveBackDue) {
      open.returnNewer(); // and other bridges have the first choice, until this one resumes
      giveBackAtNanos = null;
      newerAtNanos = nowNanos; // another bridge may keep it for as long before it comes back
    }
    if (open.isConsuming() && paused) {
      open.pause();
    } else if (!open.isConsuming() && !isPauseWanted && heldBytes.hasRoom()) {
      isLast = newerTrouble.isOpen();
      open.resume(isLast);
      pauses.reset();
      if (prefetch.isLowered()) {
        prefetchWarning.occurred(
            settings
                + " delivers more than receive.prefetch-bytes has room for. The bridge lowers its"
                + " prefetch; the broker will redeliver the rest. No action needed, or raise"
                + " receive.prefetch-bytes.");
      } else {
        prefetchWarning.recovered();
      }
    }
    trouble.recovered(); // it reads, or is connected and has a reason not to
  }

  /**
   * Whether batches that only a newer bridge can read should go back to the broker now. They stay
   * here for a while before, because without a newer bridge they would go in circles.
   */
  private boolean isGiveBackDue(ConsumerChannel open, long nowNanos) {
    String newerReason = open.takeNewerReason();
    if (newerReason != null) {
      newerAtNanos = nowNanos;
      newerTrouble.occurred(
          "newer",
          settings
              + " contains messages that this bridge can't read ("
              + newerReason
              + "). It gives them back for a newer bridge. Until one takes them, they wait in the"
              + " queue. Upgrade this bridge.");
    }
    if (!open.holdsNewer()) {
      giveBackAtNanos = null;
      if (newerTrouble.isOpen() && nowNanos - newerAtNanos >= LAST_GIVE_BACK_NANOS) {
        newerTrouble.recovered();
        giveBackPauses.reset();
      }
      return false;
    }
    if (giveBackAtNanos == null) {
      giveBackAtNanos = nowNanos + giveBackPauses.nextNanos();
    }
    return nowNanos - giveBackAtNanos >= 0;
  }

  /** Returns why the stream's messages are not deduplicated; null if they are. */
  private @Nullable String identityDoubt(@Nullable StreamBroker broker) {
    return broker == null || broker.isIdentified()
        ? null
        : settings.broker()
            + " can't be identified. Its messages are delivered without deduplication. Check the"
            + " broker for alarms, and whether its virtual host has a limit that prevents queue "
            + Topology.identityQueue(settings.queue())
            + ". Checked again every 10 s.";
  }

  private static @Nullable String messagesLeft(QueueDepth.@Nullable LeftBehind left) {
    return left == null
        ? null
        : "%s. %s. %s.".formatted(left, QueueDepth.LeftBehind.CONSEQUENCE, left.remedy());
  }

  private void failed(Throwable cause) {
    warn(cause); // before the connection is closed, which takes a while
    disconnect(DISCONNECT_TIMEOUT);
    retryAtNanos = nanoClock.getAsLong() + pauses.nextNanos();
  }

  private void warn(Throwable cause) {
    String failure = settings.describe(cause);
    trouble.occurred(
        BrokerFailure.isAbsence(settings.login(), cause) ? "unavailable" : failure,
        Trouble.causeOf(cause, failure),
        failure
            + ". Its stream is not being merged. Check the broker. Reconnecting every "
            + Durations.inWords(settings.retryMin(), settings.retryMax())
            + ".");
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
