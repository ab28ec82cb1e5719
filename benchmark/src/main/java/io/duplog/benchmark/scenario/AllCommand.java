package io.duplog.benchmark.scenario;

import io.duplog.benchmark.lab.LabJars;
import io.duplog.benchmark.report.ResultsPage;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The command {@code all}: runs the benchmark scenarios behind the goals, and writes the page of
 * results.
 */
@Command(
    name = "all",
    description = {
      "Measures the figures behind the goals (scenario ratios), prints how long that takes, and writes"
          + " benchmark/RESULTS.md. Runs the other scenarios on request.",
      "Exit status: 0 if no message was lost or altered, 1 if one was or if a scenario failed."
    })
public final class AllCommand implements Callable<Integer> {
  /** Name of the folder for the scenarios' pages and pictures, next to {@code RESULTS.md}. */
  private static final String RESULTS_FOLDER = "results";

  private static final String SHORT_WARM_UP = "--warm-up=20";

  /**
   * Option for a longer warm-up, because the JIT compilers get little processor time at full load.
   */
  private static final String LONG_WARM_UP = "--warm-up=60";

  /**
   * A scenario with its options.
   *
   * @param name name of the command and of the page that it writes
   * @param minutes approximate duration
   */
  private record ScenarioRun(String name, int minutes, List<String> options) {}

  private static final List<ScenarioRun> SCENARIO_RUNS =
      List.of(
          new ScenarioRun("ratios", 42, List.of("--seconds=6", SHORT_WARM_UP)),
          new ScenarioRun("duplog", 27, List.of("--matrix")),
          new ScenarioRun("sc4s", 13, List.of("--seconds=12", LONG_WARM_UP)),
          new ScenarioRun("data-prepper", 4, List.of(LONG_WARM_UP)),
          new ScenarioRun("logtrust", 3, List.of(SHORT_WARM_UP)),
          new ScenarioRun("growth", 6, List.of(SHORT_WARM_UP)),
          new ScenarioRun("parts", 2, List.of("--seconds=2")));

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Folder for RESULTS.md and its pictures (default: benchmark).")
  private @Nullable Path out;

  @Option(
      names = "--only",
      paramLabel = "NAME",
      split = ",",
      description =
          "Run only these scenarios. For the others, the page shows their previous results.")
  private List<String> scenarioNames = List.of("ratios");

  @Option(names = "--everything", description = "Run every scenario. That takes about 100 minutes.")
  private boolean allScenarios;

  @Option(
      names = "--page",
      description = "Measure nothing. Write RESULTS.md from the previous results.")
  private boolean pageOnly;

  @Override
  public Integer call() throws IOException, LabException {
    List<String> names = SCENARIO_RUNS.stream().map(ScenarioRun::name).toList();
    if (!names.containsAll(scenarioNames)) {
      throw new ParameterException(
          spec.commandLine(),
          "--only " + String.join(",", scenarioNames) + ": the scenarios are " + names);
    }
    Path pageFolder = out == null ? LabJars.checkout().resolve("benchmark") : out;
    Files.createDirectories(pageFolder.resolve(RESULTS_FOLDER));
    int status = pageOnly ? 0 : runScenarios(pageFolder.resolve(RESULTS_FOLDER).toString());
    Files.writeString(
        pageFolder.resolve("RESULTS.md"),
        ResultsPage.text(pageFolder.resolve(RESULTS_FOLDER), names));
    return status;
  }

  /** Runs the selected scenarios. Returns 1 if at least one of them failed, otherwise 0. */
  private int runScenarios(String resultsFolder) {
    List<ScenarioRun> scenarios =
        SCENARIO_RUNS.stream()
            .filter(scenario -> allScenarios || scenarioNames.contains(scenario.name()))
            .toList();
    print(
        "takes about %d minutes"
            .formatted(scenarios.stream().mapToInt(ScenarioRun::minutes).sum()));
    int status = 0;
    for (ScenarioRun scenario : scenarios) {
      List<String> arguments = new ArrayList<>(List.of(scenario.name(), "--out", resultsFolder));
      arguments.addAll(scenario.options());
      if (spec.root().commandLine().execute(arguments.toArray(String[]::new)) != 0) {
        print("failed: " + scenario.name());
        status = 1;
      }
    }
    return status;
  }

  private void print(String line) {
    spec.commandLine().getOut().println("all: " + line);
  }
}
