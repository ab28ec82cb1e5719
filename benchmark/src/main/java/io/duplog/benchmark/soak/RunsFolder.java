package io.duplog.benchmark.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where the runs of a soak write, and where a soak that was interrupted finds those that it need
 * not make again.
 *
 * @param path of the folder, which has one for each run
 * @param resumed whether runs of before count
 */
record RunsFolder(Path path, boolean resumed) {
  private static final String PLAN = "plan.txt";

  RunsFolder {
    path = path.toAbsolutePath();
  }

  /**
   * Notes what is run here.
   *
   * @throws SoakException if runs of before are to count, and were not of this plan
   */
  void begin(SoakPlan plan) throws SoakException, IOException {
    Path note = path.resolve(PLAN);
    if (resumed && !(Files.isReadable(note) && Files.readString(note).equals(plan.text()))) {
      throw new SoakException(
          path + " holds no runs of this scenario, these builds and this order: nothing to resume");
    }
    Files.createDirectories(path);
    Files.writeString(note, plan.text());
  }

  /** A run's folder. */
  Path of(String run) {
    return path.resolve(run);
  }

  /** A run's result. */
  Path result(String run) {
    return of(run).resolve("result.json");
  }

  /** What a run of before has brought; null where it has to be made. */
  @Nullable Outcome earlier(String run) {
    if (!resumed) {
      return null;
    }
    try {
      return Outcome.read(result(run));
    } catch (SoakException e) {
      return null; // it was interrupted, or did not begin
    }
  }
}
