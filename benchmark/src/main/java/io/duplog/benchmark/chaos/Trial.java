package io.duplog.benchmark.chaos;

import io.duplog.benchmark.fault.Fault;
import io.duplog.benchmark.fault.FaultScene;
import io.duplog.benchmark.lab.IngestNode;
import io.duplog.benchmark.lab.Lab;
import io.duplog.benchmark.measure.Reconciliation;
import io.duplog.benchmark.report.DeliveryCourse;
import io.duplog.benchmark.report.FaultResult;
import io.duplog.rig.LabException;
import io.duplog.rig.Signal;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Causes one fault on a running lab, under load before, during and after it, and then compares what
 * was sent with what was delivered.
 *
 * @see "docs/decisions/tests.md#chaos"
 */
final class Trial {
  private static final Duration FIRST_DELIVERY_WITHIN = Duration.ofSeconds(60);
  private static final long POLL_MILLIS = 20;

  /**
   * Parameters of a trial.
   *
   * @param rate messages a second
   * @param margin how long the load runs before the fault, and again after it
   * @param seed seed of the random choices
   */
  record Terms(int rate, Duration margin, long seed) {}

  private final Lab lab;
  private final Fault fault;
  private final Terms terms;
  private final List<String> errors = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private final long startNanos = System.nanoTime();

  Trial(Lab lab, Fault fault, Terms terms) {
    this.lab = lab;
    this.fault = fault;
    this.terms = terms;
  }

  /**
   * Runs the trial. Errors of the lab are in the row.
   *
   * @throws IOException if the load can't be sent, or the sink can't be read
   * @throws LabException if processes that a fault left stopped can't be continued
   */
  FaultResult run() throws LabException, IOException, InterruptedException {
    Arrivals arrivals = new Arrivals(startNanos);
    List<Long> droppedBefore = droppedDatagrams();
    List<Path> files = lab.outputs();
    try (Load load =
            new Load(lab.receivers(), terms.rate(), terms.seed(), fault.node(), arrivals);
        DeliveryWatch watch = new DeliveryWatch(files, load.messages(), arrivals)) {
      load.start();
      awaitFirstDelivery(watch);
      hold(terms.margin());
      Duration began = elapsed();
      boolean struck = strike(load);
      Duration ended = elapsed();
      hold(terms.margin());
      load.stop();
      watch.stopMeasuring();
      Reconciliation counts =
          struck
              ? new Quiescence(lab, load, watch, errors).await(fault.refused())
              : watch.whileStill(load::reconcile); // the lab may never come to rest
      countDroppedDatagrams(droppedBefore);
      Duration behind = Duration.ofNanos(load.mostBehindNanos());
      notes.add("sender at most %d ms behind its schedule".formatted(behind.toMillis()));
      noteBurned(counts, load);
      Duration limit = fault.limits().delay().plus(ended).minus(began);
      return new FaultResult(
          fault,
          fault.duplicates().at(terms.rate()),
          counts,
          watch.whileStill(tally -> arrivals.delays(limit, behind)),
          new DeliveryCourse(
              watch.whileStill(tally -> arrivals.intervals()), Arrivals.INTERVAL, began, ended),
          ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
          errors,
          notes);
    }
  }

  /** Runs the steps of the fault; returns whether all of them succeeded. */
  private boolean strike(Load load) throws LabException, InterruptedException {
    try {
      fault.strike().on(new FaultScene(lab, load, new Random(terms.seed())));
      return true;
    } catch (LabException | IOException | RuntimeException e) {
      errors.add(Objects.toString(e.getMessage(), e.toString()));
      Signal.CONT.send(lab.processes().values().stream().flatMap(List::stream).toList());
      return false;
    }
  }

  private void awaitFirstDelivery(DeliveryWatch watch) throws InterruptedException {
    long deadline = System.nanoTime() + FIRST_DELIVERY_WITHIN.toNanos();
    while (watch.delivered() == 0) {
      if (System.nanoTime() - deadline > 0) {
        errors.add("nothing was delivered in " + FIRST_DELIVERY_WITHIN.toSeconds() + " s");
        return;
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
  }

  private static void hold(Duration duration) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(duration.toNanos());
  }

  private Duration elapsed() {
    return Duration.ofNanos(System.nanoTime() - startNanos);
  }

  private List<Long> droppedDatagrams() throws IOException {
    List<Long> dropped = new ArrayList<>();
    for (IngestNode node : lab.nodes()) {
      dropped.add(node.rsyslog().droppedDatagrams());
    }
    return dropped;
  }

  /**
   * Checks that the kernel dropped no datagrams before rsyslog, because the comparison relies on
   * each node having received what it alone was sent. Datagrams for a node that a fault strikes,
   * but does not destroy, are only noted.
   */
  private void countDroppedDatagrams(List<Long> before) throws IOException {
    List<Long> after = droppedDatagrams();
    for (int i = 0; i < after.size(); i++) {
      // The counter of a reopened socket starts at 0.
      boolean anew = after.get(i) < before.get(i);
      long dropped = anew ? after.get(i) : after.get(i) - before.get(i);
      if (dropped > 0) {
        (fault.node() == Fault.NodeFate.STRUCK && i == 0 ? notes : errors)
            .add(
                "%s: the kernel dropped %d datagrams before rsyslog"
                    .formatted(lab.nodes().get(i).stream(), dropped));
      }
    }
  }

  private void noteBurned(Reconciliation counts, Load load) {
    if (load.exposed() > 0) {
      long most = Math.round(fault.limits().burnedSeconds() * terms.rate() / Load.ALONE);
      (counts.burned() > most ? errors : notes)
          .add(
              "burned: %d, at most %d, of the %d messages that only the destroyed host had been sent"
                  .formatted(counts.burned(), most, load.exposed()));
    }
  }
}
