package io.duplog.benchmark.scenario;

import io.duplog.benchmark.lab.CpuLimit;
import io.duplog.benchmark.load.NumberedLines;
import io.duplog.benchmark.peer.PeerPackages;
import io.duplog.benchmark.report.Run;
import io.duplog.benchmark.report.ScenarioReport;
import io.duplog.benchmark.report.ScenarioReport.Published;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
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
  private static final double KILOBYTE = 1024;

  @Override
  ScenarioReport measure(Bench bench) throws LabException, IOException, InterruptedException {
    List<Run> runs = new ArrayList<>();
    List<String> remarks = new ArrayList<>();
    for (boolean confirmed : new boolean[] {false, true}) {
      String how = confirmed ? "confirmed" : "unconfirmed";
      flood(runs, bench, "one node, " + how, new SyslogPair(1, confirmed, 1, 0, CONNECTIONS));
      flood(runs, bench, "pair, " + how, new SyslogPair(2, confirmed, 2, 0, CONNECTIONS));
    }
    withLoggen(bench, runs, remarks);
    for (double cores : SIZES) {
      String variant = "pair, confirmed, %s cores".formatted(cores);
      String obstacle = CpuLimit.obstacle(cores);
      if (obstacle == null) {
        flood(runs, bench, variant, new SyslogPair(2, true, 2, cores, CONNECTIONS));
      } else {
        remarks.add(variant + " is left out: " + obstacle);
      }
    }
    remarks.add(
        "The published figures are for one copy without deduplication, by senders on other"
            + " machines. Here the sender, the stand-in for Splunk and every server share the"
            + " cores; in a sizing row the servers and the stand-in together are held, the sender"
            + " is not.");
    runs.forEach(run -> remarks.add("`%s`: %s".formatted(run.variant(), loggenLine(run))));
    return new ScenarioReport(
        "sc4s",
        "loggen's test: RFC 5424 with structured data, 800 bytes, 10 TCP connections, as fast as"
            + " it is taken, into the HEC stand-in. The messages are numbered and come from this"
            + " program's own generator, but in the rows that name loggen.",
        runs,
        List.of(
            new Published("SC4S, 2 vCPU", "21,100 to 21,600 messages/s"),
            new Published("SC4S, 4 vCPU", "34,800 to 37,500 messages/s"),
            new Published("SC4S, 8 vCPU", "71,900 to 99,500 messages/s")),
        remarks,
        ScenarioReport.Gallery.EMPTY);
  }

  /** The published test's own generator, where it can be had. */
  private void withLoggen(Bench bench, List<Run> runs, List<String> remarks)
      throws LabException, IOException, InterruptedException {
    List<Integer> wanted = Stream.of(1, 2).filter(nodes -> wants(ofLoggen(nodes))).toList();
    if (wanted.isEmpty()) {
      return;
    }
    PeerPackages packages = PeerPackages.ofThisBuild();
    String obstacle = packages.obstacle();
    if (obstacle != null) {
      remarks.add("loggen's own runs are left out: " + obstacle);
      return;
    }
    for (int nodes : wanted) {
      String variant = ofLoggen(nodes);
      say(variant);
      runs.add(
          new SyslogPair(nodes, true, nodes, 0, CONNECTIONS)
              .loggen(
                  bench,
                  variant,
                  packages.installation(),
                  LOGGEN_WARM_UP,
                  window(WINDOW_SECONDS),
                  line -> {
                    say(line);
                    remarks.add("`%s`, what loggen says: %s".formatted(variant, line));
                  }));
    }
    remarks.add(
        "loggen is not held back by what has arrived: it fills rsyslog's queue, which takes to its"
            + " disk, so that its own rate is that of rsyslog's input, and the rate at the sink"
            + " that of a pipeline with a backlog.");
  }

  private static String ofLoggen(int nodes) {
    return (nodes == 1 ? "one node" : "pair") + ", confirmed, loggen itself";
  }

  private void flood(List<Run> runs, Bench bench, String variant, SyslogPair pair)
      throws LabException, IOException, InterruptedException {
    NumberedLines lines = NumberedLines.structured(seed());
    measure(
        runs, variant, () -> pair.flood(bench, variant, lines, warmUp(), window(WINDOW_SECONDS)));
  }

  /** In loggen's words, of each message once. */
  private static String loggenLine(Run run) {
    int size = NumberedLines.structured(0).length();
    return ("average rate = %.2f msg/sec, count=%d, time=%.3f, (average) msg size=%d,"
            + " bandwidth=%.2f kB/sec")
        .formatted(
            run.rate(),
            Math.round(run.rate() * run.seconds()),
            run.seconds(),
            size,
            run.rate() * size / KILOBYTE);
  }
}
