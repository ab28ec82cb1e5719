package io.duplog.benchmark.plan;

import io.duplog.benchmark.plan.Costs.Traffic;
import io.duplog.benchmark.report.Json;
import io.duplog.benchmark.report.Run;
import io.duplog.benchmark.report.ScenarioResults;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A measured run of a scenario, and the number of its machine's cores. */
record RecordedRun(String scenario, double machineCores, Run run) {
  /** Smallest fraction of busy processors at which a run counts as limited by the machine. */
  private static final double AT_ITS_LIMIT = 0.8;

  /** Percentage of the processors above which compilers distort the measured cost of a message. */
  private static final double COMPILING = 5;

  private static final Pattern COMPILED = Pattern.compile("([0-9.]+) % of the processors compiled");

  /**
   * Reads the runs from a file that a scenario wrote.
   *
   * @throws IOException with a message of one line, if the file is missing or not such a file
   */
  static List<RecordedRun> read(Path file) throws IOException {
    ScenarioResults results = Json.read(file, ScenarioResults.class);
    String cores = results.machine().getOrDefault("cores", "");
    if (!cores.matches("[0-9]+")) {
      throw new IOException(file + " does not say how many cores its machine had");
    }
    return results.runs().stream()
        .map(run -> new RecordedRun(results.scenario(), Double.parseDouble(cores), run))
        .toList();
  }

  String name() {
    return scenario + ": " + run.variant();
  }

  private String fact(String name) {
    return run.facts().getOrDefault(name, "");
  }

  /** Returns the reason why this run can't validate costs; empty if it can. */
  String leftOut(Costs costs) {
    Matcher compiled = COMPILED.matcher(fact("warm-up"));
    if (!fact("omprog").equals("confirmed")
        || !fact("sink").startsWith("HEC")
        || !fact("message").endsWith(" bytes")) {
      return "is not rsyslog, confirming shims and HEC, with messages of one size";
    }
    if (compiled.find() && Double.parseDouble(compiled.group(1)) >= COMPILING) {
      return "Java's compilers were still at work";
    }
    if (cores() < 1) {
      return "no host that is planned has less than a core";
    }
    if (costs.learnedFrom().contains(name() + ", " + run.counts().sent() + " sent")) {
      return "the costs were learned from it";
    }
    return isPaced() && !isAtItsLimit() ? "left the machine idle at times, batches were small" : "";
  }

  Traffic traffic() {
    double copies = (double) run.counts().copies() / run.counts().sent();
    double bytes = Double.parseDouble(fact("message").replaceFirst(" bytes$", ""));
    return new Traffic(bytes, copies, copies > 1 ? 0 : copies);
  }

  /** Whether the load followed a schedule, so that its rate does not depend on the machine. */
  boolean isPaced() {
    return run.latency() != null;
  }

  /** Whether the servers could use only a part of the machine's processors. */
  private boolean isHeld() {
    return fact("cores").matches("[0-9.]+");
  }

  /** Returns the number of cores that the servers could use; the generator could use all cores. */
  double cores() {
    return isHeld() ? Double.parseDouble(fact("cores")) : machineCores;
  }

  /** Whether the run used at least 80 % of the processors that were available to it. */
  boolean isAtItsLimit() {
    double generator = isHeld() ? 0 : run.cpuMicros().getOrDefault(Costs.GENERATOR, 0.0);
    double used =
        run.rate() * (run.cpuMicrosWithoutGenerator() + generator) / Layout.MICROS_A_SECOND;
    return used / cores() >= AT_ITS_LIMIT;
  }
}
