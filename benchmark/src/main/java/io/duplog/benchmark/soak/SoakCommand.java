package io.duplog.benchmark.soak;

import io.duplog.benchmark.lab.LabJars;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Compares two builds under a scenario. */
@Command(
    name = "soak",
    description = {
      "Runs a scenario with two builds in turn, and says whether their figures differ by more than"
          + " chance makes them: by 5 %% at least, with 95 %% confidence at least.",
      "A build is a folder that holds duplog-ingest.jar and duplog.jar, or a git revision, which is"
          + " built once and kept.",
      "Exit status: 0, also where they differ; 1 where a message was lost or altered, or the"
          + " comparison could not be made; 2 for a wrong option; 3 where they differ and"
          + " --fail-on-change is given."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class SoakCommand implements Callable<Integer> {
  private static final int FAILED = 1;
  private static final int CHANGED = 3;

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
      defaultValue = "10",
      description =
          "Runs of each build that count (default: ${DEFAULT-VALUE}). With 10, and figures that"
              + " scatter by 3 %%, a change of 5 %% is noticed in two soaks of five, one of 8 %% in"
              + " 19 of 20.")
  private int runs;

  @Option(
      names = "--warm-up-runs",
      paramLabel = "N",
      defaultValue = "1",
      description = "Runs of each build before, not counted (default: ${DEFAULT-VALUE}).")
  private int warmUpRuns;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "For the order of the runs (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Write the result there too, as JSON.")
  private @Nullable Path json;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "soak-report",
      description =
          "For the report, its JSON, and what each run wrote (default: ${DEFAULT-VALUE}).")
  private Path out = Path.of("soak-report");

  @Option(
      names = "--resume",
      description =
          "Goes on with a soak that was interrupted: what --out has of its runs is not run again.")
  private boolean resume;

  @Option(
      names = "--cache",
      paramLabel = "DIR",
      description =
          "Keeps the jars of revisions (default: $XDG_CACHE_HOME/duplog-soak, or"
              + " ~/.cache/duplog-soak).")
  private @Nullable Path cache;

  @Option(
      names = "--fail-on-change",
      description = "End with status 3 where the builds differ, for better or worse.")
  private boolean failOnChange;

  @Parameters(
      paramLabel = "SCENARIO [ARGS...]",
      arity = "1..*",
      description = "Any scenario of this program with its options, after --.")
  private List<String> scenario = List.of();

  @Override
  public Integer call() throws IOException, InterruptedException {
    check();
    try {
      return soak();
    } catch (SoakException e) {
      PrintWriter err = spec.commandLine().getErr();
      err.println("soak: " + e.getMessage());
      err.flush();
      return FAILED;
    }
  }

  private void check() {
    if (runs < 2 || warmUpRuns < 0) {
      throw new ParameterException(
          spec.commandLine(), "--runs must be at least 2, --warm-up-runs at least 0");
    }
    for (String option : Scenario.RESERVED) {
      if (scenario.stream()
          .anyMatch(each -> each.equals(option) || each.startsWith(option + "="))) {
        throw new ParameterException(
            spec.commandLine(), "the scenario gets its " + option + " from soak itself");
      }
    }
  }

  private int soak() throws SoakException, IOException, InterruptedException {
    BuildFinder finder = new BuildFinder(checkout(), cache(), BuildFinder.MAVEN, this::say);
    SoakPlan plan = new SoakPlan(scenario, finder.find(a), finder.find(b), warmUpRuns, runs, seed);
    say(plan.text());
    Scenario program = Scenario.ofThisProgram(scenario, out.resolve("runs"), resume);
    program.begin(plan);
    SoakReport report = SoakReport.of(plan, new SoakRun(program, plan, this::say).run());
    Files.writeString(out.resolve("soak.md"), report.markdown());
    report.writeJson(out.resolve("soak.json"));
    if (json != null) {
      report.writeJson(json);
    }
    say(report.summary());
    if (!report.isWhole()) {
      return FAILED;
    }
    return failOnChange && report.changed() ? CHANGED : 0;
  }

  /** Revisions are those of the checkout that this program was built in. */
  private static Path checkout() {
    try {
      return LabJars.checkout();
    } catch (LabException e) {
      return Path.of("").toAbsolutePath(); // it was copied elsewhere
    }
  }

  private Path cache() {
    if (cache != null) {
      return cache;
    }
    String caches = System.getenv("XDG_CACHE_HOME");
    Path home =
        caches == null || caches.isEmpty()
            ? Path.of(System.getProperty("user.home"), ".cache")
            : Path.of(caches);
    return home.resolve("duplog-soak");
  }

  private void say(String line) {
    PrintWriter screen = spec.commandLine().getOut();
    screen.println(line);
    screen.flush();
  }
}
