package io.duplog.coverage;

import io.duplog.dedup.LedgerUnavailableException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread that keeps a bridge's coverage up to date, once a second. */
public final class CoverageKeeper {
  private static final Logger log = LoggerFactory.getLogger(CoverageKeeper.class);
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Coverage coverage;
  private final LossWatch loss;
  private final Thread thread = new Thread(this::run, "coverage");
  private volatile boolean stopped;

  /**
   * @param warnPercent of what a stream may miss without a warning
   */
  public CoverageKeeper(Coverage coverage, int warnPercent) {
    this.coverage = coverage;
    this.loss = new LossWatch(warnPercent, System::nanoTime);
    thread.setDaemon(true);
  }

  public void start() {
    thread.start();
  }

  private void run() {
    while (!stopped) {
      runOnce();
      LockSupport.parkNanos(this, PAUSE_NANOS);
    }
    try {
      coverage.leave();
    } catch (LedgerUnavailableException e) {
      log.debug("what was counted last is not told to the other bridges", e);
    }
  }

  private void runOnce() {
    try {
      coverage.runOnce();
      loss.runOnce(coverage);
    } catch (LedgerUnavailableException e) {
      log.debug("the store takes no counts at the moment", e);
    } catch (RuntimeException e) {
      log.error("coverage failed; messages are merged all the same", e);
    }
  }

  /** Hands over what was counted last, and ends. */
  public void stop() throws InterruptedException {
    stopped = true;
    LockSupport.unpark(thread);
    thread.join();
  }
}
