package io.duplog.simulate;

/** A bridge's process, as far as it is a process: it lives, hangs, and dies. */
abstract class SimulatedProcess {
  final World world;
  boolean dead;
  private long frozenUntil;

  SimulatedProcess(World world) {
    this.world = world;
  }

  /** How late the system is to let a thread run. */
  final long jitter() {
    return 10_000L + world.random.nextInt(200_000);
  }

  final void kill() {
    dead = true;
  }

  /** Stops all its threads for a while, as SIGSTOP does. Its connections stay. */
  final void freeze(long nanos) {
    frozenUntil = world.timeline.nanos() + nanos;
  }

  final long frozenNanos() {
    return frozenUntil - world.timeline.nanos();
  }

  /** Waits as one of its threads. */
  final void sleep(long nanos) {
    world.timeline.sleep(nanos);
    while (!dead && frozenNanos() > 0) {
      world.timeline.sleep(frozenNanos());
    }
    if (dead) {
      throw new Timeline.Killed();
    }
  }

  /** Something came that its threads may wait for. */
  abstract void wake();

  /** One of its threads ended by an exception that production does not expect. */
  abstract void defect(String thread, Throwable cause);
}
