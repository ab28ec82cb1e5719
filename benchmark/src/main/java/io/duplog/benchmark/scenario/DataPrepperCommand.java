package io.duplog.benchmark.scenario;

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
 * Runs Data Prepper's published test as a closed loop: each client sends a batch of access-log
 * lines, waits for its confirmation, and sends the next one.
 */
@Command(
    name = "data-prepper",
    description = {
      "Clients that each send a batch of 200 lines of Apache's access log to both ingest nodes,"
          + " wait until both brokers have confirmed it, and send the next; into HEC.",
      "Once more with a single path for each client, as in the published test."
    })
public final class DataPrepperCommand extends ScenarioCommand {
  private static final int WINDOW_SECONDS = 20;
  private static final int BATCH = 200;

  /**
   * Most lines allowed between senders and sink: 25 batches for each of ten clients, because the
   * published test has such a buffer, too.
   */
  private static final long UNDER_WAY = 50_000;

  @Option(
      names = "--clients",
      paramLabel = "N",
      description = "How many send at the same time (default: ${DEFAULT-VALUE}).")
  private int clients = 10;

  @Override
  void measure(ScenarioLabs bench) throws LabException, IOException, InterruptedException {
    measure("redundant", () -> measured(bench, "redundant", true));
    measure("single path", () -> measured(bench, "single path", false));
  }

  private Run measured(ScenarioLabs bench, String variant, boolean redundant)
      throws LabException, IOException, InterruptedException {
    NumberedLines lines = NumberedLines.accessLog(seed());
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("clients", Integer.toString(clients));
    facts.put("lines a batch", Integer.toString(BATCH));
    facts.put("ingest nodes", "2");
    facts.put("shims", Integer.toString(redundant ? 2 * clients : clients));
    facts.put("bridges", "1");
    facts.put("sink", "hec");
    return bench.measure(
        (folder, jars) ->
            new Lab(
                LabPlan.pair(folder, jars)
                    .withIngest(LabPlan.Ingest.STDIN)
                    .withSink(LabPlan.Sink.HEC)
                    .withBridges(1)),
        lines,
        (lab, measurement) -> {
          Flood pace = new Flood(measurement::delivered, UNDER_WAY);
          ClosedLoop loop = connected(lab, lines, pace, redundant);
          Run run = measurement.run(loop, variant, facts, bench.warmUp(), window(WINDOW_SECONDS));
          return withConfirmations(run, loop, measurement.window());
        });
  }

  private ClosedLoop connected(Lab lab, NumberedLines lines, Pace pace, boolean redundant)
      throws LabException, IOException {
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
    ClosedLoop loop = new ClosedLoop(lines, Pipes.SENDER, BATCH, pace, paths);
    loop.awaitReceivers();
    return loop;
  }

  private static ConfirmedPath path(Lab lab, IngestNode node) throws LabException {
    PipedShim shim = lab.startShim(node, PipedShim.Mode.CONFIRM);
    return new ConfirmedPath(
        shim.input(), shim.answers(), PipedShim.BEGIN_MARK, PipedShim.COMMIT_MARK, BATCH);
  }

  /**
   * Returns the run with the latency of the confirmations in place of the delivery latency, which
   * becomes a fact.
   */
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
    more.put("confirmed", Numbers.text(confirmed / window.seconds()) + " lines/s");
    more.put("batches sent again after a refusal", Long.toString(loop.refusals()));
    more.put("from a batch's first byte to its confirmation", Run.words(confirmations.latency()));
    Latency delivery = run.latency();
    if (delivery != null) {
      more.put("from when a client was free to send a line to the sink", Run.words(delivery));
    }
    return run.withFacts(more).withLatency(waits.latency());
  }
}
