package io.duplog.ingest.publish;

import io.duplog.observe.Backoff;
import io.duplog.wire.Heartbeat;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The publisher of a node's only stream. One thread of its own connects, sends and sends again;
 * whoever submits only ever waits for this object, so that a broker that stops reading its socket
 * can't keep rsyslog from getting its keep-alive.
 */
public final class BatchPublisher implements Publisher {
  private static final Logger log = LoggerFactory.getLogger(BatchPublisher.class);
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** For the last heartbeat, to a broker that may not read its socket. */
  private static final long FAREWELL_MILLIS = 1000;

  private final Broker broker;
  private final long maxOutstandingBytes;
  private final Backoff backoff;
  private final LongSupplier nanoClock;
  private final Thread thread = new Thread(this::run, "publish");

  // Guarded by this, which is told of whatever changes.

  private final Outstanding outstanding = new Outstanding();

  private final Standing standing;
  private final Heart heart;

  /** When something was confirmed last, or began to wait for that where nothing had. */
  private long progressNanos;

  private @Nullable Events current;
  private boolean blocked;
  private boolean declareAgain;
  private boolean refused;
  private boolean closed;

  /** Written by the publishing thread alone, read by the one that closes. */
  private volatile Broker.@Nullable Session session;

  /**
   * @param name the broker in a line for an operator: {@code broker syslog-a (127.0.0.1:5672)}
   * @param maxOutstandingBytes bodies; one batch is always taken, however large
   * @param heart by the same clock
   */
  BatchPublisher(
      Broker broker,
      String name,
      long maxOutstandingBytes,
      Heart heart,
      LongSupplier nanoClock,
      RandomGenerator random) {
    this.broker = broker;
    this.maxOutstandingBytes = maxOutstandingBytes;
    this.heart = heart;
    this.nanoClock = nanoClock;
    this.standing = new Standing(name, log, nanoClock);
    this.backoff = new Backoff(FIRST_PAUSE_NANOS, LONGEST_PAUSE_NANOS, random);
    thread.setDaemon(true);
  }

  /** Begins to connect. */
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
    return await(nanos, maxOutstandingBytes);
  }

  @Override
  public boolean awaitConfirmed(long nanos) throws InterruptedException {
    return await(nanos, 0);
  }

  private synchronized boolean await(long nanos, long bytes) throws InterruptedException {
    long since = System.nanoTime();
    while (outstanding.bytes() > bytes) {
      long rest = nanos - (System.nanoTime() - since);
      if (rest <= 0) {
        return false;
      }
      TimeUnit.NANOSECONDS.timedWait(this, rest);
    }
    return true;
  }

  @Override
  public synchronized List<OutgoingBatch> withdraw() {
    List<OutgoingBatch> given = outstanding.clear();
    notifyAll();
    return given;
  }

  @Override
  public String condition() {
    return standing.line();
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      current = null;
      notifyAll();
    }
    try {
      thread.join(FAREWELL_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Broker.Session open = session;
    if (open != null) {
      open.close();
    }
  }

  private void run() {
    try {
      while (runOnce()) {
        // each turn does one thing
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Does the one thing that is to be done next: connect, wait, send a heartbeat or a batch.
   *
   * @return false once closed, and the last heartbeat sent where that is possible
   */
  boolean runOnce() throws InterruptedException {
    Broker.Session open = session;
    if (open == null) {
      return connect();
    }
    OutgoingBatch batch = null;
    Heartbeat heartbeat = null;
    boolean declare = false;
    boolean ending;
    synchronized (this) {
      while (nothingToDo()) {
        // A broker that blocks takes no heartbeats: they end, and so the bridges learn of it.
        TimeUnit.NANOSECONDS.timedWait(this, blocked ? Long.MAX_VALUE : heart.restNanos());
      }
      ending = closed;
      if (ending) {
        if (blocked || !heart.isWanted()) {
          return false;
        }
        heartbeat = beat(true);
      } else if (current == null) {
        session = null;
        pause();
      } else if (refused) {
        refused = false;
        pause();
        return true;
      } else if (isHeartbeatDue()) {
        heartbeat = beat(false);
      } else {
        declare = declareAgain;
        declareAgain = false;
        batch = outstanding.take(open.nextSequence());
      }
    }
    if (batch == null && heartbeat == null) {
      // The channel may be gone while its connection lives on.
      open.close();
      return true;
    }
    try {
      if (heartbeat != null) {
        open.beat(heartbeat);
      }
      if (declare) {
        open.declareQueues();
      }
      if (batch != null) {
        open.publish(batch);
      }
    } catch (IOException e) {
      abandon(open, String.valueOf(e.getMessage()));
    }
    return !ending;
  }

  private Heartbeat beat(boolean ending) {
    return heart.beat(outstanding.confirmed(), stalledNanos(), queues(), ending);
  }

  private boolean nothingToDo() {
    return !closed
        && current != null
        && !refused
        && !isHeartbeatDue()
        && (blocked || !outstanding.hasWaiting());
  }

  private boolean isHeartbeatDue() {
    return !blocked && heart.restNanos() <= 0;
  }

  private long stalledNanos() {
    return outstanding.isEmpty() ? 0 : nanoClock.getAsLong() - progressNanos;
  }

  private boolean connect() throws InterruptedException {
    Events events = new Events();
    synchronized (this) {
      if (closed) {
        return false;
      }
      current = events;
      blocked = false;
      refused = false;
      declareAgain = false;
    }
    try {
      Broker.Session opened = broker.connect(events);
      session = opened;
      synchronized (this) {
        standing.connected();
        if (outstanding.isEmpty()) {
          standing.recovered();
        }
        if (closed) {
          opened.close();
        }
      }
    } catch (IOException e) {
      synchronized (this) {
        standing.occurred(String.valueOf(e.getMessage()));
        pause();
      }
    }
    return true;
  }

  /** Only with the lock held, which is free for others meanwhile. */
  private void pause() throws InterruptedException {
    long since = System.nanoTime();
    long pause = backoff.nextNanos();
    for (long rest = pause; rest > 0 && !closed; rest = pause - (System.nanoTime() - since)) {
      TimeUnit.NANOSECONDS.timedWait(this, rest);
    }
  }

  private void abandon(Broker.Session open, String cause) {
    synchronized (this) {
      if (current != null) {
        current.lost(cause);
      }
    }
    open.close();
  }

  /** What one session tells; nothing any more once another has begun. */
  private final class Events implements Broker.Listener {
    @Override
    public void acked(long sequence, boolean multiple) {
      whileCurrent(
          () -> {
            List<OutgoingBatch> again = outstanding.acked(sequence, multiple);
            if (!again.isEmpty()) {
              declareAgain = true;
              refused = true;
              standing.occurred(
                  "has no queue%s for what was published, it was deleted"
                      .formatted(broker.nameOfQueue(again.get(0))));
            } else {
              progressNanos = nanoClock.getAsLong();
              if (!outstanding.hasRefused()) { // one queue may be full while others are not
                backoff.reset();
                if (!blocked) {
                  standing.recovered();
                }
              }
            }
          });
    }

    @Override
    public void nacked(long sequence, boolean multiple) {
      whileCurrent(
          () -> {
            List<OutgoingBatch> again = outstanding.nacked(sequence, multiple);
            if (!again.isEmpty()) {
              refused = true;
              standing.occurred(
                  "rejects what is published (queue%s full, or not able to store it)"
                      .formatted(broker.nameOfQueue(again.get(0))));
            }
          });
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
            standing.occurred("blocks publishers (" + reason + ")");
          });
    }

    @Override
    public void unblocked() {
      whileCurrent(
          () -> {
            blocked = false;
            standing.recovered();
          });
    }

    @Override
    public void tooLarge(String reply) {
      whileCurrent(
          () -> {
            OutgoingBatch largest = outstanding.sizeRefused();
            current = null;
            outstanding.sessionLost();
            standing.occurred(sizeRefused(largest, reply));
          });
    }

    private String sizeRefused(@Nullable OutgoingBatch largest, String reply) {
      if (largest == null) {
        return "lost (" + reply + ")";
      }
      return largest.envelope().count() > 1
          ? "takes no batch of %d bytes (%s), from now on in parts"
              .formatted(largest.body().length, reply)
          : "takes no message of %d bytes (%s), raise its max_message_size above omprog.max-message"
              .formatted(largest.body().length, reply);
    }

    @Override
    public void lost(String cause) {
      whileCurrent(
          () -> {
            current = null;
            outstanding.sessionLost();
            standing.occurred(cause);
          });
    }

    private void whileCurrent(Runnable event) {
      synchronized (BatchPublisher.this) {
        if (current == this) {
          event.run();
          BatchPublisher.this.notifyAll();
        }
      }
    }
  }
}
