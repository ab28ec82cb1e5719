package io.duplog.benchmark.scenario;

import io.duplog.benchmark.lab.LabPlan;
import io.duplog.benchmark.load.NumberedLines;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.util.Map;
import picocli.CommandLine.Command;

/**
 * The command {@code sc4s}: runs the published benchmark of Splunk Connect for Syslog on Duplog
 * with HEC.
 */
@Command(
    name = "sc4s",
    description = {
      "Sends RFC 5424 with structured data, 800 bytes, over 10 TCP connections as fast as possible"
          + " through one node and through a pair into HEC.",
    })
public final class Sc4sCommand extends ScenarioCommand {
  private static final int RUN_SECONDS = 15;
  private static final int CONNECTIONS = 10;

  @Override
  void runScenario(ScenarioLabs labs) throws LabException, IOException, InterruptedException {
    for (Map.Entry<String, LabPlan.Ingest> ingest : SyslogPair.INGEST_BY_NAME.entrySet()) {
      for (int nodes = 1; nodes <= 2; nodes++) {
        runFlood(
            labs,
            (nodes == 1 ? "one node, " : "pair, ") + ingest.getKey(),
            new SyslogPair(nodes, ingest.getValue(), CONNECTIONS));
      }
    }
  }

  private void runFlood(ScenarioLabs labs, String variant, SyslogPair pair)
      throws LabException, IOException, InterruptedException {
    NumberedLines lines = NumberedLines.structured(seed());
    runIfSelected(variant, () -> pair.flood(labs, variant, lines, runDuration(RUN_SECONDS)));
  }
}
