package io.duplog.benchmark.demo;

import io.duplog.benchmark.lab.IngestNode;
import io.duplog.benchmark.lab.Lab;
import io.duplog.benchmark.load.LoadPlan;
import io.duplog.benchmark.load.RedundantSender;
import io.duplog.benchmark.load.Tally;
import io.duplog.benchmark.load.UdpOutlet;
import io.duplog.benchmark.measure.Drain;
import io.duplog.benchmark.measure.MergedStream;
import io.duplog.benchmark.measure.Reconciliation;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** Runs one demonstration: sends messages to a lab, waits for the last ones, and compares. */
final class DemoRun {
  private static final long PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long DRAIN_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Lab lab;
  private final DemoOutput out;
  private final List<Tally> sent;
  private final UdpOutlet udp;
  private final RedundantSender sender;
  private final MergedStream merged;

  private DemoRun(Lab lab, LoadPlan plan, DemoOutput out) throws IOException {
    this.lab = lab;
    this.out = out;
    this.sent = Stream.generate(Tally::new).limit(plan.streams()).toList();
    this.udp = new UdpOutlet(lab.receivers());
    this.sender =
        new RedundantSender(
            plan,
            (stream, serial, message) -> {
              sent.get(stream).add(serial);
              udp.send(stream, message);
            });
    this.merged = new MergedStream(lab.outputs(), sender.texts());
  }

  /**
   * Runs the demonstration once.
   *
   * @return the comparison of sent and delivered messages
   * @throws LabException if a server failed, so that there is nothing to compare
   */
  static Reconciliation run(Lab lab, LoadPlan plan, DemoOutput out)
      throws LabException, IOException, InterruptedException {
    lab.start(out::step);
    out.beginProgress();
    return new DemoRun(lab, plan, out).run();
  }

  private Reconciliation run() throws LabException, IOException, InterruptedException {
    try (udp) {
      send();
      drain();
      out.note(behind());
    }
    return stopAndCompare();
  }

  private void send() throws LabException, IOException, InterruptedException {
    Future<?> sending = sender.start();
    try {
      while (true) {
        try {
          sending.get(PROGRESS_NANOS, TimeUnit.NANOSECONDS);
          showProgress();
          return;
        } catch (TimeoutException e) {
          showProgress();
          lab.requireAlive();
        }
      }
    } catch (ExecutionException e) {
      throw new IOException("the sender failed: " + e.getCause(), e);
    } finally {
      sender.stop();
    }
  }

  private void drain() throws LabException, IOException, InterruptedException {
    Drain drain = new Drain(sender.messages());
    long shownNanos = System.nanoTime();
    while (!drain.isOver(merged.poll(), lab.queued(), System.nanoTime())) {
      TimeUnit.NANOSECONDS.sleep(DRAIN_POLL_NANOS);
      if (System.nanoTime() - shownNanos >= PROGRESS_NANOS) {
        shownNanos = System.nanoTime();
        showProgress();
        lab.requireAlive();
      }
    }
  }

  private void showProgress() throws IOException {
    out.progress(sender.messages(), sender.copies(), lab.queued(), merged.poll());
  }

  private String behind() {
    return "sender: at most %d ms behind its schedule"
        .formatted(TimeUnit.NANOSECONDS.toMillis(sender.mostBehindNanos()));
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
    long left = lab.queued();
    if (left > 0) {
      out.note("%,d batches were left in the queues unsettled".formatted(left));
    }
    merged.finish();
    merged.close();
    Reconciliation result = Reconciliation.of(sent, merged.tally());
    out.table(result, sent.stream().map(Tally::total).toList(), merged.linesOfEach());
    if (!result.isExact()) {
      out.lastWords(lab.programLogs());
    }
    return result;
  }
}
