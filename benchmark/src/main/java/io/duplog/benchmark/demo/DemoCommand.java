package io.duplog.benchmark.demo;

import io.duplog.benchmark.lab.Cleanup;
import io.duplog.benchmark.lab.Lab;
import io.duplog.benchmark.lab.LabJars;
import io.duplog.benchmark.lab.LabPlan;
import io.duplog.benchmark.load.LoadPlan;
import io.duplog.benchmark.measure.Reconciliation;
import io.duplog.rig.Folders;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
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

/**
 * The command {@code demo}: sends messages through a complete Duplog of real servers, and shows
 * that none was lost or duplicated.
 */
@Command(
    name = "demo",
    description = {
      "Starts two rsyslogs with shims, two RabbitMQ nodes, Redis and two bridges on private ports,",
      "sends real syslog to both rsyslogs, and compares the delivered messages with the sent ones.",
      "Exit status: 0 if every message arrived exactly as often as it was sent, 1 if not, 2 for a"
          + " wrong option."
    })
public final class DemoCommand implements Callable<Integer> {
  private static final double REPEAT_PERCENT = 1.5;
  private static final int STREAMS = 2;
  private static final int FAILED = 1;

  /** Exit status after Ctrl-C: 128 plus the number of SIGINT, as in shells. */
  private static final int INTERRUPTED_STATUS = 130;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "Duration of the load in seconds (default: ${DEFAULT-VALUE}).")
  private int seconds = 20;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = "Unique messages per second (default: ${DEFAULT-VALUE}).")
  private int messagesPerSecond = 3000;

  @Option(
      names = "--loss",
      paramLabel = "PERCENT",
      defaultValue = "5",
      description =
          "Percentage of all copies that are withheld, each message from one stream only"
              + " (default: ${DEFAULT-VALUE}; at most 50).")
  private double lossPercent;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Random seed (default: ${DEFAULT-VALUE}).")
  private long seed = 1;

  @Option(
      names = "--sink",
      paramLabel = "KIND",
      defaultValue = "file",
      description =
          "Destination of the merged stream: file, or hec for a stand-in of Splunk's HTTP Event"
              + " Collector (default: ${DEFAULT-VALUE}).")
  private LabPlan.Sink sink = LabPlan.Sink.FILE;

  @Option(
      names = "--dir",
      description = "New or empty directory for all files (default: a new one in the checkout).")
  private @Nullable Path directory;

  @Option(names = "--keep", description = "Keep that directory, with logs and merged stream.")
  private boolean keepDirectory;

  @Override
  public Integer call() throws LabException, IOException, InterruptedException {
    LoadPlan load = loadPlan();
    LabJars jars = LabJars.ofThisBuild();
    Path labDirectory = chooseDirectory();
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        "Duplog demo: %,d unique messages per second for %d s, %s %% of all copies withheld, seed"
            + " %d%n",
        messagesPerSecond, seconds, lossPercent, seed);
    out.println("  all files are in " + labDirectory);
    return run(new Lab(LabPlan.pair(labDirectory, jars).withSink(sink)), labDirectory, load);
  }

  private int run(Lab lab, Path labDirectory, LoadPlan load)
      throws LabException, IOException, InterruptedException {
    DemoOutput output = new DemoOutput(spec.commandLine().getOut());
    Reconciliation result;
    try (Cleanup cleanup = new Cleanup(lab, keepDirectory ? List.of() : List.of(labDirectory))) {
      try {
        result = DemoRun.run(lab, load, output);
      } catch (LabException | IOException e) {
        if (cleanup.isInterrupted()) {
          return INTERRUPTED_STATUS;
        }
        throw e;
      }
    }
    if (keepDirectory) {
      output.step("kept: " + labDirectory);
    }
    output.verdict(result);
    return result.isExact() ? 0 : FAILED;
  }

  private LoadPlan loadPlan() {
    try {
      return new LoadPlan(
          messagesPerSecond,
          Duration.ofSeconds(seconds),
          STREAMS,
          lossPercent,
          REPEAT_PERCENT,
          seed);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  /** Returns a new or empty directory, because the directory is deleted at the end. */
  private Path chooseDirectory() throws IOException, LabException {
    if (directory == null) {
      return Files.createTempDirectory(LabJars.checkout(), ".demo.");
    }
    if (Files.exists(directory) && !Folders.isEmpty(directory)) {
      throw new ParameterException(
          spec.commandLine(), "--dir " + directory + " is not empty: specify a new directory");
    }
    return directory;
  }
}
