package io.duplog.benchmark.scenario;

import io.duplog.benchmark.lab.LabPlan;
import io.duplog.benchmark.load.NumberedLines;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.util.Map;
import picocli.CommandLine.Command;

/** Sends the load of Splunk Connect for Syslog's published test through Duplog into HEC. */
@Command(
    name = "sc4s",
    description = {
      "RFC 5424 with structured data, 800 bytes, 10 TCP connections, as fast as it is taken,"
          + " through one node and through a pair, into HEC.",
    })
public final class Sc4sCommand extends ScenarioCommand {
  private static final int WINDOW_SECONDS = 15;
  private static final int CONNECTIONS = 10;

  @Override
  void measure(ScenarioLabs bench) throws LabException, IOException, InterruptedException {
    for (Map.Entry<String, LabPlan.Ingest> way : SyslogPair.WAYS.entrySet()) {
      for (int nodes = 1; nodes <= 2; nodes++) {
        flood(
            bench,
            (nodes == 1 ? "one node, " : "pair, ") + way.getKey(),
            new SyslogPair(nodes, way.getValue(), CONNECTIONS));
      }
    }
  }

  private void flood(ScenarioLabs bench, String variant, SyslogPair pair)
      throws LabException, IOException, InterruptedException {
    NumberedLines lines = NumberedLines.structured(seed());
    measure(variant, () -> pair.flood(bench, variant, lines, window(WINDOW_SECONDS)));
  }
}
