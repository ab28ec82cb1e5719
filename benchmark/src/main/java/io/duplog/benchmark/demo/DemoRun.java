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

/** The demonstration: sends a whole plan to a lab in which nothing fails, and then stops it. */
final class DemoRun extends Experiment {
  private static final Duration UNTIL_ALL_IS_SENT = Duration.ofDays(365);

  private final Lab lab;
  private final RedundantSender sender;
  private final DemoOutput out;

  private DemoRun(Lab lab, LoadPlan plan, DemoOutput out) throws IOException {
    super(lab.outputs());
    this.lab = lab;
    this.sender = new RedundantSender(plan, new UdpOutlet(lab.receivers()));
    this.out = out;
  }

  /**
   * Starts the lab, and runs the demonstration once.
   *
   * @return the comparison of sent and delivered messages
   * @throws LabException if a server failed, so that there is nothing to compare
   */
  static Reconciliation run(Lab lab, LoadPlan plan, DemoOutput out)
      throws LabException, IOException, InterruptedException {
    lab.start(out::step);
    try (DemoRun run = new DemoRun(lab, plan, out)) {
      out.beginProgress();
      run.start(run.sender);
      run.hold(UNTIL_ALL_IS_SENT, "the load");
      run.awaitRest();
      out.note(
          "sender: at most %d ms behind its schedule"
              .formatted(TimeUnit.NANOSECONDS.toMillis(run.sender.mostBehindNanos())));
      return run.stopAndCompare();
    }
  }

  @Override
  protected void progress(String phase) throws LabException, IOException {
    out.progress(sender.sent(), sender.copies(), queued(), arrived());
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
        out.note(
            "%s: the kernel dropped %,d datagrams that rsyslog did not fetch in time"
                .formatted(node.stream(), dropped));
      }
    }
    for (String name : lab.stopPrograms()) {
      out.note(name + ": did not end by itself with status 0");
    }
    long left = queued();
    if (left > 0) {
      out.note("%,d batches were left in the queues unsettled".formatted(left));
    }
    merged().finish();
    Reconciliation result = counts();
    out.table(
        result,
        sender.record().promised().stream().map(Tally::total).toList(),
        merged().linesOfEach());
    if (!result.isExact()) {
      out.lastWords(lab.programLogs());
    }
    return result;
  }
}
