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

/** A recorded benchmark run, with which {@code plan} checks its predictions. */
record RecordedRun(String scenario, double machineCores, Run run) {
  /** Minimum fraction of busy processors at which a run counts as limited by the machine. */
  private static final double MIN_LIMIT_FRACTION = 0.8;

  /** Percentage of the processors above which compilers distort the measured cost of a message. */
  private static final double MAX_COMPILER_PERCENT = 5;

  private static final Pattern COMPILER_SHARE =
      Pattern.compile("([0-9.]+) % of the processors compiled");

  /**
   * Reads the runs from a file that a scenario wrote.
   *
   * @throws IOException with a message of one line, if the file is missing or not such a file
   */
  static List<RecordedRun> read(Path file) throws IOException {
    ScenarioResults results = Json.read(file, ScenarioResults.class);
    String cores = results.machine().getOrDefault("cores", "");
    if (!cores.matches("[0-9]+")) {
      throw new IOException(file + " lacks the number of cores of its machine");
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
  String omissionReason(Costs costs) {
    Matcher compilerShare = COMPILER_SHARE.matcher(fact("warm-up"));
    if (!fact("omprog").equals("confirmed")
        || !fact("sink").startsWith("HEC")
        || !fact("message").endsWith(" bytes")) {
      return "is not a run with rsyslog, confirming shims and HEC, with messages of one size";
    }
    if (compilerShare.find()
        && Double.parseDouble(compilerShare.group(1)) >= MAX_COMPILER_PERCENT) {
      return "Java's compilers were still at work";
    }
    if (cores() < 1) {
      return "plans have no host with less than a core";
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
  private boolean isLimitedToCores() {
    return fact("cores").matches("[0-9.]+");
  }

  /** Returns the number of cores that the servers could use. The generator could use all cores. */
  double cores() {
    return isLimitedToCores() ? Double.parseDouble(fact("cores")) : machineCores;
  }

  /** Whether the run used at least 80 % of the processors that were available to it. */
  boolean isAtItsLimit() {
    double generator = isLimitedToCores() ? 0 : run.cpuMicros().getOrDefault(Costs.GENERATOR, 0.0);
    double used =
        run.rate() * (run.cpuMicrosWithoutGenerator() + generator) / Layout.MICROS_PER_SECOND;
    return used / cores() >= MIN_LIMIT_FRACTION;
  }
}
