package io.duplog.benchmark.soak;

import com.google.common.collect.Lists;
import io.duplog.benchmark.lab.ChildProcess;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.function.Consumer;

/**
 * Finds the two jars of a build that the command line names by a folder, or by a git revision,
 * which is built once and kept.
 *
 * @param checkout checkout whose revisions are meant
 * @param cache folder that keeps the jars of each commit id; created if missing
 * @param maven command that builds the jars, {@link #MAVEN}
 * @param progress gets a line if something has to be built
 */
record BuildFinder(Path checkout, Path cache, List<String> maven, Consumer<String> progress) {
  /** Command that builds the jars of a checkout. */
  static final List<String> MAVEN =
      List.of("mvn", "-B", "-q", "-P", "quick,programs", "-pl", "!benchmark", "package");

  BuildFinder {
    cache = cache.toAbsolutePath();
  }

  /**
   * Finds a build.
   *
   * @param given a folder that holds both jars, or else a revision of the checkout
   * @throws LabException if {@code given} is neither, or can't be built
   */
  Build find(String given) throws LabException {
    Path folder = Path.of(given);
    try {
      if (Build.isIn(folder)) {
        return Build.in(folder, given, folder.toAbsolutePath().normalize().toString());
      }
      String commit = commit(given);
      Path kept = cache.resolve(commit);
      if (!Build.isIn(kept)) {
        progress.accept("building " + given + " (" + commit + ")");
        build(commit, kept);
      }
      return Build.in(kept, given, commit);
    } catch (IOException e) {
      throw new LabException("the jars of " + given + " can't be kept or read: " + e, e);
    }
  }

  private String commit(String given) throws LabException {
    try {
      return git("rev-parse", "--verify", "--quiet", given + "^{commit}").strip();
    } catch (LabException e) {
      throw new LabException(
          "'%s' is neither a folder with %s and %s nor a revision of %s"
              .formatted(given, Build.SHIM, Build.BRIDGE, checkout),
          e);
    }
  }

  /**
   * Builds a commit, and moves its jars to {@code kept} only when both exist, so that half a build
   * is never found.
   */
  private void build(String commit, Path kept) throws LabException, IOException {
    Path work = cache.resolve("work-" + commit + "-" + ProcessHandle.current().pid());
    Files.createDirectories(cache);
    git("worktree", "add", "--detach", "--force", work.toString(), commit);
    try {
      ChildProcess.run(work, maven);
      Path whole = Files.createDirectory(work.resolve("jars"));
      Files.copy(
          work.resolve("duplog-ingest/target").resolve(Build.SHIM), whole.resolve(Build.SHIM));
      Files.copy(
          work.resolve("duplog-core/target").resolve(Build.BRIDGE), whole.resolve(Build.BRIDGE));
      Files.move(whole, kept, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      git("worktree", "remove", "--force", work.toString());
    }
  }

  private String git(String... words) throws LabException {
    return ChildProcess.run(checkout, Lists.asList("git", words));
  }
}
