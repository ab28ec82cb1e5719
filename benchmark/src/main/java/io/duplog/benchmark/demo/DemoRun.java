package io.duplog.benchmark.demo;

import io.duplog.benchmark.experiment.Experiment;
import io.duplog.benchmark.lab.IngestNode;
import io.duplog.benchmark.lab.Lab;
import io.duplog.benchmark.load.LoadPlan;
import io.duplog.benchmark.load.RedundantSender;
import io.duplog.benchmark.load.Tally;
import io.duplog.benchmark.load.UdpOutlet;
import io.duplog.benchmark.measure.Reconciliation;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Runs the demo: sends messages through a complete Duplog without faults, and compares them with
 * what was delivered.
 */
final class DemoRun extends Experiment {
  private static final Duration MAX_DURATION = Duration.ofDays(365);

  private final Lab lab;
  private final RedundantSender sender;
  private final DemoOutput output;

  private DemoRun(Lab lab, LoadPlan plan, DemoOutput output) throws IOException {
    super(lab.outputs());
    this.lab = lab;
    this.sender = new RedundantSender(plan, new UdpOutlet(lab.receivers()));
    this.output = output;
  }

  /**
   * Starts the lab, and runs the demonstration once.
   *
   * @return the comparison of sent and delivered messages
   * @throws LabException if a server failed, so that there is nothing to compare
   */
  static Reconciliation run(Lab lab, LoadPlan plan, DemoOutput output)
      throws LabException, IOException, InterruptedException {
    lab.start(output::step);
    try (DemoRun run = new DemoRun(lab, plan, output)) {
      output.beginProgress();
      run.start(run.sender);
      run.hold(MAX_DURATION, "the load");
      run.awaitRest();
      output.note(
          "sender: at most %d ms behind its schedule"
              .formatted(TimeUnit.NANOSECONDS.toMillis(run.sender.maxDelayNanos())));
      return run.stopAndCompare();
    }
  }

  @Override
  protected void progress(String phase) throws LabException, IOException {
    output.progress(sender.sent(), sender.copies(), queued(), arrived());
    lab.requireAlive();
  }

  @Override
  protected long queued() throws IOException {
    return lab.queued();
  }

  /**
   * Stops the programs before the comparison, because bridges settle their last batches when they
   * stop.
   */
  private Reconciliation stopAndCompare() throws IOException {
    for (IngestNode node : lab.nodes()) {
      long dropped = node.rsyslog().droppedDatagrams();
      if (dropped > 0) {
        output.note(
            "%s: the kernel dropped %,d datagrams that rsyslog did not fetch in time"
                .formatted(node.stream(), dropped));
      }
    }
    for (String name : lab.stopPrograms()) {
      output.note(name + ": did not end by itself with status 0");
    }
    long unsettledBatches = queued();
    if (unsettledBatches > 0) {
      output.note("%,d batches were left in the queues unsettled".formatted(unsettledBatches));
    }
    merged().finish();
    Reconciliation result = counts();
    output.table(
        result,
        sender.record().requiredTallies().stream().map(Tally::total).toList(),
        merged().linesOfEach());
    if (!result.isExact()) {
      output.printLogEnds(lab.programLogs());
    }
    return result;
  }
}
