package io.duplog.simulate;

import java.util.function.LongSupplier;

/**
 * Takes the place of one thread of a simulated process: repeats the thread's step in simulated
 * time.
 */
final class Actor {
  /** Pause of a step that has nothing to do until the actor is woken. */
  static final long NEVER = Long.MAX_VALUE;

  private final SimulatedBridge process;
  private final String name;
  private final LongSupplier step;
  private boolean busy;
  private boolean wanted;

  /** Number of the event that takes the next step; earlier events no longer take one. */
  private long turn;

  /**
   * @param step returns for how many nanoseconds it has nothing to do; it may sleep
   */
  Actor(SimulatedBridge process, String name, LongSupplier step) {
    this.process = process;
    this.name = name;
    this.step = step;
  }

  /** Called when something happened that may concern the actor. */
  void wake() {
    if (busy) {
      wanted = true;
    } else {
      plan(process.jitter());
    }
  }

  private void plan(long delayNanos) {
    long own = ++turn;
    process.world.timeline.after(delayNanos, () -> take(own));
  }

  private void take(long own) {
    if (own != turn || process.dead) {
      return;
    }
    long frozen = process.frozenNanos();
    if (frozen > 0) {
      plan(frozen);
      return;
    }
    busy = true;
    wanted = false;
    long pause;
    try {
      pause = step.getAsLong();
    } catch (Timeline.Killed e) {
      if (!process.dead) {
        throw e; // the world has ended
      }
      return;
    } catch (RuntimeException | InternalError e) {
      process.defect(name, e);
      return;
    } finally {
      busy = false;
    }
    if (wanted || pause < NEVER) {
      plan(wanted ? process.jitter() : Math.max(pause, process.jitter()));
    }
  }
}
