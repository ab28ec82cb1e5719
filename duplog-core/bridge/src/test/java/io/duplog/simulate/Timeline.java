package io.duplog.simulate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Simulates time for a run: events take place one after the other, in the order of their times.
 * Time jumps from event to event.
 *
 * <p>An event may {@link #sleep}, like a thread that waits for an answer. Other events take place
 * meanwhile, on another thread of the pool, but never two at once. A thread hands the timeline on,
 * and continues when it is handed back. The real threads' timing therefore has no influence.
 */
final class Timeline {
  private static final ExecutorService POOL =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "timeline");
            thread.setDaemon(true);
            return thread;
          });

  /** Thrown to end what a dead process was just doing. Production code never catches it. */
  static final class Killed extends Error {
    private static final long serialVersionUID = 1;

    Killed() {
      super("killed", null, false, false);
    }
  }

  private record Event(long at, long order, Runnable action, @Nullable Sleeper sleeper)
      implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      return at == other.at ? Long.compare(order, other.order) : Long.compare(at, other.at);
    }
  }

  private static final class Sleeper {
    final Semaphore wake = new Semaphore(0);
    volatile boolean ended;
  }

  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final Set<Sleeper> asleep = new LinkedHashSet<>();
  private final Semaphore over = new Semaphore(0);
  private final Semaphore unwound = new Semaphore(0);
  private long nanos = Duration.ofHours(1).toNanos();
  private long orders;
  private long steps;
  private BooleanSupplier isOver = () -> false;
  private volatile boolean finished;
  private @Nullable Throwable failure;

  long nanos() {
    return nanos;
  }

  /** Returns how many events have taken place. */
  long steps() {
    return steps;
  }

  void after(long delayNanos, Runnable action) {
    events.add(new Event(nanos + Math.max(0, delayNanos), orders++, action, null));
  }

  /** Waits within an event, while other events take place. */
  void sleep(long delayNanos) {
    Sleeper sleeper = new Sleeper();
    asleep.add(sleeper);
    events.add(new Event(nanos + Math.max(0, delayNanos), orders++, () -> {}, sleeper));
    POOL.execute(this::loop);
    sleeper.wake.acquireUninterruptibly();
    if (sleeper.ended) {
      unwound.release();
      throw new Killed();
    }
  }

  /** Lets time pass until the condition holds after an event, or no event is left. */
  void run(BooleanSupplier until) {
    isOver = until;
    POOL.execute(this::loop);
    over.acquireUninterruptibly();
    finished = true;
    List<Sleeper> left = new ArrayList<>(asleep);
    for (Sleeper sleeper : left) {
      sleeper.ended = true;
      sleeper.wake.release();
      unwound.acquireUninterruptibly();
    }
    if (failure != null) {
      throw new AssertionError("the simulation failed", failure);
    }
  }

  private void loop() {
    try {
      while (!finished && !isOver.getAsBoolean()) {
        Event next = events.poll();
        if (next == null) {
          break;
        }
        nanos = Math.max(nanos, next.at());
        steps++;
        Sleeper sleeper = next.sleeper();
        if (sleeper != null) {
          asleep.remove(sleeper);
          sleeper.wake.release();
          return; // the sleeper's thread continues the loop after its event
        }
        next.action().run();
      }
    } catch (Killed e) {
      return;
    } catch (Throwable e) {
      failure = e;
    }
    if (!finished) {
      over.release();
    }
  }
}
