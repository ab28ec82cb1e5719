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
 * A scenario of this program, of which each run has a process of its own, so that no run inherits
 * another's compiled code, heap or open files.
 *
 * @param program command that starts this program
 * @param arguments the scenario's name and options
 * @param runs folder that has a folder for each run
 * @param resumed whether the runs of an interrupted soak count, so that they are not made again
 */
record Scenario(List<String> program, List<String> arguments, Path runs, boolean resumed) {
  /** Options of the scenario that the soak sets itself, so that a user must not give them. */
  static final List<String> RESERVED = List.of("--shim-jar", "--bridge-jar", "--json", "--out");

  Scenario {
    runs = runs.toAbsolutePath();
  }

  /** Returns a scenario that starts this program again with the same Java and class path. */
  static Scenario ofThisProgram(List<String> arguments, Path runs, boolean resumed) {
    return new Scenario(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            "io.duplog.benchmark.BenchmarkMain"),
        arguments,
        runs,
        resumed);
  }

  /**
   * Writes the plan into the folder of the runs.
   *
   * @throws LabException if earlier runs are to count, but were made by another plan
   */
  void begin(SoakPlan plan) throws LabException, IOException {
    Path note = runs.resolve("plan.txt");
    if (resumed && !(Files.isReadable(note) && Files.readString(note).equals(plan.text()))) {
      throw new LabException(
          runs + " holds no runs of this scenario, these builds and this order: nothing to resume");
    }
    Files.createDirectories(runs);
    Files.writeString(note, plan.text());
  }

  /**
   * Runs the scenario once, unless the soak is resumed and has made this run before.
   *
   * @param name name of the run's folder
   * @throws LabException if the run fails for another reason than lost messages
   */
  Outcome run(String name, Build build) throws LabException, InterruptedException {
    Path home = runs.resolve(name);
    Path json = home.resolve("result.json");
    if (resumed) {
      try {
        return Outcome.read(json);
      } catch (LabException e) {
        // The run was interrupted or had not begun, so it is made now.
      }
    }
    Path log = home.resolve("output.log");
    try {
      Files.createDirectories(home);
      Files.deleteIfExists(json);
      int status = ChildProcess.status(new ProcessBuilder(command(build, home, json)), log);
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

  private List<String> command(Build build, Path home, Path json) {
    List<String> command = new ArrayList<>(program);
    command.addAll(arguments);
    command.addAll(List.of("--shim-jar", build.shim().toString()));
    command.addAll(List.of("--bridge-jar", build.bridge().toString()));
    command.addAll(List.of("--json", json.toString()));
    command.addAll(List.of("--out", home.toString()));
    return command;
  }
}
