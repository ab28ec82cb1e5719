package io.duplog.benchmark.scenario;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.io.Resources;
import io.duplog.benchmark.lab.LabJars;
import io.duplog.benchmark.report.Machine;
import io.duplog.benchmark.report.Run;
import io.duplog.benchmark.report.ScenarioReport;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Base of the commands that run a benchmark scenario and write its report. The report's text is a
 * resource with the scenario's name.
 *
 * <p>The exit status is 1 if a message was lost or altered or a server failed, 2 if no run has the
 * requested name, and otherwise 0.
 */
abstract class ScenarioCommand implements Callable<Integer> {
  private static final int FAILED = 1;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "Duration of each run in seconds (default: depends on the scenario).")
  private @Nullable Integer seconds;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      description =
          "Maximum warm-up in seconds. Warm-up ends when JIT compilation settles, after at least"
              + " 8 s (default: ${DEFAULT-VALUE}).")
  private int warmUpSeconds = 120;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Random seed (default: ${DEFAULT-VALUE}).")
  private long seed = 1;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Also write the results to this file.")
  private @Nullable Path jsonFile;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Folder for the report and its pictures (default: ${DEFAULT-VALUE}).")
  private Path reportFolder = Path.of("benchmark-report");

  @Option(
      names = "--shim-jar",
      paramLabel = "FILE",
      description = "duplog-ingest.jar of another build (default: this build's).")
  private @Nullable Path shimJar;

  @Option(
      names = "--bridge-jar",
      paramLabel = "FILE",
      description = "duplog.jar of another build (default: this build's).")
  private @Nullable Path bridgeJar;

  @Option(
      names = "--only",
      paramLabel = "TEXT",
      description = "Make only the runs whose name contains this text.")
  private String runNameFilter = "";

  private final List<Run> runs = new ArrayList<>();
  private final List<String> remarks = new ArrayList<>();

  /** Names of the runs that {@code --only} leaves out. */
  private final Set<String> omittedRuns = new LinkedHashSet<>();

  /** Facts about the machine, the build and the system load at the start, by name. */
  private Map<String, String> machine = Map.of();

  private boolean anyRunFailed;

  /** Makes all runs of the scenario that the command line selects. */
  abstract void runScenario(ScenarioLabs labs)
      throws LabException, IOException, InterruptedException;

  @Override
  public final Integer call() throws LabException, IOException, InterruptedException {
    machine = Machine.facts();
    if (bridgeJar != null || shimJar != null) {
      machine.put("build", "as given");
    }
    WarmUp maxWarmUp = WarmUp.withMaximum(Duration.ofSeconds(warmUpSeconds));
    runScenario(
        new ScenarioLabs(LabJars.of(bridgeJar, shimJar), reportFolder, maxWarmUp, this::print));
    if (runs.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "no run has '%s' in its name; the runs are %s".formatted(runNameFilter, omittedRuns));
    }
    runs.forEach(run -> print(spec.name() + ": " + run.summary()));
    print("report: " + writeReport());
    return !anyRunFailed && runs.stream().allMatch(Run::isWhole) ? 0 : FAILED;
  }

  /** Writes the report of all runs so far, and returns the path of its page. */
  final Path writeReport() throws IOException {
    String text =
        Resources.toString(
            Resources.getResource(ScenarioCommand.class, spec.name() + ".md"), UTF_8);
    ScenarioReport report = new ScenarioReport(spec.name(), text, machine, runs, remarks);
    if (jsonFile != null) {
      report.writeJson(jsonFile);
    }
    return report.write(reportFolder);
  }

  /** Records that a run failed. The scenario continues with the other runs. */
  final void recordFailure(String variant, Exception cause) {
    anyRunFailed = true;
    print("%s failed: %s".formatted(variant, cause.getMessage()));
    remark("`%s` could not be made.".formatted(variant));
  }

  /**
   * Returns the duration of each run.
   *
   * @param defaultSeconds duration if the command line has none
   */
  final Duration runDuration(int defaultSeconds) {
    return Duration.ofSeconds(seconds == null ? defaultSeconds : seconds);
  }

  final long seed() {
    return seed;
  }

  /** Makes a run if the command line selects its name. */
  final void runIfSelected(String variant, CalibratedRuns.Attempt<Run> attempt)
      throws LabException, IOException, InterruptedException {
    if (selectRun(variant)) {
      runs.add(attempt.make());
    }
  }

  /** Returns whether the command line selects a run of this name. Prints the name if so. */
  final boolean selectRun(String variant) {
    boolean isSelected = variant.contains(runNameFilter);
    if (isSelected) {
      print(variant);
    } else {
      omittedRuns.add(variant);
    }
    return isSelected;
  }

  /** Returns the list of the runs so far. Callers may add runs. */
  final List<Run> runs() {
    return runs;
  }

  /** Adds a remark about the runs to the page. */
  final void remark(String text) {
    remarks.add(text);
  }

  final void print(String line) {
    spec.commandLine().getOut().println(line);
  }
}
