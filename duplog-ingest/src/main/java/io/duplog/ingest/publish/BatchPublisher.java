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
 * The publisher of a node's only stream. One thread of its own connects, sends and sends again. A
 * thread that submits waits only for this object, so that a broker that stops reading its socket
 * can't keep rsyslog from getting its keep-alive.
 */
public final class BatchPublisher implements Publisher {
  private static final Logger log = LoggerFactory.getLogger(BatchPublisher.class);
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** Time limit in milliseconds for the last heartbeat; the broker may have stopped reading. */
  private static final long FAREWELL_MILLIS = 1000;

  private final Broker broker;
  private final long maxOutstandingBytes;
  private final Backoff backoff;
  private final LongSupplier nanoClock;
  private final Thread thread = new Thread(this::run, "publish");

  // Guarded by this; every change notifies the threads that wait.

  private final Outstanding outstanding = new Outstanding();

  private final BrokerStatus brokerStatus;
  private final HeartbeatSchedule heart;

  /** Time in nanoseconds of the last confirm, or of the first publish with none outstanding. */
  private long progressNanos;

  /** Listener of the session that is open or being opened; null after that session has ended. */
  private @Nullable Events currentEvents;

  private boolean closed;

  /** The open session; null if there is none. Only the publishing thread sets it. */
  private volatile Broker.@Nullable Session session;

  /**
   * Makes a publisher.
   *
   * @param name of the broker, for an operator: {@code broker syslog-a (127.0.0.1:5672)}
   * @param maxOutstandingBytes bound on outstanding bodies; one batch is always taken, however
   *     large
   * @param heart with the same clock
   */
  BatchPublisher(
      Broker broker,
      String name,
      long maxOutstandingBytes,
      HeartbeatSchedule heart,
      LongSupplier nanoClock,
      RandomGenerator random) {
    this.broker = broker;
    this.maxOutstandingBytes = maxOutstandingBytes;
    this.heart = heart;
    this.nanoClock = nanoClock;
    this.brokerStatus = new BrokerStatus(name, log, nanoClock);
    this.backoff = new Backoff(FIRST_PAUSE_NANOS, LONGEST_PAUSE_NANOS, random);
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
   * Waits until a condition holds, and returns whether it does. Other threads may take the lock
   * meanwhile.
   */
  private synchronized boolean await(long nanos, BooleanSupplier isSo) throws InterruptedException {
    long since = System.nanoTime();
    while (!isSo.getAsBoolean()) {
      long rest = nanos - (System.nanoTime() - since);
      if (rest <= 0) {
        return false;
      }
      TimeUnit.NANOSECONDS.timedWait(this, rest);
    }
    return true;
  }

  private void pause() throws InterruptedException {
    await(backoff.nextNanos(), () -> closed);
  }

  @Override
  public synchronized List<OutgoingBatch> withdraw() {
    List<OutgoingBatch> given = outstanding.clear();
    notifyAll();
    return given;
  }

  @Override
  public String condition() {
    return brokerStatus.line();
  }

  /**
   * Returns the broker's current failure in one line; {@code well} if there is none. May be called
   * from any thread.
   */
  public String health() {
    return brokerStatus.health();
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    join(thread, FAREWELL_MILLIS);
    Broker.Session open = session;
    if (open != null) {
      // A thread of its own, because a broker that does not read lets nobody write, not even this.
      Thread closing = new Thread(open::close, "close");
      closing.setDaemon(true);
      closing.start();
      join(closing, 2 * FAREWELL_MILLIS);
    }
  }

  private static void join(Thread ending, long millis) {
    try {
      ending.join(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try {
      while (runOnce()) {
        // each turn does one thing
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      log.error("a defect of Duplog's: the shim ends, to be started again", e);
      Runtime.getRuntime().halt(1);
    }
  }

  /**
   * Does the next thing that is due: connects, waits, sends a heartbeat or a batch.
   *
   * @return false once the publisher is closed, and the last heartbeat was sent if possible
   */
  boolean runOnce() throws InterruptedException {
    Broker.Session open = session;
    if (open == null) {
      return connect();
    }
    Step step = next(open);
    if (step == null) {
      return false;
    }
    try {
      step.take(open);
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

  /** An action that is performed without holding the lock, because it may take long. */
  private interface Step {
    void take(Broker.Session open) throws IOException;
  }

  /** Waits for the next action and returns it; null if there will be none any more. */
  private synchronized @Nullable Step next(Broker.Session open) throws InterruptedException {
    Events events = currentEvents;
    while (!closed && events != null && events.leavesNothingToDo()) {
      TimeUnit.NANOSECONDS.timedWait(this, events.restNanos());
      events = currentEvents;
    }
    if (closed) {
      if (events == null || events.blocked || !heart.isWanted()) {
        return null;
      }
      currentEvents = null;
      return beat(true);
    }
    if (events == null) {
      session = null;
      pause();
      return Broker.Session::close; // the connection may still live after its channel has died
    }
    if (events.refused) {
      events.refused = false;
      pause();
      return session -> {};
    }
    if (events.restNanos() <= 0) {
      return beat(false);
    }
    boolean declare = events.declareAgain;
    events.declareAgain = false;
    OutgoingBatch batch = outstanding.take(open.nextSequence());
    return session -> {
      if (declare) {
        session.declareQueues();
      }
      session.publish(batch);
    };
  }

  private Step beat(boolean ending) {
    long stalledNanos = outstanding.isEmpty() ? 0 : nanoClock.getAsLong() - progressNanos;
    Heartbeat heartbeat = heart.beat(outstanding.confirmed(), stalledNanos, queues(), ending);
    return session -> session.beat(heartbeat);
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
   * Listener of one session. It ignores everything once the session is over or the publisher
   * closed.
   */
  private final class Events implements Broker.Listener {
    // Guarded by the publisher's lock.
    private boolean blocked;
    private boolean declareAgain;
    private boolean refused;

    boolean leavesNothingToDo() {
      return !refused && restNanos() > 0 && (blocked || !outstanding.hasWaiting());
    }

    /**
     * Returns the time in nanoseconds until the next heartbeat. A broker that blocks publishers
     * gets no heartbeats, so that the bridges notice.
     */
    long restNanos() {
      return blocked ? Long.MAX_VALUE : heart.restNanos();
    }

    @Override
    public void acked(long sequence, boolean multiple) {
      whileCurrent(
          () -> {
            List<OutgoingBatch> again = outstanding.told(sequence, multiple, true);
            if (!again.isEmpty()) {
              declareAgain = true;
              refused("has no queue%s for what was published, it was deleted", again);
              return;
            }
            progressNanos = nanoClock.getAsLong();
            if (!outstanding.hasRefused()) { // one queue may be full while others are not
              backoff.reset();
              if (!blocked) {
                brokerStatus.recovered();
              }
            }
          });
    }

    @Override
    public void nacked(long sequence, boolean multiple) {
      whileCurrent(
          () -> {
            List<OutgoingBatch> again = outstanding.told(sequence, multiple, false);
            if (!again.isEmpty()) {
              refused("rejects what is published (queue%s full, or not able to store it)", again);
            }
          });
    }

    private void refused(String words, List<OutgoingBatch> again) {
      refused = true;
      brokerStatus.occurred(words.formatted(broker.nameOfQueue(again.get(0))));
    }

    @Override
    public void returned(String id) {
      whileCurrent(() -> outstanding.returned(id));
    }

    @Override
    public void blocked(String reason) {
      whileCurrent(
          () -> {
            blocked = true;
            brokerStatus.occurred("blocks publishers (" + reason + ")");
          });
    }

    @Override
    public void unblocked() {
      whileCurrent(
          () -> {
            blocked = false;
            brokerStatus.recovered();
          });
    }

    @Override
    public void tooLarge(String reply) {
      whileCurrent(
          () -> {
            OutgoingBatch largest = outstanding.sizeRefused();
            over(largest == null ? "lost (" + reply + ")" : largest.tooLarge(reply));
          });
    }

    @Override
    public void lost(String cause) {
      whileCurrent(() -> over(cause));
    }

    private void over(String cause) {
      currentEvents = null;
      outstanding.sessionLost();
      brokerStatus.occurred(cause);
    }

    private void whileCurrent(Runnable event) {
      synchronized (BatchPublisher.this) {
        if (currentEvents == this && !closed) {
          event.run();
          BatchPublisher.this.notifyAll();
        }
      }
    }
  }
}
