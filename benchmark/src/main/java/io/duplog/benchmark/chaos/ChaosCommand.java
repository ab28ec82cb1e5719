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
 * The command {@code chaos}: breaks parts of a running Duplog under load, and checks that each
 * fault stays within the harm stated in advance.
 */
@Command(
    name = "chaos",
    description = {
      "Causes one fault after the other in a Duplog with real rsyslogs, RabbitMQ nodes, Redis and bridges"
          + " under a steady load. Compares the delivered messages with the sent ones, message by message.",
      "Exit status: 0 if no message was altered, and if losses, duplicates and delays stayed in their limits,"
          + " 1 if not, 2 for a wrong option."
    })
public final class ChaosCommand implements Callable<Integer> {
  private static final int FAILED = 1;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--faults",
      paramLabel = "NAME",
      split = ",",
      description = "Run only these faults, separated by commas. An asterisk stands for any text.")
  private List<String> faultNames = List.of();

  @Option(names = "--list", description = "Only list the faults with their limits.")
  private boolean isListOnly;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description =
          "Duration of the load in seconds before each fault, and again after it (default:"
              + " ${DEFAULT-VALUE}).")
  private int seconds = 5;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = "Unique messages per second (default: ${DEFAULT-VALUE}).")
  private int messagesPerSecond = 2000;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Random seed (default: ${DEFAULT-VALUE}).")
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
          "Folder for the table, charts, and the labs of failed faults (default: ${DEFAULT-VALUE}).")
  private Path reportFolder = Path.of("chaos-report");

  @Option(
      names = "--keep",
      description =
          "Keep the other rows of the table in --out. Otherwise it has only the rows of this run.")
  private boolean keepOtherRows;

  @Override
  public Integer call() throws LabException, IOException, InterruptedException {
    PrintWriter console = spec.commandLine().getOut();
    List<Fault> selectedFaults = selectFaults();
    if (isListOnly) {
      selectedFaults.forEach(
          fault ->
              console.printf(
                  "%-22s %s%n%22s %s%n",
                  fault.name(), fault.description(), "", fault.bounds(messagesPerSecond)));
      return 0;
    }
    Output output = new Output(console, reportFolder, keepOtherRows);
    LabJars jars = LabJars.ofThisBuild();
    List<FaultResult> results =
        run(
            new ChaosLabs(
                output.labsFolder(), folder -> LabPlan.pair(folder, jars).withQueueType(queueType)),
            new FaultRun.Parameters(messagesPerSecond, Duration.ofSeconds(seconds), seed),
            output,
            selectedFaults);
    return results.stream().allMatch(FaultResult::hasPassed) ? 0 : FAILED;
  }

  /**
   * Causes one fault after the other, and then closes the labs. Returns the result of each fault
   * that this machine can cause.
   *
   * @throws LabException if no lab can be started
   */
  static List<FaultResult> run(
      ChaosLabs labs, FaultRun.Parameters parameters, Output output, List<Fault> faults)
      throws LabException, IOException, InterruptedException {
    output.begin();
    Thread shutdownHook = new Thread(() -> close(labs), "cleanup");
    Runtime.getRuntime().addShutdownHook(shutdownHook);
    try {
      for (Fault fault : faults) {
        run(fault, parameters, labs, output);
      }
    } finally {
      close(labs);
    }
    Runtime.getRuntime().removeShutdownHook(shutdownHook);
    return output.results();
  }

  private static void run(
      Fault fault, FaultRun.Parameters parameters, ChaosLabs labs, Output output)
      throws LabException, IOException, InterruptedException {
    String reasonNotRun = ChaosLabs.findObstacle(fault.setup());
    if (reasonNotRun != null) {
      output.print("%-22s not run: %s".formatted(fault.name(), reasonNotRun));
      return;
    }
    output.print(
        "# %s: %s".formatted(fault.description(), fault.bounds(parameters.messagesPerSecond())));
    FaultResult result = FaultRun.run(labs.labFor(fault.setup()), fault, parameters);
    output.add(result);
    if (!result.hasPassed()) {
      output.print("  logs: " + labs.takeDown(true));
    }
  }

  private static void close(ChaosLabs labs) {
    try {
      labs.close();
    } catch (LabException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private List<Fault> selectFaults() {
    if (seconds < 1 || messagesPerSecond < 1) {
      throw new ParameterException(spec.commandLine(), "--seconds and --rate must be positive");
    }
    try {
      return Faults.named(faultNames);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }
}
