package io.duplog.benchmark.soak;

import io.duplog.benchmark.lab.ChildProcess;
import io.duplog.rig.LabException;
import io.duplog.rig.LogTail;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs a benchmark scenario with one build for {@code soak}, each time in a new process. So no run
 * inherits compiled code, heap or open files from a previous run.
 *
 * @param program command that starts this program
 * @param arguments the scenario's name and options
 * @param runsFolder folder that has a folder for each run
 * @param isResumed whether the runs of an interrupted soak count, so that they are not repeated
 */
record Scenario(List<String> program, List<String> arguments, Path runsFolder, boolean isResumed) {
  /** Options of the scenario that the soak itself sets. A user must not give them. */
  static final List<String> RESERVED_OPTIONS =
      List.of("--shim-jar", "--bridge-jar", "--json", "--out");

  Scenario {
    runsFolder = runsFolder.toAbsolutePath();
  }

  /** Returns a scenario that starts this program again with the same Java and class path. */
  static Scenario ofThisProgram(List<String> arguments, Path runsFolder, boolean isResumed) {
    return new Scenario(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            "io.duplog.benchmark.BenchmarkMain"),
        arguments,
        runsFolder,
        isResumed);
  }

  /**
   * Writes the plan into the folder of the runs.
   *
   * @throws LabException if the soak is resumed, but earlier runs had another plan
   */
  void begin(SoakPlan plan) throws LabException, IOException {
    Path planFile = runsFolder.resolve("plan.txt");
    if (isResumed
        && !(Files.isReadable(planFile) && Files.readString(planFile).equals(plan.text()))) {
      throw new LabException(
          runsFolder
              + " holds no runs of this scenario, these builds and this order: nothing to resume");
    }
    Files.createDirectories(runsFolder);
    Files.writeString(planFile, plan.text());
  }

  /**
   * Runs the scenario once. A resumed soak skips the runs that it has made before.
   *
   * @param name name of the run's folder
   * @throws LabException if the run fails for another reason than lost messages
   */
  Outcome run(String name, Build build) throws LabException, InterruptedException {
    Path runFolder = runsFolder.resolve(name);
    Path json = runFolder.resolve("result.json");
    if (isResumed) {
      try {
        return Outcome.read(json);
      } catch (LabException e) {
        // The run was interrupted or had not begun, so it is made now.
      }
    }
    Path log = runFolder.resolve("output.log");
    try {
      Files.createDirectories(runFolder);
      Files.deleteIfExists(json);
      int status = ChildProcess.status(new ProcessBuilder(command(build, runFolder, json)), log);
      // A scenario that lost messages exits with 1, but has written its results.
      if (status == 0 || (Files.isReadable(json) && Outcome.read(json).lost() > 0)) {
        return Outcome.read(json);
      }
      throw new LabException(
          "run %s has ended with status %d; %s ends:%n%s"
              .formatted(name, status, log, LogTail.of(log)));
    } catch (IOException e) {
      throw new LabException("run " + name + " can't be made: " + e.getMessage(), e);
    }
  }

  private List<String> command(Build build, Path runFolder, Path json) {
    List<String> command = new ArrayList<>(program);
    command.addAll(arguments);
    command.addAll(List.of("--shim-jar", build.shim().toString()));
    command.addAll(List.of("--bridge-jar", build.bridge().toString()));
    command.addAll(List.of("--json", json.toString()));
    command.addAll(List.of("--out", runFolder.toString()));
    return command;
  }
}
