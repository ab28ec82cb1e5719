package io.duplog.benchmark.plan;

import io.duplog.benchmark.report.JsonTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The JSON file that a scenario writes.
 *
 * @param machine what it ran on
 */
record Recording(Map<String, String> machine, List<RecordedRun> runs) {

  /**
   * @throws IOException in one line, if it is not there or no such file
   */
  static Recording read(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new IOException(file + " is not there");
    }
    Members all = Members.of(file.toString(), JsonTree.read(file));
    Map<String, String> machine = all.object("machine").texts();
    double cores;
    try {
      cores = Double.parseDouble(machine.getOrDefault("cores", ""));
    } catch (NumberFormatException e) {
      throw new IOException(file + " does not say how many cores its machine had", e);
    }
    List<RecordedRun> runs = new ArrayList<>();
    for (Members run : all.objects("runs")) {
      runs.add(RecordedRun.of(run, cores));
    }
    return new Recording(machine, List.copyOf(runs));
  }
}
