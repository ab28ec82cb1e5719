package io.duplog.coverage;

import io.duplog.coverage.senders.Senders;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.observe.PollingThread;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Updates a bridge's coverage once a second on its own thread, and logs what streams miss. */
public final class CoverageKeeper {
  private static final Logger log = LoggerFactory.getLogger(CoverageKeeper.class);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Coverage coverage;
  private final LossWatch loss;
  private final Senders senders;
  private final PollingThread thread =
      new PollingThread("coverage", PAUSE, this::runOnce, this::leave);

  /**
   * @param warnPercent percentage of messages that a stream may miss without a warning
   */
  public CoverageKeeper(Coverage coverage, int warnPercent, Senders senders) {
    this.coverage = coverage;
    this.senders = senders;
    this.loss = new LossWatch(warnPercent, System::nanoTime);
  }

  public void start() {
    thread.start();
  }

  private void leave() {
    try {
      coverage.leave();
      senders.leave();
    } catch (LedgerUnavailableException e) {
      log.debug("what was counted last is not told to the other bridges", e);
    }
  }

  private void runOnce() {
    try {
      coverage.runOnce();
      loss.runOnce(coverage);
      senders.runOnce();
    } catch (LedgerUnavailableException e) {
      log.debug("the store takes no counts at the moment", e);
    }
  }

  /** Stops the thread after it has added the last counts to the shared sums; waits for its end. */
  public void stop() throws InterruptedException {
    thread.close();
    thread.join();
  }
}
