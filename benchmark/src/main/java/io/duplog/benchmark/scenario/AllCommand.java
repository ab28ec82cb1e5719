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

/** Runs the scenario of the goals, or more scenarios on request, and writes a page of results. */
@Command(
    name = "all",
    description = {
      "Measures what the goals are about (ratios), says beforehand how long that takes, and writes"
          + " benchmark/RESULTS.md. On request every other scenario, too.",
      "Exit status: 0 if nothing was lost or altered anywhere, 1 if it was or a scenario failed."
    })
public final class AllCommand implements Callable<Integer> {
  /** Name of the folder for the scenarios' pages and pictures, beside {@code RESULTS.md}. */
  private static final String PARTS = "results";

  private static final String BRIEF = "--warm-up=20";

  /** Option for a longer warm-up, because compilers get little processor time at full load. */
  private static final String LONG = "--warm-up=60";

  /**
   * A scenario with its options.
   *
   * @param name name of the command, and of the page that it writes
   * @param minutes about how long it takes
   */
  private record Step(String name, int minutes, List<String> options) {}

  private static final List<Step> STEPS =
      List.of(
          new Step("ratios", 42, List.of("--seconds=6", BRIEF)),
          new Step("duplog", 27, List.of("--matrix")),
          new Step("sc4s", 13, List.of("--seconds=12", LONG)),
          new Step("data-prepper", 4, List.of(LONG)),
          new Step("logtrust", 3, List.of(BRIEF)),
          new Step("growth", 6, List.of(BRIEF)),
          new Step("parts", 2, List.of("--seconds=2")));

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "For RESULTS.md and its pictures (default: the folder benchmark).")
  private @Nullable Path out;

  @Option(
      names = "--only",
      paramLabel = "NAME",
      split = ",",
      description = "Only these scenarios; of the others the page shows what was measured before.")
  private List<String> only = List.of("ratios");

  @Option(names = "--everything", description = "Every scenario, which takes some 100 minutes.")
  private boolean everything;

  @Option(
      names = "--page",
      description = "Measure nothing: put RESULTS.md together from what was measured before.")
  private boolean pageOnly;

  @Override
  public Integer call() throws IOException, LabException {
    List<String> names = STEPS.stream().map(Step::name).toList();
    if (!names.containsAll(only)) {
      throw new ParameterException(
          spec.commandLine(), "--only " + String.join(",", only) + ": there are " + names);
    }
    Path folder = out == null ? LabJars.checkout().resolve("benchmark") : out;
    Files.createDirectories(folder.resolve(PARTS));
    int status = pageOnly ? 0 : measure(folder.resolve(PARTS).toString());
    Files.writeString(folder.resolve("RESULTS.md"), ResultsPage.text(folder.resolve(PARTS), names));
    return status;
  }

  /** Runs the chosen scenarios; returns 1 if at least one of them failed, otherwise 0. */
  private int measure(String results) {
    List<Step> steps =
        STEPS.stream().filter(step -> everything || only.contains(step.name())).toList();
    say("takes about %d minutes".formatted(steps.stream().mapToInt(Step::minutes).sum()));
    int status = 0;
    for (Step step : steps) {
      List<String> words = new ArrayList<>(List.of(step.name(), "--out", results));
      words.addAll(step.options());
      if (spec.root().commandLine().execute(words.toArray(String[]::new)) != 0) {
        say("failed: " + step.name());
        status = 1;
      }
    }
    return status;
  }

  private void say(String line) {
    spec.commandLine().getOut().println("all: " + line);
  }
}
