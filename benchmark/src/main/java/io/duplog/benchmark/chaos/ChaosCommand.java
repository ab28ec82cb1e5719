package io.duplog.benchmark.chaos;

import io.duplog.benchmark.fault.Bound;
import io.duplog.benchmark.fault.Fault;
import io.duplog.benchmark.fault.Faults;
import io.duplog.benchmark.fuzz.FuzzRun;
import io.duplog.benchmark.lab.LabJars;
import io.duplog.benchmark.report.Row;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Shows that no fault loses a message, and which ones double some. */
@Command(
    name = "chaos",
    description = {
      "Runs Duplog on real rsyslogs, RabbitMQ nodes, Redis and bridges under a steady load, causes",
      "one fault after the other, and compares what was delivered with what was sent, message by"
          + " message.",
      "The fault named fuzz feeds a million seeded pieces of nonsense to the decoder, the omprog"
          + " reader and the configuration.",
      "Exit status: 0 if nothing was lost or altered and no more doubled than the exceptions in"
          + " docs/guarantees.md license, 1 if not, 2 for a wrong option."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class ChaosCommand implements Callable<Integer> {
  private static final int FAILED = 1;
  private static final String FUZZ = "fuzz";
  private static final long FUZZ_INPUTS = 1_000_000;

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--faults",
      paramLabel = "NAME",
      split = ",",
      description = "Only these, separated by commas; an asterisk stands for anything.")
  private List<String> names = List.of();

  @Option(names = "--list", description = "Only list the faults with their bounds.")
  private boolean list;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "5",
      description =
          "How long the load runs before each fault, and again after it (default:"
              + " ${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "2000",
      description = "Unique messages a second (default: ${DEFAULT-VALUE}).")
  private int rate;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "What the random choices begin with (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(names = "--json", paramLabel = "FILE", description = "Write the rows there too, as JSON.")
  private @Nullable Path json;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "chaos-report",
      description =
          "For table, charts, and the labs of rows that failed (default: ${DEFAULT-VALUE}).")
  private Path out = Path.of("chaos-report");

  @Option(
      names = "--keep",
      description = "Beside the rows that are made now, keep the others of the table in --out.")
  private boolean keep;

  @Override
  public Integer call() throws Exception {
    PrintWriter screen = spec().commandLine().getOut();
    boolean fuzz = names.isEmpty() || names.contains(FUZZ);
    List<Fault> chosen = names.equals(List.of(FUZZ)) ? List.of() : choose();
    if (list) {
      chosen.forEach(fault -> screen.println(describe(fault)));
      if (fuzz) {
        screen.printf(
            "%-22s %,d pieces of nonsense to decoder, omprog reader and configuration%n",
            FUZZ, FUZZ_INPUTS);
      }
      screen.flush();
      return 0;
    }
    boolean sound = !fuzz || FuzzRun.report(FuzzRun.all(seed, FUZZ_INPUTS), screen);
    return run(chosen, screen) && sound ? 0 : FAILED;
  }

  private boolean run(List<Fault> chosen, PrintWriter screen)
      throws IOException, InterruptedException {
    if (chosen.isEmpty()) {
      return true;
    }
    try {
      LabJars jars = LabJars.ofThisBuild();
      Trial.Terms terms = new Trial.Terms(rate, Duration.ofSeconds(seconds), seed);
      List<Row> rows = new ChaosRun(jars, terms, new Output(screen, out, json, keep)).run(chosen);
      return rows.stream().allMatch(Row::hasPassed);
    } catch (LabException e) {
      PrintWriter err = spec().commandLine().getErr();
      err.println("chaos: " + e.getMessage());
      err.flush();
      return false;
    }
  }

  private List<Fault> choose() {
    if (seconds < 1 || rate < 1) {
      throw new ParameterException(spec().commandLine(), "--seconds and --rate must be positive");
    }
    try {
      return Choice.of(Faults.all(), names.stream().filter(name -> !name.equals(FUZZ)).toList());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec().commandLine(), e.getMessage(), e);
    }
  }

  private String describe(Fault fault) {
    Bound bound = fault.duplicates();
    String duplicates =
        bound.at(rate) == 0
            ? "no duplicates"
            : "up to %,d duplicates (%s)".formatted(bound.at(rate), bound.cause());
    return "%-22s %s%n%22s no loss, %s, no pause over %d s"
        .formatted(fault.name(), fault.what(), "", duplicates, fault.gapLimit().toSeconds());
  }

  private CommandSpec spec() {
    if (spec == null) {
      throw new IllegalStateException("not run by picocli");
    }
    return spec;
  }
}
