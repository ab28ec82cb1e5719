package io.duplog.benchmark.chaos;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.duplog.benchmark.experiment.Experiment;
import io.duplog.benchmark.fault.Fault;
import io.duplog.benchmark.fault.FaultScene;
import io.duplog.benchmark.lab.IngestNode;
import io.duplog.benchmark.lab.Lab;
import io.duplog.benchmark.load.HecOutlet;
import io.duplog.benchmark.load.RedundantSender;
import io.duplog.benchmark.load.UdpOutlet;
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
 * Causes one fault in a running Duplog under load, repairs it, and counts the messages that were
 * lost, duplicated or late.
 *
 * @see "docs/decisions/tests.md#chaos"
 */
final class FaultRun extends Experiment {
  private static final Duration FIRST_DELIVERY_TIMEOUT = Duration.ofSeconds(60);
  private static final long POLL_MILLIS = 20;

  /**
   * Parameters of a fault run.
   *
   * @param messagesPerSecond rate of the load
   * @param margin duration of the load before the fault, and again after it
   * @param seed seed of the random choices
   */
  record Parameters(int messagesPerSecond, Duration margin, long seed) {}

  private final Lab lab;
  private final Fault fault;
  private final Parameters parameters;
  private final List<String> errors = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private final long startNanos = System.nanoTime();
  private final Arrivals arrivals = new Arrivals(startNanos);
  private final NodeLoad load;
  private final Copies copies;
  private boolean isComplete;

  private FaultRun(Lab lab, Fault fault, Parameters parameters) throws IOException {
    super(lab.outputs());
    this.lab = lab;
    this.fault = fault;
    this.parameters = parameters;
    this.load = new NodeLoad(outlet(lab), lab.nodes().size(), parameters, fault.node(), arrivals);
    this.copies = new Copies(lab.copies(), load);
  }

  private static RedundantSender.Outlet outlet(Lab lab) throws IOException {
    return lab.nodes().get(0).hasRsyslog()
        ? new UdpOutlet(lab.receivers())
        : new HecOutlet(lab.nodes().stream().map(node -> node.shim().newHecPath()).toList());
  }

  /**
   * Causes the fault. The result contains errors of the lab.
   *
   * @throws IOException if the load can't be sent, or the sink can't be read
   * @throws LabException if processes that a fault left stopped can't be continued
   */
  static FaultResult run(Lab lab, Fault fault, Parameters parameters)
      throws LabException, IOException, InterruptedException {
    try (FaultRun faultRun = new FaultRun(lab, fault, parameters)) {
      return faultRun.run();
    }
  }

  private FaultResult run() throws LabException, IOException, InterruptedException {
    List<Long> droppedBefore = droppedDatagrams();
    start(load);
    merged().onArrival(arrivals);
    awaitFirstDelivery();
    hold(parameters.margin(), "before the fault");
    Duration faultStart = elapsed();
    boolean isFaultComplete = causeFault();
    Duration faultEnd = elapsed();
    hold(parameters.margin(), "after the fault");
    load.stop();
    long stoppedNanos = System.nanoTime();
    if (isFaultComplete) { // After a failed fault, the lab may never become idle.
      settle();
    }
    merged().read();
    Reconciliation counts = counts();
    checkCopies();
    checkDroppedDatagrams(droppedBefore);
    Duration senderDelay = Duration.ofNanos(load.maxDelayNanos());
    notes.add("sender at most %d ms behind its schedule".formatted(senderDelay.toMillis()));
    noteBurned(counts);
    Duration limit = fault.limits().delay().plus(faultEnd).minus(faultStart);
    return new FaultResult(
        fault,
        fault.duplicates().at(parameters.messagesPerSecond()),
        counts,
        arrivals.delays(limit, senderDelay, stoppedNanos),
        new DeliveryCourse(arrivals.intervals(), Arrivals.INTERVAL, faultStart, faultEnd),
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
        errors,
        notes);
  }

  /**
   * Waits until no message is missing, the sink is quiet, and every batch has left its queue. After
   * that, messages can no longer arrive.
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

  /**
   * Counts an expected dead letter as delivered, because an administrator finds it in the queue.
   */
  @Override
  protected long missing() throws IOException {
    long missing = super.missing() - fault.refused();
    if (copies.arePresent()) {
      copies.read();
      missing += copies.counts().lost();
    }
    isComplete = missing <= 0;
    return missing;
  }

  @Override
  protected long arrived() throws IOException {
    return super.arrived() + copies.read();
  }

  /** Includes the unacknowledged batches, but queries them only after every message has arrived. */
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
    Map<String, MessageBatch> deadLettersByBatch =
        new HashMap<>(); // The key is the batch id, as most dead letters are on two brokers.
    for (IngestNode node : lab.nodes()) {
      deadLettersByBatch.putAll(node.queue().takeDeadLetters());
    }
    Set<String> texts = new HashSet<>();
    for (MessageBatch batch : deadLettersByBatch.values()) {
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

  /** Checks the second required sink, if there is one, by the same limits as the first. */
  private void checkCopies() throws IOException {
    if (!copies.arePresent()) {
      return;
    }
    copies.read();
    Reconciliation counts = copies.counts();
    long allowed = fault.duplicates().at(parameters.messagesPerSecond());
    boolean isWithinLimits =
        counts.lost() == 0 && counts.corrupted() == 0 && counts.duplicated() <= allowed;
    (isWithinLimits ? notes : errors)
        .add(
            "the bridges' files: %d delivered, %d lost, %d duplicated, at most %d, %d corrupted"
                .formatted(
                    counts.delivered(),
                    counts.lost(),
                    counts.duplicated(),
                    allowed,
                    counts.corrupted()));
  }

  /** Runs the steps of the fault. Returns whether all of them succeeded. */
  private boolean causeFault() throws LabException, InterruptedException {
    try {
      fault.steps().on(new FaultScene(lab, load, new Random(parameters.seed())));
      return true;
    } catch (LabException | IOException | RuntimeException e) {
      errors.add(Objects.toString(e.getMessage(), e.toString()));
      Signal.CONT.send(lab.processes().values().stream().flatMap(List::stream).toList());
      return false;
    }
  }

  private void awaitFirstDelivery() throws InterruptedException {
    long deadline = System.nanoTime() + FIRST_DELIVERY_TIMEOUT.toNanos();
    while (merged().size() == 0) {
      if (System.nanoTime() - deadline > 0) {
        errors.add("nothing was delivered in " + FIRST_DELIVERY_TIMEOUT.toSeconds() + " s");
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
      dropped.add(node.hasRsyslog() ? node.rsyslog().droppedDatagrams() : 0);
    }
    return dropped;
  }

  /**
   * Checks that the kernel dropped no datagrams before rsyslog. The comparison relies on each node
   * having received the messages that only it was sent. Dropped datagrams of a node that a fault
   * disturbs, but does not destroy, are only noted.
   */
  private void checkDroppedDatagrams(List<Long> countsBefore) throws IOException {
    List<Long> countsAfter = droppedDatagrams();
    for (int i = 0; i < countsAfter.size(); i++) {
      // The counter of a reopened socket starts at 0.
      boolean isReopened = countsAfter.get(i) < countsBefore.get(i);
      long dropped = isReopened ? countsAfter.get(i) : countsAfter.get(i) - countsBefore.get(i);
      if (dropped > 0) {
        (fault.node() == Fault.NodeFate.DISTURBED && i == 0 ? notes : errors)
            .add(
                "%s: the kernel dropped %d datagrams before rsyslog"
                    .formatted(lab.nodes().get(i).stream(), dropped));
      }
    }
  }

  private void noteBurned(Reconciliation counts) {
    if (load.exposedMessages() > 0) {
      long maxBurned =
          Math.round(
              fault.limits().burnedSeconds()
                  * parameters.messagesPerSecond()
                  / NodeLoad.SINGLE_NODE_INTERVAL);
      (counts.burned() > maxBurned ? errors : notes)
          .add(
              "lost with the disk: %d, at most %d, of the %d messages that were sent only to that host"
                  .formatted(counts.burned(), maxBurned, load.exposedMessages()));
    }
  }

  @Override
  public void close() throws IOException {
    copies.close();
    super.close();
  }
}
