package io.duplog.benchmark.scenario;

import static io.duplog.benchmark.lab.LabPlan.Ingest.HEC;
import static io.duplog.benchmark.lab.LabPlan.Ingest.STDIN;

import io.duplog.benchmark.lab.IngestNode;
import io.duplog.benchmark.lab.Lab;
import io.duplog.benchmark.lab.LabPlan;
import io.duplog.benchmark.lab.PipedShim;
import io.duplog.benchmark.load.ClosedLoop;
import io.duplog.benchmark.load.ConfirmedPath;
import io.duplog.benchmark.load.Flood;
import io.duplog.benchmark.load.NumberedLines;
import io.duplog.benchmark.load.OmprogPath;
import io.duplog.benchmark.load.Pace;
import io.duplog.benchmark.measure.Deliveries;
import io.duplog.benchmark.measure.Latency;
import io.duplog.benchmark.report.Numbers;
import io.duplog.benchmark.report.Run;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The command {@code data-prepper}: runs the published benchmark of Data Prepper on Duplog, for
 * comparison. Each client sends a batch of access-log lines, waits for its confirmation, and then
 * sends the next batch.
 */
@Command(
    name = "data-prepper",
    description = {
      "Each client sends a batch of 200 lines of Apache's access log to both ingest nodes,"
          + " waits until both brokers confirm it, and then sends the next. The sink is HEC.",
      "A second run has a single path for each client, as in the published test. Two more runs send"
          + " the batches as requests of HTTP Event Collector."
    })
public final class DataPrepperCommand extends ScenarioCommand {
  private static final int RUN_SECONDS = 20;
  private static final int LINES_PER_BATCH = 200;

  /**
   * Maximum number of lines between senders and sink: 25 batches for each of ten clients, because
   * the published test has such a buffer.
   */
  private static final long MAX_IN_FLIGHT = 50_000;

  @Option(
      names = "--clients",
      paramLabel = "N",
      description = "Number of clients that send at the same time (default: ${DEFAULT-VALUE}).")
  private int clients = 10;

  @Override
  void runScenario(ScenarioLabs labs) throws LabException, IOException, InterruptedException {
    runIfSelected("redundant", () -> measureClients(labs, "redundant", true, STDIN));
    runIfSelected("single path", () -> measureClients(labs, "single path", false, STDIN));
    runIfSelected("by HEC, two paths", () -> measureClients(labs, "by HEC, two paths", true, HEC));
    runIfSelected("by HEC, one path", () -> measureClients(labs, "by HEC, one path", false, HEC));
  }

  private Run measureClients(
      ScenarioLabs labs, String variant, boolean redundant, LabPlan.Ingest ingest)
      throws LabException, IOException, InterruptedException {
    NumberedLines lines = NumberedLines.accessLog(seed());
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("clients", Integer.toString(clients));
    facts.put("lines a batch", Integer.toString(LINES_PER_BATCH));
    facts.put("ingest nodes", "2");
    int paths = redundant ? 2 * clients : clients;
    facts.put("shims", ingest == HEC ? "2, by HEC" : Integer.toString(paths));
    facts.put("bridges", "1");
    facts.put("sink", "hec");
    return labs.measure(
        (folder, jars) ->
            new Lab(
                LabPlan.pair(folder, jars)
                    .withIngest(ingest)
                    .withSink(LabPlan.Sink.HEC)
                    .withBridges(1)),
        lines,
        (lab, measurement) -> {
          Flood pace = new Flood(measurement::delivered, MAX_IN_FLIGHT);
          ClosedLoop loop = connectedLoop(lab, lines, pace, redundant);
          Run run = measurement.run(loop, variant, facts, labs.warmUp(), runDuration(RUN_SECONDS));
          return withConfirmationLatency(run, loop, measurement.window());
        });
  }

  private ClosedLoop connectedLoop(Lab lab, NumberedLines lines, Pace pace, boolean redundant)
      throws LabException, IOException {
    List<List<ConfirmedPath>> paths = new ArrayList<>();
    for (int client = 0; client < clients; client++) {
      List<ConfirmedPath> clientPaths = new ArrayList<>();
      for (int node = 0; node < lab.nodes().size(); node++) {
        if (redundant || client % lab.nodes().size() == node) {
          clientPaths.add(openPath(lab, lab.nodes().get(node)));
        }
      }
      paths.add(clientPaths);
    }
    boolean isHec = lab.nodes().get(0).shim().listeningServer() != null;
    String prefix = isHec ? "" : Pipes.SENDER_PREFIX; // an event names its sender itself
    ClosedLoop loop = new ClosedLoop(lines, prefix, LINES_PER_BATCH, pace, paths);
    loop.awaitReceivers();
    return loop;
  }

  private static ConfirmedPath openPath(Lab lab, IngestNode node) throws LabException {
    if (node.shim().listeningServer() != null) {
      return node.shim().newHecPath();
    }
    PipedShim shim = lab.startShim(node, PipedShim.Mode.CONFIRM);
    return new OmprogPath(
        shim.input(), shim.answers(), PipedShim.BEGIN_MARK, PipedShim.COMMIT_MARK, LINES_PER_BATCH);
  }

  /** Returns the run with the latency of the confirmations. The delivery latency becomes a fact. */
  private static Run withConfirmationLatency(Run run, ClosedLoop loop, Deliveries.Window window) {
    Latency.Recorder waitTimes = new Latency.Recorder();
    Latency.Recorder confirmations = new Latency.Recorder();
    long confirmedLines = 0;
    for (ClosedLoop.Batch batch : loop.batches()) {
      if (window.holds(batch.dueNanos())) {
        waitTimes.record(batch.confirmedNanos() - batch.dueNanos());
        confirmations.record(batch.confirmedNanos() - batch.sentNanos());
      }
      if (window.holds(batch.confirmedNanos())) {
        confirmedLines += LINES_PER_BATCH;
      }
    }
    Map<String, String> confirmationFacts = new LinkedHashMap<>();
    confirmationFacts.put(
        "confirmed", Numbers.text(confirmedLines / window.seconds()) + " lines/s");
    confirmationFacts.put("batches sent again after a refusal", Long.toString(loop.refusals()));
    confirmationFacts.put(
        "from a batch's first byte to its confirmation", Run.format(confirmations.latency()));
    Latency delivery = run.latency();
    if (delivery != null) {
      confirmationFacts.put(
          "from when a client was free to send a line to the sink", Run.format(delivery));
    }
    return run.withFacts(confirmationFacts).withLatency(waitTimes.latency());
  }
}
