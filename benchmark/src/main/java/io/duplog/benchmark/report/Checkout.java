package io.duplog.benchmark.report;

import com.google.common.collect.ImmutableList;
import io.duplog.benchmark.lab.ChildProcess;
import io.duplog.benchmark.lab.LabJars;
import io.duplog.rig.LabException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The git checkout that a lab's programs come from, to note the build in reports and to find
 * outdated ones.
 *
 * @param folder the checkout's folder
 */
public record Checkout(Path folder) {
  private static final String UNKNOWN = "?";
  private static final String CHANGED_SUFFIX = " and changes";

  /**
   * Git path patterns of the code that faults and scenarios run, without the operator's commands.
   */
  private static final List<String> PROGRAM_PATHS =
      List.of(
          "--",
          "duplog-core/base/src/main",
          "duplog-core/bridge/src/main",
          "duplog-ingest/src/main",
          "deploy/rsyslog",
          "deploy/rabbitmq",
          "deploy/redis",
          ":!duplog-core/bridge/src/main/java/io/duplog/cli",
          ":!duplog-core/bridge/src/main/java/io/duplog/doctor");

  /**
   * Returns the checkout in which this program was built.
   *
   * @throws LabException if this program was copied elsewhere
   */
  public static Checkout ofThisBuild() throws LabException {
    return new Checkout(LabJars.checkout());
  }

  /**
   * Returns the commit, such as {@code f9ce7fe4}. Returns {@code f9ce7fe4 and changes} if the
   * programs have uncommitted changes, and {@code ?} if git knows no commit.
   */
  public String build() {
    ChildProcess.Result commit = git(List.of(), "rev-parse", "--short=8", "HEAD");
    if (commit.status() != 0) {
      return UNKNOWN;
    }
    boolean changed = !git(PROGRAM_PATHS, "status", "--porcelain").output().isEmpty();
    return commit.output().strip() + (changed ? CHANGED_SUFFIX : "");
  }

  /** Whether the programs have changed since a build; also true if this can't be determined. */
  public boolean isOlder(String build) {
    return build.endsWith(CHANGED_SUFFIX)
        || git(PROGRAM_PATHS, "diff", "--quiet", build).status() != 0;
  }

  private ChildProcess.Result git(List<String> paths, String... arguments) {
    List<String> command =
        ImmutableList.<String>builder().add("git").add(arguments).addAll(paths).build();
    try {
      return ChildProcess.runAllowingFailure(folder, Map.of(), command);
    } catch (LabException e) {
      return new ChildProcess.Result(1, UNKNOWN);
    }
  }
}
