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
 * Finds the jars of a build that {@code soak} compares, in a folder, or by building a git revision.
 * A revision is built once and kept.
 *
 * @param checkout checkout that contains the revisions
 * @param cache folder that keeps the jars of each commit id; created if missing
 * @param maven command that builds the jars, {@link #MAVEN}
 * @param progress receives a line before a build
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
   * @param givenName a folder with both jars, or a revision of the checkout
   * @throws LabException if {@code givenName} is neither, or can't be built
   */
  Build find(String givenName) throws LabException {
    Path folder = Path.of(givenName);
    try {
      if (Build.isIn(folder)) {
        return Build.in(folder, givenName, folder.toAbsolutePath().normalize().toString());
      }
      String commit = findCommit(givenName);
      Path cachedJars = cache.resolve(commit);
      if (!Build.isIn(cachedJars)) {
        progress.accept("building " + givenName + " (" + commit + ")");
        build(commit, cachedJars);
      }
      return Build.in(cachedJars, givenName, commit);
    } catch (IOException e) {
      throw new LabException("the jars of " + givenName + " can't be kept or read: " + e, e);
    }
  }

  private String findCommit(String givenName) throws LabException {
    try {
      return git("rev-parse", "--verify", "--quiet", givenName + "^{commit}").strip();
    } catch (LabException e) {
      throw new LabException(
          "'%s' is neither a folder with %s and %s nor a revision of %s"
              .formatted(givenName, Build.SHIM, Build.BRIDGE, checkout),
          e);
    }
  }

  /**
   * Builds a commit, and moves its jars to {@code cachedJars} only when both exist. This way an
   * incomplete build is never found.
   */
  private void build(String commit, Path cachedJars) throws LabException, IOException {
    Path worktree = cache.resolve("work-" + commit + "-" + ProcessHandle.current().pid());
    Files.createDirectories(cache);
    git("worktree", "add", "--detach", "--force", worktree.toString(), commit);
    try {
      ChildProcess.run(worktree, maven);
      Path newJars = Files.createDirectory(worktree.resolve("jars"));
      Files.copy(
          worktree.resolve("duplog-ingest/target").resolve(Build.SHIM),
          newJars.resolve(Build.SHIM));
      Files.copy(
          worktree.resolve("duplog-core/target").resolve(Build.BRIDGE),
          newJars.resolve(Build.BRIDGE));
      Files.move(newJars, cachedJars, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      git("worktree", "remove", "--force", worktree.toString());
    }
  }

  private String git(String... arguments) throws LabException {
    return ChildProcess.run(checkout, Lists.asList("git", arguments));
  }
}
