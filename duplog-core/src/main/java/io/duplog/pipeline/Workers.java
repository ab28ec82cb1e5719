package io.duplog.pipeline;

import io.duplog.receive.Delivery;
import io.duplog.receive.HeldBytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The threads that decode deliveries and have them judged. Their queue needs no bound of its own:
 * what stands in it is within the prefetch, and is decoded only while there is room for it.
 */
public final class Workers {
  private static final long ROOM_CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final long FIRST_RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final int MOST_DOUBLINGS = 6;

  /** A batch that another holder works on at the moment. */
  private record Parked(InFlightBatch inFlight, long retryAtNanos) {}

  private final Intake intake;
  private final Settler settler;
  private final HeldBytes heldBytes;
  private final LongSupplier nanoClock;
  private final BlockingQueue<Runnable> work = new LinkedBlockingQueue<>();
  private final Queue<Parked> parked = new ConcurrentLinkedQueue<>();

  /** What is in the queue or being worked on. */
  private final AtomicInteger unfinished = new AtomicInteger();

  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean stopping;

  public Workers(
      Intake intake, Settler settler, HeldBytes heldBytes, int count, LongSupplier nanoClock) {
    this.intake = intake;
    this.settler = settler;
    this.heldBytes = heldBytes;
    this.nanoClock = nanoClock;
    for (int i = 0; i < count; i++) {
      threads.add(new Thread(this::run, "judge-" + i));
    }
  }

  public void start() {
    threads.forEach(Thread::start);
  }

  /** Any thread. */
  public void take(Delivery delivery) {
    if (intake.takeHeartbeat(delivery)) {
      return;
    }
    add(
        () -> {
          awaitRoom();
          if (stopping) {
            delivery.forget();
            return;
          }
          InFlightBatch inFlight = intake.take(delivery);
          if (inFlight != null) {
            settler.judge(inFlight);
          }
        });
  }

  /** A decoded batch takes more memory than its body. One at a time there is always room for. */
  private void awaitRoom() {
    while (heldBytes.isFull() && settler.held() > 0 && !stopping) {
      LockSupport.parkNanos(this, ROOM_CHECK_NANOS);
    }
  }

  /** Keeps a batch and has it judged again after a pause that grows each time. Any thread. */
  public void park(InFlightBatch inFlight) {
    int doublings = Math.min(inFlight.timesParked() - 1, MOST_DOUBLINGS);
    parked.add(new Parked(inFlight, nanoClock.getAsLong() + (FIRST_RETRY_NANOS << doublings)));
  }

  /** Has the parked batches judged again whose pause is over. */
  public void retryParked() {
    long now = nanoClock.getAsLong();
    for (int i = parked.size(); i > 0; i--) {
      Parked next = parked.poll();
      if (next == null) {
        return;
      }
      if (now - next.retryAtNanos() >= 0) {
        add(() -> settler.judge(next.inFlight()));
      } else {
        parked.add(next);
      }
    }
  }

  /** From now on judges nothing that is not being judged already; the rest comes again. */
  public void stopTaking() {
    stopping = true;
    parked.clear();
  }

  public boolean isIdle() {
    return unfinished.get() == 0;
  }

  public void stop() {
    threads.forEach(Thread::interrupt);
  }

  private void add(Runnable task) {
    unfinished.incrementAndGet();
    work.add(task);
  }

  private void run() {
    while (true) {
      Runnable next;
      try {
        next = work.take();
      } catch (InterruptedException e) {
        return;
      }
      perform(next);
    }
  }

  /**
   * Does what waits longest, as a thread would.
   *
   * @return whether there was anything
   */
  public boolean runOnce() {
    @Nullable Runnable next = work.poll();
    if (next == null) {
      return false;
    }
    perform(next);
    return true;
  }

  private void perform(Runnable task) {
    task.run();
    unfinished.decrementAndGet();
  }
}
