package io.duplog.benchmark.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Turns what the command line names into two jars: those of a folder, or those of a git revision,
 * which are built once and kept.
 */
final class BuildFinder {
  /** Makes the jars of a checkout. */
  static final List<String> MAVEN =
      List.of("mvn", "-B", "-q", "-P", "programs", "-pl", "duplog-core,duplog-ingest", "package");

  private final Path checkout;
  private final Path cache;
  private final List<String> maven;
  private final Consumer<String> progress;

  /**
   * @param checkout whose revisions are meant
   * @param cache keeps the jars of each, in a folder by commit id; made where it does not exist
   * @param maven what makes the jars, {@link #MAVEN}
   * @param progress gets a line where something has to be built
   */
  BuildFinder(Path checkout, Path cache, List<String> maven, Consumer<String> progress) {
    this.checkout = checkout;
    this.cache = cache.toAbsolutePath();
    this.maven = List.copyOf(maven);
    this.progress = progress;
  }

  /**
   * @param given a folder that holds both jars, or else a revision of the checkout
   * @throws SoakException if it is neither, or can't be built
   */
  Build find(String given) throws SoakException, InterruptedException {
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
      throw new SoakException("the jars of " + given + " can't be kept or read: " + e, e);
    }
  }

  private String commit(String given) throws SoakException, InterruptedException {
    try {
      return git("rev-parse", "--verify", "--quiet", given + "^{commit}").strip();
    } catch (SoakException e) {
      throw new SoakException(
          "'%s' is neither a folder with %s and %s nor a revision of %s"
              .formatted(given, Build.SHIM, Build.BRIDGE, checkout),
          e);
    }
  }

  private void build(String commit, Path kept)
      throws SoakException, IOException, InterruptedException {
    Path work = cache.resolve("work-" + commit + "-" + ProcessHandle.current().pid());
    Files.createDirectories(cache);
    git("worktree", "add", "--detach", "--force", work.toString(), commit);
    try {
      ChildProcess.run(work, maven);
      keep(work, kept);
    } finally {
      git("worktree", "remove", "--force", work.toString());
    }
  }

  /** Under their name only when both are whole, so that nobody finds half a build. */
  private void keep(Path work, Path kept) throws IOException, SoakException {
    List<Path> jars =
        List.of(
            work.resolve("duplog-ingest/target").resolve(Build.SHIM),
            work.resolve("duplog-core/target").resolve(Build.BRIDGE));
    for (Path jar : jars) {
      if (!Files.isReadable(jar)) {
        throw new SoakException("the build has not made " + jar.getFileName());
      }
    }
    Path whole = Files.createTempDirectory(cache, "jars-");
    for (Path jar : jars) {
      Files.copy(jar, whole.resolve(jar.getFileName()));
    }
    Files.move(whole, kept, StandardCopyOption.ATOMIC_MOVE);
  }

  private String git(String... words) throws SoakException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(words));
    return ChildProcess.run(checkout, command);
  }
}
