package io.duplog.benchmark.scenario;

import io.duplog.benchmark.lab.CpuLimit;
import io.duplog.benchmark.load.NumberedLines;
import io.duplog.rig.LabException;
import java.io.IOException;
import picocli.CommandLine.Command;

/** The test that Splunk Connect for Syslog publishes: its load, into HEC. */
@Command(
    name = "sc4s",
    description = {
      "RFC 5424 with structured data, 800 bytes, 10 TCP connections, as fast as it is taken,"
          + " through one node and through a pair, into HEC; and a sizing table: the rate with all"
          + " servers held to 0.5, 1 and 2 cores.",
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class Sc4sCommand extends ScenarioCommand {
  private static final int WINDOW_SECONDS = 15;
  private static final int CONNECTIONS = 10;

  private static final double[] SIZES = {0.5, 1, 2};

  @Override
  void measure(Bench bench) throws LabException, IOException, InterruptedException {
    for (boolean confirmed : new boolean[] {false, true}) {
      for (int nodes = 1; nodes <= 2; nodes++) {
        flood(bench, name(nodes, confirmed), new SyslogPair(nodes, confirmed, 0, CONNECTIONS));
      }
    }
    for (double cores : SIZES) {
      String variant = "pair, confirmed, %s cores".formatted(cores);
      String obstacle = CpuLimit.obstacle(cores);
      if (obstacle == null) {
        flood(bench, variant, new SyslogPair(2, true, cores, CONNECTIONS));
      } else {
        remark(variant + " is left out: " + obstacle);
      }
    }
  }

  private static String name(int nodes, boolean confirmed) {
    return (nodes == 1 ? "one node, " : "pair, ") + (confirmed ? "confirmed" : "unconfirmed");
  }

  private void flood(Bench bench, String variant, SyslogPair pair)
      throws LabException, IOException, InterruptedException {
    NumberedLines lines = NumberedLines.structured(seed());
    measure(variant, () -> pair.flood(bench, variant, lines, window(WINDOW_SECONDS)));
  }
}
