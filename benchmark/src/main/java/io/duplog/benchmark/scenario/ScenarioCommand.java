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
 * Base class of all scenarios: has the common options, and writes the report, whose text is a
 * resource with the scenario's name. The exit status is 1 if a message was lost or altered or a
 * server failed, 2 if the command line asks for a run that does not exist, and otherwise 0.
 */
abstract class ScenarioCommand implements Callable<Integer> {
  private static final int FAILED = 1;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "How long each run is measured (default: as long as the scenario needs).")
  private @Nullable Integer seconds;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      description =
          "Seconds under load before that, at most: it ends once the programs have compiled their"
              + " code, after 8 at the earliest (default: ${DEFAULT-VALUE}).")
  private int warmUp = 120;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "What random choices begin with (default: ${DEFAULT-VALUE}).")
  private long seed = 1;

  @Option(names = "--json", paramLabel = "FILE", description = "Write the results there too.")
  private @Nullable Path json;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "For the report and its pictures (default: ${DEFAULT-VALUE}).")
  private Path out = Path.of("benchmark-report");

  @Option(
      names = "--shim-jar",
      paramLabel = "FILE",
      description = "Another build's duplog-ingest.jar (default: this build's).")
  private @Nullable Path shimJar;

  @Option(
      names = "--bridge-jar",
      paramLabel = "FILE",
      description = "Another build's duplog.jar (default: this build's).")
  private @Nullable Path bridgeJar;

  @Option(
      names = "--only",
      paramLabel = "TEXT",
      description = "Only the runs whose name contains this.")
  private String only = "";

  private final List<Run> runs = new ArrayList<>();
  private final List<String> remarks = new ArrayList<>();

  /** Names of the runs that {@code --only} leaves out. */
  private final Set<String> omittedRuns = new LinkedHashSet<>();

  /** Facts about the machine, the build and the system load at the start, by name. */
  private Map<String, String> machine = Map.of();

  private boolean failed;

  /** Makes all runs of the scenario that the command line asks for. */
  abstract void measure(ScenarioLabs bench) throws LabException, IOException, InterruptedException;

  @Override
  public final Integer call() throws LabException, IOException, InterruptedException {
    machine = Machine.facts();
    if (bridgeJar != null || shimJar != null) {
      machine.put("build", "as given");
    }
    WarmUp upTo = WarmUp.upTo(Duration.ofSeconds(warmUp));
    measure(new ScenarioLabs(LabJars.of(bridgeJar, shimJar), out, upTo, this::say));
    if (runs.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "no run is called '%s', there are %s".formatted(only, omittedRuns));
    }
    runs.forEach(run -> say(spec.name() + ": " + run.summary()));
    say("report: " + write());
    return !failed && runs.stream().allMatch(Run::isWhole) ? 0 : FAILED;
  }

  /** Writes the report of all runs so far, and returns the path of its page. */
  final Path write() throws IOException {
    String text =
        Resources.toString(
            Resources.getResource(ScenarioCommand.class, spec.name() + ".md"), UTF_8);
    ScenarioReport report = new ScenarioReport(spec.name(), text, machine, runs, remarks);
    if (json != null) {
      report.writeJson(json);
    }
    return report.write(out);
  }

  /** Records that a run failed; the scenario continues with the other runs. */
  final void failed(String variant, Exception cause) {
    failed = true;
    say("%s failed: %s".formatted(variant, cause.getMessage()));
    remark("`%s` could not be made.".formatted(variant));
  }

  /**
   * Returns how long each run is measured.
   *
   * @param otherwise default in seconds, if the command line does not say
   */
  final Duration window(int otherwise) {
    return Duration.ofSeconds(seconds == null ? otherwise : seconds);
  }

  final long seed() {
    return seed;
  }

  /** Makes a run if the command line asks for a run of this name. */
  final void measure(String variant, CalibratedRuns.Attempt<Run> attempt)
      throws LabException, IOException, InterruptedException {
    if (wants(variant)) {
      runs.add(attempt.make());
    }
  }

  /** Whether the command line asks for a run of this name; if it does, the name is printed. */
  final boolean wants(String variant) {
    boolean wanted = variant.contains(only);
    if (wanted) {
      say(variant);
    } else {
      omittedRuns.add(variant);
    }
    return wanted;
  }

  /** Returns the list of the runs so far; callers may add runs. */
  final List<Run> runs() {
    return runs;
  }

  /** Adds a remark about the runs to the page. */
  final void remark(String words) {
    remarks.add(words);
  }

  final void say(String line) {
    spec.commandLine().getOut().println(line);
  }
}
