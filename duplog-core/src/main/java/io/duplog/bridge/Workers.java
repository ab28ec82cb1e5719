package io.duplog.bridge;

import io.duplog.receive.Delivery;
import io.duplog.settle.Holding;
import io.duplog.settle.Settler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads that decode deliveries and have them judged. Their queue needs no bound of its own:
 * what stands in it is within the prefetch.
 */
final class Workers {
  private static final Logger log = LoggerFactory.getLogger(Workers.class);

  private final Intake intake;
  private final Settler settler;
  private final BlockingQueue<Runnable> work = new LinkedBlockingQueue<>();

  /** Batches that another holder works on at the moment. */
  private final ConcurrentLinkedQueue<Holding> parked = new ConcurrentLinkedQueue<>();

  private final AtomicInteger busy = new AtomicInteger();
  private final List<Thread> threads = new ArrayList<>();

  Workers(Intake intake, Settler settler, int count) {
    this.intake = intake;
    this.settler = settler;
    for (int i = 0; i < count; i++) {
      threads.add(new Thread(this::run, "judge-" + i));
    }
  }

  void start() {
    threads.forEach(Thread::start);
  }

  /** Any thread. */
  void take(Delivery delivery) {
    work.add(
        () -> {
          Holding holding = intake.take(delivery);
          if (holding != null) {
            settler.judge(holding);
          }
        });
  }

  /** Keeps a batch until the next {@link #retryParked}. Any thread. */
  void park(Holding holding) {
    parked.add(holding);
  }

  /** Has all parked batches judged again. */
  void retryParked() {
    for (int i = parked.size(); i > 0; i--) {
      Holding holding = parked.poll();
      if (holding != null) {
        work.add(() -> settler.judge(holding));
      }
    }
  }

  /** Gives up what is not judged yet; it comes again. */
  void dropUnjudged() {
    work.clear();
    parked.clear();
  }

  boolean isIdle() {
    return work.isEmpty() && busy.get() == 0;
  }

  void stop() {
    threads.forEach(Thread::interrupt);
  }

  private void run() {
    while (true) {
      Runnable next;
      try {
        next = work.take();
      } catch (InterruptedException e) {
        return;
      }
      busy.incrementAndGet();
      try {
        next.run();
      } catch (RuntimeException e) {
        log.error("a batch could not be judged; it stays unacknowledged", e);
      } finally {
        busy.decrementAndGet();
      }
    }
  }
}
