package io.duplog.pipeline;

import io.duplog.deliver.DeliveryRequest;
import io.duplog.deliver.Sink;
import io.duplog.receive.Delivery;
import io.duplog.receive.HeldBytes;
import io.duplog.receive.RefusedMessages;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes each batch through the bridge: receive, decode, judge, deliver, settle. Each stage is a
 * method, in this order, below a comment that names its thread.
 *
 * <p>A batch has one {@link InFlightBatch} from its decoding until it is settled or forgotten. A
 * delivery ends in one of three ways:
 *
 * <ul>
 *   <li>The bridge settles it, which acknowledges it.
 *   <li>The bridge forgets it, because its channel is lost or the bridge stops. The broker
 *       redelivers it.
 *   <li>Its body can't be decoded, and goes to the dead-letter queue.
 * </ul>
 */
public final class Pipeline {
  private static final long ROOM_CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final DeliveryDecoder decoder;
  private final Judge judge;
  private final Sink sink;
  private final RefusedMessages refusedMessages;
  private final Settler settler;
  private final Workers workers;
  private final HeldBytes heldBytes;
  private final Observer observer;
  private final boolean deliverDropped;
  private final LongSupplier nanoClock;

  /**
   * Creates a pipeline. {@link #start} starts its threads.
   *
   * @param ledgers the ledgers that judge. The caller closes them.
   * @param sink the sink that delivers. The caller closes it.
   * @param heldBytes the bytes that the deliveries of all queues hold
   * @param observer called when something happens to a batch
   * @param nanoClock {@code System::nanoTime}, or a test's clock
   */
  public Pipeline(
      PipelineSettings settings,
      DeliveryDecoder decoder,
      Ledgers ledgers,
      ReadBrokers brokers,
      Sink sink,
      RefusedMessages refusedMessages,
      HeldBytes heldBytes,
      Observer observer,
      LongSupplier nanoClock) {
    this.decoder = decoder;
    this.sink = sink;
    this.refusedMessages = refusedMessages;
    this.heldBytes = heldBytes;
    this.observer = observer;
    this.deliverDropped = settings.deliverDropped();
    this.nanoClock = nanoClock;
    List<LedgerSession> parts = LedgerSession.of(ledgers.parts(), brokers, settings, nanoClock);
    List<LedgerSession> fallbacks =
        LedgerSession.of(ledgers.behind(), brokers, settings, nanoClock);
    this.judge = new Judge(parts, fallbacks, brokers, observer, nanoClock);
    this.settler = new Settler(parts, fallbacks, settings, nanoClock);
    this.workers = new Workers(settings.workers(), nanoClock);
  }

  // ---- receive: a thread of the AMQP client

  /**
   * Accepts a delivery and returns immediately. Settles a heartbeat, and queues a batch for a
   * worker.
   */
  public void received(Delivery delivery) {
    if (!decoder.takeHeartbeat(delivery)) {
      workers.execute(() -> decode(delivery));
    }
  }

  // ---- decode: a worker

  private void decode(Delivery delivery) {
    if (!awaitRoom()) {
      delivery.forget(); // the bridge is stopping
      return;
    }
    InFlightBatch batch = decoder.take(delivery, this);
    if (batch != null) { // null if it becomes a dead letter, or is given back
      judge(batch);
    }
  }

  /**
   * Waits until there is room, because a decoded batch takes more memory than its body. Does not
   * wait while no batch is held.
   *
   * @return false if the bridge is stopping
   */
  private boolean awaitRoom() {
    while (heldBytes.isFull() && settler.held() > 0 && !workers.isStopping()) {
      LockSupport.parkNanos(this, ROOM_CHECK_NANOS);
    }
    return !workers.isStopping();
  }

  // ---- judge: the same worker

  void judge(InFlightBatch batch) {
    if (batch.isLost()) {
      batch.forget();
      return;
    }
    settler.add(batch);
    BitSet kept = judge.ask(batch);
    if (kept == null) {
      settler.remove(batch);
      batch.postponed();
      workers.executeLater(batch.postponements(), batch, () -> judge(batch));
    } else if (kept.isEmpty()) {
      settler.delivered(batch); // there is nothing to deliver
    } else {
      deliver(batch, kept);
    }
  }

  // ---- deliver: the same worker; for dropped copies that are released, the settling thread

  void deliver(InFlightBatch batch, BitSet copies) {
    if (batch.bypassed()) {
      observer.passed(batch);
    }
    DeliveryRequest delivery = batch.request(copies, deliverDropped, nanoClock.getAsLong());
    observer.delivering(delivery);
    sink.deliver(delivery);
  }

  // ---- callbacks of the sink: a thread of the sink

  void accepted(InFlightBatch batch) {
    observer.delivered(batch); // before it may be settled
    settler.delivered(batch);
    observer.settlingDue();
  }

  void withdrawn(InFlightBatch batch) {
    settler.withdrawn(batch);
  }

  void refused(
      InFlightBatch batch, int message, @Nullable String sink, String reason, Runnable kept) {
    refusedMessages.add(
        batch.stream(), batch.batch(), message, batch.receivedMillis(), sink, reason, kept);
  }

  // ---- settle: the settling thread

  /**
   * Settles all batches that can be settled, and delivers released copies.
   *
   * @return whether batches wait for others, so that the next call should follow soon
   */
  public boolean runOnce() {
    settler.takeSinkResults();
    settler.advanceLedgers();
    settler.settleOrRelease().forEach(this::deliver);
    return settler.isWaiting();
  }

  /**
   * Queues the postponed batches whose pause is over, for the workers to judge. Called on the
   * settling thread.
   */
  public void retryPostponed() {
    workers.retryPostponed();
  }

  Observer observer() {
    return observer;
  }

  // ---- the whole pipeline

  /** Starts the worker threads, which decode and judge. */
  public void start() {
    workers.start();
  }

  /** Stops judging further batches. The broker redelivers them. */
  public void stopTaking() {
    workers.stopTaking();
  }

  /** Interrupts the worker threads, so that they end. */
  public void stop() {
    workers.stop();
  }

  /** Whether no batch is in progress or waits to be settled. Thread-safe. */
  public boolean isIdle() {
    return workers.isIdle() && settler.held() == 0;
  }

  /**
   * Returns the number of batches that are being judged, or are judged and neither settled nor
   * forgotten. Thread-safe.
   */
  public int held() {
    return settler.held();
  }

  /** Whether the sink has had a batch for longer than the hold limit. Thread-safe. */
  public boolean isOverdue() {
    return settler.isOverdue();
  }

  /**
   * Performs the task that a worker would perform next.
   *
   * @return whether there was one
   */
  public boolean workOnce() {
    return workers.runOnce();
  }

  /** Returns the workers with the postponed batches, for the tests' explorer. */
  Workers workers() {
    return workers;
  }

  /** Returns the whole state as text, by which the tests' explorer recognises equal states. */
  String fingerprint() {
    return settler.fingerprint();
  }
}
