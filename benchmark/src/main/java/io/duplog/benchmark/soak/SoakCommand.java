package io.duplog.benchmark.soak;

import io.duplog.benchmark.report.Json;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The command {@code soak}: tells whether one build is faster than another, by many alternating
 * runs of a scenario.
 */
@Command(
    name = "soak",
    description = {
      "Runs a scenario with two builds alternately, and reports whether their figures differ by more than"
          + " chance explains: by at least 5 %%, with at least 95 %% confidence.",
      "A build is a folder with duplog-ingest.jar and duplog.jar, or a git revision of the"
          + " checkout in the current directory. A revision is built once and kept in"
          + " ~/.cache/duplog-soak.",
      "Exit status: 0, even if they differ; 1 if a message was lost or altered, or if the"
          + " comparison failed; 2 for a wrong option."
    })
public final class SoakCommand implements Callable<Integer> {
  private static final int FAILED = 1;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--a",
      paramLabel = "REV|DIR",
      required = true,
      description = "The reference build.")
  private String buildA = "";

  @Option(
      names = "--b",
      paramLabel = "REV|DIR",
      required = true,
      description = "The build to compare with it.")
  private String buildB = "";

  @Option(
      names = "--runs",
      paramLabel = "N",
      description =
          "Number of runs of each build, without warm-up (default: ${DEFAULT-VALUE}). With 10 runs, and"
              + " figures that scatter by 3 %%, two soaks of five detect a change of 5 %%, and 19 of 20"
              + " detect a change of 8 %%.")
  private int runsPerBuild = 10;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Folder for the report, its JSON, and the output of each run (default: ${DEFAULT-VALUE}).")
  private Path reportFolder = Path.of("soak-report");

  @Option(
      names = "--resume",
      description =
          "Continue an interrupted soak. The runs that are already in --out are not repeated.")
  private boolean isResumed;

  @Parameters(
      paramLabel = "SCENARIO [ARGS...]",
      arity = "1..*",
      description = "A scenario of this program with its options, after --.")
  private List<String> scenario = List.of();

  @Override
  public Integer call() throws LabException, IOException, InterruptedException {
    checkOptions();
    Path cache = Path.of(System.getProperty("user.home"), ".cache", "duplog-soak");
    BuildFinder finder =
        new BuildFinder(Path.of("").toAbsolutePath(), cache, BuildFinder.MAVEN, this::print);
    SoakPlan plan = new SoakPlan(scenario, finder.find(buildA), finder.find(buildB), runsPerBuild);
    print(plan.text());
    Scenario program = Scenario.ofThisProgram(scenario, reportFolder.resolve("runs"), isResumed);
    program.begin(plan);
    SoakReport report = SoakReport.of(plan, new SoakRun(program, plan, this::print).run());
    Files.writeString(reportFolder.resolve("soak.md"), report.markdown());
    Json.write(reportFolder.resolve("soak.json"), report);
    print(report.markdown());
    return report.isWhole() ? 0 : FAILED;
  }

  private void checkOptions() {
    if (runsPerBuild < 2) {
      throw new ParameterException(spec.commandLine(), "--runs must be at least 2");
    }
    for (String option : Scenario.RESERVED_OPTIONS) {
      if (scenario.stream()
          .anyMatch(each -> each.equals(option) || each.startsWith(option + "="))) {
        throw new ParameterException(
            spec.commandLine(), "soak itself sets " + option + " of the scenario");
      }
    }
  }

  private void print(String line) {
    spec.commandLine().getOut().println(line);
  }
}
