package io.duplog.benchmark.chaos;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.duplog.benchmark.experiment.Experiment;
import io.duplog.benchmark.fault.Fault;
import io.duplog.benchmark.fault.FaultScene;
import io.duplog.benchmark.lab.IngestNode;
import io.duplog.benchmark.lab.Lab;
import io.duplog.benchmark.measure.Reconciliation;
import io.duplog.benchmark.report.DeliveryCourse;
import io.duplog.benchmark.report.FaultResult;
import io.duplog.rig.LabException;
import io.duplog.rig.Signal;
import io.duplog.wire.MessageBatch;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * One fault on a running lab, under load before, during and after it.
 *
 * @see "docs/decisions/tests.md#chaos"
 */
final class Trial extends Experiment {
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
  private final Arrivals arrivals = new Arrivals(startNanos);
  private final NodeLoad load;
  private boolean isComplete;

  private Trial(Lab lab, Fault fault, Terms terms) throws IOException {
    super(lab.outputs());
    this.lab = lab;
    this.fault = fault;
    this.terms = terms;
    this.load = new NodeLoad(lab.receivers(), terms, fault.node(), arrivals);
  }

  /**
   * Causes the fault. Errors of the lab are in the row.
   *
   * @throws IOException if the load can't be sent, or the sink can't be read
   * @throws LabException if processes that a fault left stopped can't be continued
   */
  static FaultResult run(Lab lab, Fault fault, Terms terms)
      throws LabException, IOException, InterruptedException {
    try (Trial trial = new Trial(lab, fault, terms)) {
      return trial.run();
    }
  }

  private FaultResult run() throws LabException, IOException, InterruptedException {
    List<Long> droppedBefore = droppedDatagrams();
    start(load);
    merged().onArrival(arrivals);
    awaitFirstDelivery();
    hold(terms.margin(), "before the fault");
    Duration began = elapsed();
    boolean struck = strike();
    Duration ended = elapsed();
    hold(terms.margin(), "after the fault");
    load.stop();
    long stoppedNanos = System.nanoTime();
    if (struck) { // otherwise the lab may never come to rest
      settle();
    }
    merged().read();
    Reconciliation counts = counts();
    countDroppedDatagrams(droppedBefore);
    Duration behind = Duration.ofNanos(load.mostBehindNanos());
    notes.add("sender at most %d ms behind its schedule".formatted(behind.toMillis()));
    noteBurned(counts);
    Duration limit = fault.limits().delay().plus(ended).minus(began);
    return new FaultResult(
        fault,
        fault.duplicates().at(terms.rate()),
        counts,
        arrivals.delays(limit, behind, stoppedNanos),
        new DeliveryCourse(arrivals.intervals(), Arrivals.INTERVAL, began, ended),
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
        errors,
        notes);
  }

  /**
   * Waits until no message is missing, the sink is quiet, and every batch has left its queue, so
   * that no more messages can follow.
   */
  private void settle() throws IOException, InterruptedException {
    try {
      awaitRest();
      for (IngestNode node : lab.nodes()) {
        long unsettled = node.unsettled();
        if (unsettled > 0) {
          errors.add("%s: %d batches stay unsettled".formatted(node.stream(), unsettled));
        }
      }
    } catch (LabException e) {
      errors.add(String.valueOf(e.getMessage()));
    }
    takeDeadLetters();
  }

  /** Counts an expected dead letter as delivered, because an administrator finds it there. */
  @Override
  protected long missing() throws IOException {
    long missing = super.missing() - fault.refused();
    isComplete = missing <= 0;
    return missing;
  }

  /** Asks for the unacknowledged batches, too, but not before every message has arrived. */
  @Override
  protected long queued() throws LabException, InterruptedException {
    long unsettled = 0;
    for (IngestNode node : lab.nodes()) {
      unsettled += isComplete ? node.unsettled() : 1;
    }
    return unsettled;
  }

  /**
   * Counts the dead letters as delivered, and checks how many different messages they hold. A
   * message that was sent several times counts once, because the sink refuses it by its text.
   */
  private void takeDeadLetters() throws IOException {
    Map<String, MessageBatch> letters = new HashMap<>(); // by batch id, as most are on two brokers
    for (IngestNode node : lab.nodes()) {
      letters.putAll(node.queue().takeDeadLetters());
    }
    Set<String> texts = new HashSet<>();
    for (MessageBatch batch : letters.values()) {
      for (int i = 0; i < batch.count(); i++) {
        int start = batch.textStart(i);
        int length = batch.end(i) - start;
        merged().tally().add(load.messages().serialOf(batch.data(), start, length));
        texts.add(new String(batch.data(), start, length, ISO_8859_1));
      }
    }
    if (texts.size() != fault.refused()) {
      errors.add("%d dead letters in place of %d".formatted(texts.size(), fault.refused()));
    }
  }

  /** Runs the steps of the fault; returns whether all of them succeeded. */
  private boolean strike() throws LabException, InterruptedException {
    try {
      fault.strike().on(new FaultScene(lab, load, new Random(terms.seed())));
      return true;
    } catch (LabException | IOException | RuntimeException e) {
      errors.add(Objects.toString(e.getMessage(), e.toString()));
      Signal.CONT.send(lab.processes().values().stream().flatMap(List::stream).toList());
      return false;
    }
  }

  private void awaitFirstDelivery() throws InterruptedException {
    long deadline = System.nanoTime() + FIRST_DELIVERY_WITHIN.toNanos();
    while (merged().size() == 0) {
      if (System.nanoTime() - deadline > 0) {
        errors.add("nothing was delivered in " + FIRST_DELIVERY_WITHIN.toSeconds() + " s");
        return;
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
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

  private void noteBurned(Reconciliation counts) {
    if (load.exposed() > 0) {
      long most = Math.round(fault.limits().burnedSeconds() * terms.rate() / NodeLoad.ALONE);
      (counts.burned() > most ? errors : notes)
          .add(
              "burned: %d, at most %d, of the %d messages that only the destroyed host had been sent"
                  .formatted(counts.burned(), most, load.exposed()));
    }
  }
}
