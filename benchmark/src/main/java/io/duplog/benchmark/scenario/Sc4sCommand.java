package io.duplog.benchmark.scenario;

import io.duplog.benchmark.lab.CpuLimit;
import io.duplog.benchmark.load.NumberedLines;
import io.duplog.benchmark.peer.PeerPackages;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.time.Duration;
import picocli.CommandLine.Command;

/** The test that Splunk Connect for Syslog publishes: loggen's load, into HEC. */
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

  /** As long as the others need; longer, and loggen's backlog alone would be measured. */
  private static final WarmUp LOGGEN_WARM_UP = WarmUp.of(Duration.ofSeconds(12));

  private static final double[] SIZES = {0.5, 1, 2};

  @Override
  void measure(Bench bench) throws LabException, IOException, InterruptedException {
    for (boolean confirmed : new boolean[] {false, true}) {
      for (int nodes = 1; nodes <= 2; nodes++) {
        flood(bench, name(nodes, confirmed), new SyslogPair(nodes, confirmed, 0, CONNECTIONS));
      }
    }
    PeerPackages packages = PeerPackages.ofThisBuild();
    for (int nodes = 1; nodes <= 2; nodes++) {
      withLoggen(bench, nodes, name(nodes, true) + ", loggen itself", packages);
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

  /** The published test's own generator, where it can be had. */
  private void withLoggen(Bench bench, int nodes, String variant, PeerPackages packages)
      throws LabException, IOException, InterruptedException {
    if (!wants(variant)) {
      return;
    }
    String obstacle = packages.obstacle();
    if (obstacle != null) {
      remark(variant + " is left out: " + obstacle);
      return;
    }
    SyslogPair pair = new SyslogPair(nodes, true, 0, CONNECTIONS);
    Duration window = window(WINDOW_SECONDS);
    runs().add(pair.loggen(bench, variant, packages.installation(), LOGGEN_WARM_UP, window));
  }

  private void flood(Bench bench, String variant, SyslogPair pair)
      throws LabException, IOException, InterruptedException {
    NumberedLines lines = NumberedLines.structured(seed());
    measure(variant, () -> pair.flood(bench, variant, lines, window(WINDOW_SECONDS)));
  }
}
