package io.duplog.benchmark.scenario;

import com.google.common.collect.ImmutableMap;
import io.duplog.benchmark.lab.IngestNode;
import io.duplog.benchmark.lab.Lab;
import io.duplog.benchmark.lab.LabPlan;
import io.duplog.benchmark.lab.PipedShim;
import io.duplog.benchmark.load.ClosedLoop;
import io.duplog.benchmark.load.ConfirmedPath;
import io.duplog.benchmark.load.Flood;
import io.duplog.benchmark.load.NumberedLines;
import io.duplog.benchmark.load.Pace;
import io.duplog.benchmark.measure.Deliveries;
import io.duplog.benchmark.measure.Latency;
import io.duplog.benchmark.report.Run;
import io.duplog.benchmark.report.ScenarioReport;
import io.duplog.benchmark.report.ScenarioReport.Published;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Data Prepper's published test, a closed loop: each client sends a batch of access-log lines, and
 * the next when that one is confirmed.
 */
@Command(
    name = "data-prepper",
    description = {
      "Clients that each send a batch of 200 lines of Apache's access log to both ingest nodes,"
          + " wait until both brokers have confirmed it, and send the next; into HEC.",
      "Once more with a single path for each client, as in the published test."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class DataPrepperCommand extends ScenarioCommand {
  private static final int WINDOW_SECONDS = 20;
  private static final int BATCH = 200;

  /** Some 25 batches of each client: the buffer, which the published test has as well. */
  private static final long UNDER_WAY = 50_000;

  private static final String REDUNDANT = "redundant";
  private static final String SINGLE = "single path";

  @Option(
      names = "--clients",
      paramLabel = "N",
      defaultValue = "10",
      description = "How many send at the same time (default: ${DEFAULT-VALUE}).")
  private int clients;

  @Override
  ScenarioReport measure(Bench bench) throws LabException, IOException, InterruptedException {
    List<Run> runs = new ArrayList<>();
    for (String variant : List.of(REDUNDANT, SINGLE)) {
      measure(runs, variant, () -> measured(bench, variant));
    }
    return new ScenarioReport(
        "data-prepper",
        clients
            + " clients, each with a batch of "
            + BATCH
            + " lines of Apache's access log under way, all on this machine. Redundant: each batch"
            + " goes to both ingest nodes, and is confirmed when both brokers have confirmed it, on"
            + " their disks. Single path: half of the clients send to one node, half to the other."
            + " At most "
            + UNDER_WAY
            + " lines are between the clients and the sink, so that the rate is one that everything"
            + " sustains; a client waits for room in that. The latency is that of a batch, from"
            + " when its client was free to send it until its confirmation, with that wait; the"
            + " rate is of lines at the sink. Without the wait: among the facts.",
        runs,
        List.of(
            new Published("Data Prepper, 4 vCPU", "19,684 lines/s, 101 ms on average"),
            new Published("Logstash, 4 vCPU", "12,618 lines/s, 158 ms on average")),
        List.of(
            "Comparable: the number of clients, the batch, the loop, that the latency is a batch's,"
                + " and that a buffer is bounded, which makes the clients wait once it is full. In"
                + " a closed loop the two figures are one: clients × lines of a batch / latency is"
                + " the rate. Brokers confirm faster than the rest delivers: without a bound the"
                + " queues grow, and a short latency says nothing about the rate.",
            "Not comparable: there, the confirmation is an HTTP answer, given once the batch is in"
                + " a buffer in the memory of one host; what is in it is gone with the host. Here"
                + " it is a durable confirmation, in the redundant run by two brokers, after which"
                + " no single host's loss loses a line. There, the load came from another host;"
                + " here, the clients, two ingest nodes and the sink share one machine, and each"
                + " client has a shim of its own, a process, for each path.",
            "In the single path no second copy ever comes, so Redis remembers each digest until the"
                + " window ends."),
        ScenarioReport.Gallery.EMPTY);
  }

  private Run measured(Bench bench, String variant)
      throws LabException, IOException, InterruptedException {
    NumberedLines lines = NumberedLines.accessLog(seed());
    boolean redundant = variant.equals(REDUNDANT);
    return bench.measure(
        (folder, jars) ->
            new Lab(
                LabPlan.pair(folder, jars)
                    .withIngest(LabPlan.Ingest.STDIN)
                    .withSink(LabPlan.Sink.HEC)
                    .withBridges(1)),
        Messages.numbered(lines),
        (lab, delivered) -> connected(lab, lines, new Flood(delivered, UNDER_WAY), redundant),
        (lab, measurement, load) -> {
          Run run =
              measurement.run(load, variant, facts(redundant), warmUp(), window(WINDOW_SECONDS));
          return withConfirmations(run, load, measurement.window());
        });
  }

  private ClosedLoop connected(Lab lab, NumberedLines lines, Pace pace, boolean redundant)
      throws LabException, IOException, InterruptedException {
    List<List<ConfirmedPath>> paths = new ArrayList<>();
    for (int client = 0; client < clients; client++) {
      List<ConfirmedPath> ofClient = new ArrayList<>();
      for (int node = 0; node < lab.nodes().size(); node++) {
        if (redundant || client % lab.nodes().size() == node) {
          ofClient.add(path(lab, lab.nodes().get(node)));
        }
      }
      paths.add(ofClient);
    }
    ClosedLoop loop = new ClosedLoop(lines, Pipes.sender(), BATCH, pace, paths);
    loop.awaitReceivers();
    return loop;
  }

  private static ConfirmedPath path(Lab lab, IngestNode node) throws LabException {
    PipedShim shim = lab.startShim(node.stream(), PipedShim.Mode.CONFIRM);
    return new ConfirmedPath(
        shim.input(), shim.answers(), PipedShim.BEGIN_MARK, PipedShim.COMMIT_MARK, BATCH);
  }

  private Map<String, String> facts(boolean redundant) {
    return ImmutableMap.of(
        "clients",
        Integer.toString(clients),
        "lines a batch",
        Integer.toString(BATCH),
        "ingest nodes",
        "2",
        "shims",
        Integer.toString(redundant ? 2 * clients : clients),
        "bridges",
        "1",
        "sink",
        "hec");
  }

  /** Puts the latency of the confirmations first, and that of the delivery among the facts. */
  private static Run withConfirmations(Run run, ClosedLoop loop, Deliveries.Window window) {
    Latency.Recorder waits = new Latency.Recorder();
    Latency.Recorder confirmations = new Latency.Recorder();
    long confirmed = 0;
    for (ClosedLoop.Batch batch : loop.batches()) {
      if (window.holds(batch.dueNanos())) {
        waits.record(batch.confirmedNanos() - batch.dueNanos());
        confirmations.record(batch.confirmedNanos() - batch.sentNanos());
      }
      if (window.holds(batch.confirmedNanos())) {
        confirmed += BATCH;
      }
    }
    Map<String, String> more = new LinkedHashMap<>();
    more.put("confirmed", "%,.0f lines/s".formatted(confirmed / window.seconds()));
    more.put("batches sent again after a refusal", Long.toString(loop.refusals()));
    more.put("from a batch's first byte to its confirmation", text(confirmations.latency()));
    Latency delivery = run.latency();
    if (delivery != null) {
      more.put("from when a client was free to send a line to the sink", text(delivery));
    }
    return run.withLatency(waits.latency(), more);
  }

  private static String text(Latency latency) {
    return "%.1f ms on average (p50 %.1f, p95 %.1f, p99 %.1f, max %.1f)"
        .formatted(
            latency.averageMillis(),
            latency.p50Millis(),
            latency.p95Millis(),
            latency.p99Millis(),
            latency.maxMillis());
  }
}
