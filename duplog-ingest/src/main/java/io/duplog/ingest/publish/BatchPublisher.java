package io.duplog.ingest.publish;

import io.duplog.observe.Backoff;
import io.duplog.wire.Heartbeat;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the shim's batches to its RabbitMQ, and publishes each again until RabbitMQ has
 * confirmed it. A separate thread connects and sends. A submitting thread waits only for this
 * object's lock; so even if the broker stops reading from its socket, rsyslog still gets its
 * keep-alive. Thread-safe.
 */
public final class BatchPublisher implements Publisher {
  private static final Logger log = LoggerFactory.getLogger(BatchPublisher.class);
  private static final long MIN_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long MAX_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(5);

  /**
   * Time limit in milliseconds for sending the last heartbeat, because the broker may have stopped
   * reading.
   */
  private static final long LAST_HEARTBEAT_TIMEOUT_MILLIS = 1000;

  private final Broker broker;
  private final long maxOutstandingBytes;
  private final Backoff backoff;
  private final LongSupplier nanoClock;
  private final Thread thread = new Thread(this::run, "publish");

  // Guarded by this; every change notifies the waiting threads.

  private final Outstanding outstanding = new Outstanding();

  private final BrokerStatus brokerStatus;
  private final HeartbeatSchedule heartbeatSchedule;

  /**
   * Time in nanoseconds of the last confirm, or of the first submission when no batch was
   * outstanding.
   */
  private long progressNanos;

  /** Listener of the session that is open or being opened, or null after the session has ended. */
  private @Nullable Events currentEvents;

  private boolean closed;

  /** The open session, or null if there is none. Set by the publishing thread only. */
  private volatile Broker.@Nullable Session session;

  /**
   * Creates a publisher.
   *
   * @param name name of the broker for an operator: {@code broker syslog-a (127.0.0.1:5672)}
   * @param maxOutstandingBytes maximum total size of outstanding bodies; a single batch may be
   *     larger
   * @param heartbeatSchedule schedule of the heartbeats; must use the same clock
   */
  BatchPublisher(
      Broker broker,
      String name,
      long maxOutstandingBytes,
      HeartbeatSchedule heartbeatSchedule,
      LongSupplier nanoClock,
      RandomGenerator random) {
    this.broker = broker;
    this.maxOutstandingBytes = maxOutstandingBytes;
    this.heartbeatSchedule = heartbeatSchedule;
    this.nanoClock = nanoClock;
    this.brokerStatus = new BrokerStatus(name, log, nanoClock);
    this.backoff = new Backoff(MIN_PAUSE_NANOS, MAX_PAUSE_NANOS, random);
    thread.setDaemon(true);
  }

  /** Starts the publisher's thread, which then connects to the broker. */
  public void start() {
    thread.start();
  }

  @Override
  public int queues() {
    return broker.queues().size();
  }

  @Override
  public synchronized void submit(OutgoingBatch batch) {
    if (outstanding.isEmpty()) {
      progressNanos = nanoClock.getAsLong();
    }
    outstanding.add(batch);
    notifyAll();
  }

  @Override
  public boolean awaitRoom(long nanos) throws InterruptedException {
    return await(nanos, () -> outstanding.bytes() <= maxOutstandingBytes);
  }

  @Override
  public boolean awaitConfirmed(long nanos) throws InterruptedException {
    return await(nanos, outstanding::isEmpty);
  }

  /**
   * Waits until a condition is true, and returns whether it is. Releases the lock while it waits.
   */
  private synchronized boolean await(long nanos, BooleanSupplier condition)
      throws InterruptedException {
    long startNanos = System.nanoTime();
    while (!condition.getAsBoolean()) {
      long remainingNanos = nanos - (System.nanoTime() - startNanos);
      if (remainingNanos <= 0) {
        return false;
      }
      TimeUnit.NANOSECONDS.timedWait(this, remainingNanos);
    }
    return true;
  }

  private void pause() throws InterruptedException {
    await(backoff.nextNanos(), () -> closed);
  }

  @Override
  public synchronized List<OutgoingBatch> withdraw() {
    List<OutgoingBatch> withdrawn = outstanding.clear();
    notifyAll();
    return withdrawn;
  }

  @Override
  public String condition() {
    return brokerStatus.line();
  }

  /** Returns the broker's current failure in one line, or {@code well} if there is no failure. */
  public String health() {
    return brokerStatus.health();
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    join(thread, LAST_HEARTBEAT_TIMEOUT_MILLIS);
    Broker.Session open = session;
    if (open != null) {
      // Uses a separate thread, because closing also writes, which blocks if the broker does not
      // read.
      Thread closeThread = new Thread(open::close, "close");
      closeThread.setDaemon(true);
      closeThread.start();
      join(closeThread, 2 * LAST_HEARTBEAT_TIMEOUT_MILLIS);
    }
  }

  private static void join(Thread thread, long millis) {
    try {
      thread.join(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try {
      while (runOnce()) {
        // each iteration performs one action
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      log.error("a defect of Duplog's: the shim ends, to be started again", e);
      Runtime.getRuntime().halt(1);
    }
  }

  /**
   * Performs the next action: connects, waits, or sends a heartbeat or a batch.
   *
   * @return false after the publisher was closed and the last heartbeat was sent, if possible
   */
  boolean runOnce() throws InterruptedException {
    Broker.Session open = session;
    if (open == null) {
      return connect();
    }
    Step step = awaitStep(open);
    if (step == null) {
      return false;
    }
    try {
      step.perform(open);
    } catch (IOException e) {
      synchronized (this) {
        if (currentEvents != null) {
          currentEvents.lost(String.valueOf(e.getMessage()));
        }
      }
      open.close();
    }
    return true;
  }

  /** An action that is performed without holding the lock, because it may take a long time. */
  private interface Step {
    void perform(Broker.Session open) throws IOException;
  }

  /** Waits for the next action and returns it, or returns null after the last action. */
  private synchronized @Nullable Step awaitStep(Broker.Session open) throws InterruptedException {
    Events events = currentEvents;
    while (!closed && events != null && events.mustWait()) {
      TimeUnit.NANOSECONDS.timedWait(this, events.nanosToHeartbeat());
      events = currentEvents;
    }
    if (closed) {
      if (events == null || events.publishersBlocked || !heartbeatSchedule.isOn()) {
        return null;
      }
      currentEvents = null;
      return heartbeatStep(true);
    }
    if (events == null) {
      session = null;
      pause();
      return Broker.Session::close; // the connection may still be open after its channel was closed
    }
    if (events.batchesRefused) {
      events.batchesRefused = false;
      pause();
      return session -> {};
    }
    if (events.nanosToHeartbeat() <= 0) {
      return heartbeatStep(false);
    }
    boolean declareQueues = events.queueDeleted;
    events.queueDeleted = false;
    OutgoingBatch batch = outstanding.takeNext(open.nextSequence());
    return session -> {
      if (declareQueues) {
        session.declareQueues();
      }
      session.publish(batch);
    };
  }

  private Step heartbeatStep(boolean isLast) {
    long stalledNanos = outstanding.isEmpty() ? 0 : nanoClock.getAsLong() - progressNanos;
    Heartbeat heartbeat =
        heartbeatSchedule.next(outstanding.confirmedMessages(), stalledNanos, queues(), isLast);
    return session -> session.sendHeartbeat(heartbeat);
  }

  private boolean connect() throws InterruptedException {
    Events events = new Events();
    synchronized (this) {
      if (closed) {
        return false;
      }
      currentEvents = events;
    }
    try {
      Broker.Session opened = broker.connect(events);
      session = opened;
      synchronized (this) {
        brokerStatus.connected();
        if (outstanding.isEmpty()) {
          brokerStatus.recovered();
        }
        if (closed) {
          opened.close();
        }
      }
    } catch (IOException e) {
      synchronized (this) {
        brokerStatus.occurred(String.valueOf(e.getMessage()));
        pause();
      }
    }
    return true;
  }

  /**
   * Handles the events of one session. Ignores all events after the session has ended or the
   * publisher was closed.
   */
  private final class Events implements Broker.Listener {
    // Guarded by the publisher's lock.
    private boolean publishersBlocked;
    private boolean queueDeleted;
    private boolean batchesRefused;

    boolean mustWait() {
      return !batchesRefused
          && nanosToHeartbeat() > 0
          && (publishersBlocked || !outstanding.hasWaiting());
    }

    /**
     * Returns the time in nanoseconds until the next heartbeat. While the broker blocks publishers,
     * no heartbeats are sent, so that the bridges notice.
     */
    long nanosToHeartbeat() {
      return publishersBlocked ? Long.MAX_VALUE : heartbeatSchedule.nanosToNext();
    }

    @Override
    public void acked(long sequence, boolean multiple) {
      ifCurrent(
          () -> {
            List<OutgoingBatch> waitingAgain = outstanding.handleConfirm(sequence, multiple, true);
            if (!waitingAgain.isEmpty()) {
              queueDeleted = true;
              recordRefusal("has no queue%s for what was published, it was deleted", waitingAgain);
              return;
            }
            progressNanos = nanoClock.getAsLong();
            if (!outstanding.hasRefused()) { // another queue may still be full
              backoff.reset();
              if (!publishersBlocked) {
                brokerStatus.recovered();
              }
            }
          });
    }

    @Override
    public void nacked(long sequence, boolean multiple) {
      ifCurrent(
          () -> {
            List<OutgoingBatch> waitingAgain = outstanding.handleConfirm(sequence, multiple, false);
            if (!waitingAgain.isEmpty()) {
              recordRefusal(
                  "rejects what is published (queue%s full, or not able to store it)",
                  waitingAgain);
            }
          });
    }

    private void recordRefusal(String words, List<OutgoingBatch> waitingAgain) {
      batchesRefused = true;
      brokerStatus.occurred(words.formatted(broker.nameOfQueue(waitingAgain.get(0))));
    }

    @Override
    public void returned(String id) {
      ifCurrent(() -> outstanding.returned(id));
    }

    @Override
    public void blocked(String reason) {
      ifCurrent(
          () -> {
            publishersBlocked = true;
            brokerStatus.occurred("blocks publishers (" + reason + ")");
          });
    }

    @Override
    public void unblocked() {
      ifCurrent(
          () -> {
            publishersBlocked = false;
            brokerStatus.recovered();
          });
    }

    @Override
    public void tooLarge(String reply) {
      ifCurrent(
          () -> {
            OutgoingBatch largest = outstanding.sizeRefused();
            endSession(largest == null ? "lost (" + reply + ")" : largest.tooLarge(reply));
          });
    }

    @Override
    public void lost(String cause) {
      ifCurrent(() -> endSession(cause));
    }

    private void endSession(String cause) {
      currentEvents = null;
      outstanding.sessionLost();
      brokerStatus.occurred(cause);
    }

    private void ifCurrent(Runnable event) {
      synchronized (BatchPublisher.this) {
        if (currentEvents == this && !closed) {
          event.run();
          BatchPublisher.this.notifyAll();
        }
      }
    }
  }
}
