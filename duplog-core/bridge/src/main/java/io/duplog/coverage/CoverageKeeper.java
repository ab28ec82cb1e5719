package io.duplog.coverage;

import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.observe.Condition;
import io.duplog.observe.PollingThread;
import io.duplog.senders.SenderInventory;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Updates a bridge's counts of missed messages once a second on its own thread, and logs what the
 * streams missed.
 */
public final class CoverageKeeper {
  private static final Logger log = LoggerFactory.getLogger(CoverageKeeper.class);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Coverage coverage;
  private final LossWatch lossWatch;
  private final SenderInventory senders;
  private final PollingThread thread =
      new PollingThread("coverage", PAUSE, this::runOnce, this::leave);

  /**
   * @param warnPercent percentage of missed messages above which a warning is logged
   */
  public CoverageKeeper(Coverage coverage, int warnPercent, SenderInventory senders) {
    this.coverage = coverage;
    this.senders = senders;
    this.lossWatch = new LossWatch(warnPercent, System::nanoTime);
  }

  /** Returns the condition of a stream's path. */
  public Condition conditionOf(String stream) {
    String subject = "coverage " + stream;
    return lossWatch.conditions().stream()
        .filter(condition -> condition.subject().equals(subject))
        .findFirst()
        .orElse(Condition.ok(subject, "nothing is settled yet"));
  }

  public void start() {
    thread.start();
  }

  private void leave() {
    attempt(coverage::leave);
    attempt(senders::leave);
  }

  void runOnce() {
    attempt(
        () -> {
          coverage.runOnce();
          lossWatch.runOnce(coverage);
          senders.runOnce(); // only after an answer of the store, because it uses the store's time
        });
  }

  private interface Step {
    void take() throws LedgerUnavailableException;
  }

  private static void attempt(Step step) {
    try {
      step.take();
    } catch (LedgerUnavailableException e) {
      log.debug("the store takes no counts at the moment", e);
    }
  }

  /** Stops the thread and waits for its end. The thread writes the last counts first. */
  public void stop() throws InterruptedException {
    thread.close();
    thread.join();
  }
}
