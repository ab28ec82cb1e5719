package io.duplog.benchmark.part;

import io.duplog.benchmark.report.Json;
import java.io.IOException;
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
      spec.commandLine().getOut().println(name);
      try {
        results.addAll(run.run(name));
      } catch (RunnerException e) {
        spec.commandLine()
            .getErr()
            .printf("parts: %s failed, %s says why%n", name, run.log(name))
            .flush();
        return FAILED;
      }
      write(new PartsReport(seconds, results)); // after each, so that an end leaves something
    }
    spec.commandLine().getOut().println(new PartsReport(seconds, results).markdown());
    return 0;
  }

  private void write(PartsReport report) throws IOException {
    Files.writeString(out.resolve("parts.md"), report.markdown());
    Json.write(out.resolve("parts.json"), report);
    if (json != null) {
      Json.write(json, report);
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
}
