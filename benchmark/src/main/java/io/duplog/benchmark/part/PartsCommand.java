package io.duplog.benchmark.part;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.runner.RunnerException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Times the parts of the programs one by one. */
@Command(
    name = "parts",
    description = {
      "Times the parts of the programs one by one, with JMH: decoding a batch, digests, verdicts in"
          + " memory and in Redis, encoding for HEC, reading from omprog.",
      "Prints the time and the allocated memory a message.",
      "Exit status: 0, or 1 where one failed, 2 for a wrong option."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class PartsCommand implements Callable<Integer> {
  private static final int FAILED = 1;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "5",
      description =
          "How long each is measured, in each of two processes, after warming up for as long"
              + " (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--only",
      paramLabel = "REGEX",
      description = "Only those in whose name it is found, such as Verdict.")
  private String only = "";

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Write the results there too, as JSON.")
  private @Nullable Path json;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "parts-report",
      description = "For table, JSON and JMH's own words (default: ${DEFAULT-VALUE}).")
  private Path out = Path.of("parts-report");

  @Override
  public Integer call() throws IOException {
    List<String> names = chosen();
    Files.createDirectories(out);
    PartsRun run = new PartsRun(seconds, out);
    List<PartResult> results = new ArrayList<>();
    for (String name : names) {
      try {
        results.addAll(run.run(name, this::say));
      } catch (RunnerException e) {
        PrintWriter err = spec.commandLine().getErr();
        err.println("parts: %s failed, %s says why".formatted(name, run.log(name)));
        err.flush();
        return FAILED;
      }
      write(results);
    }
    say("");
    say(PartsReport.table(results));
    return 0;
  }

  /** After each anew, so that an end in between leaves something. */
  private void write(List<PartResult> results) throws IOException {
    Files.writeString(out.resolve("parts.md"), PartsReport.markdown(results, seconds));
    PartsReport.writeJson(out.resolve("parts.json"), results, seconds);
    if (json != null) {
      PartsReport.writeJson(json, results, seconds);
    }
  }

  private List<String> chosen() {
    if (seconds < 1) {
      throw new ParameterException(spec.commandLine(), "--seconds must be positive");
    }
    try {
      Pattern pattern = Pattern.compile(only);
      List<String> names =
          PartsRun.names().stream().filter(name -> pattern.matcher(name).find()).toList();
      if (names.isEmpty()) {
        throw new ParameterException(
            spec.commandLine(), "no part matches '" + only + "', there are " + PartsRun.names());
      }
      return names;
    } catch (PatternSyntaxException e) {
      throw new ParameterException(spec.commandLine(), "--only: " + e.getMessage(), e);
    }
  }

  private void say(String line) {
    PrintWriter screen = spec.commandLine().getOut();
    screen.println(line);
    screen.flush();
  }
}
