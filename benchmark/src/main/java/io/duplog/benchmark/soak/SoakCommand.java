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

/** Compares the speed of two builds by running a scenario with each build several times. */
@Command(
    name = "soak",
    description = {
      "Runs a scenario with two builds in turn, and says whether their figures differ by more than"
          + " chance makes them: by 5 %% at least, with 95 %% confidence at least.",
      "A build is a folder that holds duplog-ingest.jar and duplog.jar, or a git revision of the"
          + " checkout that it is started in, which is built once and kept in"
          + " ~/.cache/duplog-soak.",
      "Exit status: 0, also where they differ; 1 where a message was lost or altered, or the"
          + " comparison could not be made; 2 for a wrong option."
    })
public final class SoakCommand implements Callable<Integer> {
  private static final int FAILED = 1;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--a",
      paramLabel = "REV|DIR",
      required = true,
      description = "The build to compare with.")
  private String a = "";

  @Option(
      names = "--b",
      paramLabel = "REV|DIR",
      required = true,
      description = "The build that is compared with it.")
  private String b = "";

  @Option(
      names = "--runs",
      paramLabel = "N",
      description =
          "Runs of each build that count (default: ${DEFAULT-VALUE}). With 10, and figures that"
              + " scatter by 3 %%, a change of 5 %% is noticed in two soaks of five, one of 8 %% in"
              + " 19 of 20.")
  private int runs = 10;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "For the report, its JSON, and what each run wrote (default: ${DEFAULT-VALUE}).")
  private Path out = Path.of("soak-report");

  @Option(
      names = "--resume",
      description =
          "Goes on with a soak that was interrupted: what --out has of its runs is not run again.")
  private boolean resume;

  @Parameters(
      paramLabel = "SCENARIO [ARGS...]",
      arity = "1..*",
      description = "Any scenario of this program with its options, after --.")
  private List<String> scenario = List.of();

  @Override
  public Integer call() throws LabException, IOException, InterruptedException {
    check();
    Path cache = Path.of(System.getProperty("user.home"), ".cache", "duplog-soak");
    BuildFinder finder =
        new BuildFinder(Path.of("").toAbsolutePath(), cache, BuildFinder.MAVEN, this::say);
    SoakPlan plan = new SoakPlan(scenario, finder.find(a), finder.find(b), runs);
    say(plan.text());
    Scenario program = Scenario.ofThisProgram(scenario, out.resolve("runs"), resume);
    program.begin(plan);
    SoakReport report = SoakReport.of(plan, new SoakRun(program, plan, this::say).run());
    Files.writeString(out.resolve("soak.md"), report.markdown());
    Json.write(out.resolve("soak.json"), report);
    say(report.markdown());
    return report.isWhole() ? 0 : FAILED;
  }

  private void check() {
    if (runs < 2) {
      throw new ParameterException(spec.commandLine(), "--runs must be at least 2");
    }
    for (String option : Scenario.RESERVED) {
      if (scenario.stream()
          .anyMatch(each -> each.equals(option) || each.startsWith(option + "="))) {
        throw new ParameterException(
            spec.commandLine(), "the scenario gets its " + option + " from soak itself");
      }
    }
  }

  private void say(String line) {
    spec.commandLine().getOut().println(line);
  }
}
