package io.duplog.benchmark.chaos;

import io.duplog.benchmark.fault.Fault;
import io.duplog.benchmark.fault.Faults;
import io.duplog.benchmark.lab.LabJars;
import io.duplog.benchmark.lab.LabPlan;
import io.duplog.benchmark.report.FaultResult;
import io.duplog.rig.LabException;
import io.duplog.wire.Topology;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Causes faults under load, and checks that each stays within limits that were stated beforehand.
 */
@Command(
    name = "chaos",
    description = {
      "Runs Duplog on real rsyslogs, RabbitMQ nodes, Redis and bridges under a steady load, causes",
      "one fault after the other, and compares what was delivered with what was sent, message by"
          + " message.",
      "Exit status: 0 if nothing was altered, and no more lost, doubled or late than stated beforehand,"
          + " 1 if not, 2 for a wrong option."
    })
public final class ChaosCommand implements Callable<Integer> {
  private static final int FAILED = 1;

  @Spec private CommandSpec spec = CommandSpec.create();

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
      description =
          "How long the load runs before each fault, and again after it (default:"
              + " ${DEFAULT-VALUE}).")
  private int seconds = 5;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = "Unique messages a second (default: ${DEFAULT-VALUE}).")
  private int rate = 2000;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "What the random choices begin with (default: ${DEFAULT-VALUE}).")
  private long seed = 1;

  @Option(
      names = "--queue-type",
      paramLabel = "TYPE",
      defaultValue = "classic",
      description = "Type of the nodes' queues, classic or quorum (default: ${DEFAULT-VALUE}).")
  private Topology.QueueType queueType = Topology.QueueType.CLASSIC;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "For table, charts, and the labs of rows that failed (default: ${DEFAULT-VALUE}).")
  private Path out = Path.of("chaos-report");

  @Option(
      names = "--keep",
      description = "Beside the rows that are made now, keep the others of the table in --out.")
  private boolean keep;

  @Override
  public Integer call() throws LabException, IOException, InterruptedException {
    PrintWriter screen = spec.commandLine().getOut();
    List<Fault> chosen = choose();
    if (list) {
      chosen.forEach(
          fault ->
              screen.printf(
                  "%-22s %s%n%22s %s%n", fault.name(), fault.what(), "", fault.bounds(rate)));
      return 0;
    }
    Output output = new Output(screen, out, keep);
    LabJars jars = LabJars.ofThisBuild();
    List<FaultResult> rows =
        run(
            new Stage(output.labs(), folder -> LabPlan.pair(folder, jars).withQueueType(queueType)),
            new Trial.Terms(rate, Duration.ofSeconds(seconds), seed),
            output,
            chosen);
    return rows.stream().allMatch(FaultResult::hasPassed) ? 0 : FAILED;
  }

  /**
   * Causes one fault after the other on the stage, and closes it; returns a row for each that could
   * be caused.
   *
   * @throws LabException if no lab can be started
   */
  static List<FaultResult> run(Stage stage, Trial.Terms terms, Output output, List<Fault> faults)
      throws LabException, IOException, InterruptedException {
    output.begin();
    Thread hook = new Thread(() -> close(stage), "cleanup");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      for (Fault fault : faults) {
        run(fault, terms, stage, output);
      }
    } finally {
      close(stage);
    }
    Runtime.getRuntime().removeShutdownHook(hook);
    return output.rows();
  }

  private static void run(Fault fault, Trial.Terms terms, Stage stage, Output output)
      throws LabException, IOException, InterruptedException {
    String obstacle = Stage.obstacle(fault.setup());
    if (obstacle != null) {
      output.say("%-22s not run: %s".formatted(fault.name(), obstacle));
      return;
    }
    output.say("# %s: %s".formatted(fault.what(), fault.bounds(terms.rate())));
    FaultResult row = Trial.run(stage.labFor(fault.setup()), fault, terms);
    output.add(row);
    if (!row.hasPassed()) {
      output.say("  logs: " + stage.tearDown(true));
    }
  }

  private static void close(Stage stage) {
    try {
      stage.close();
    } catch (LabException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private List<Fault> choose() {
    if (seconds < 1 || rate < 1) {
      throw new ParameterException(spec.commandLine(), "--seconds and --rate must be positive");
    }
    try {
      return Faults.named(names);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }
}
