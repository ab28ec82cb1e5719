package io.duplog.benchmark.report;

import com.google.common.collect.ImmutableList;
import io.duplog.benchmark.lab.ChildProcess;
import io.duplog.benchmark.lab.LabJars;
import io.duplog.rig.LabException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Git checkout whose programs a lab runs.
 *
 * @param folder the checkout's folder
 */
public record Checkout(Path folder) {
  private static final String UNKNOWN = "?";
  private static final String CHANGED = " and changes";

  /**
   * Git path patterns of the code that faults and scenarios run, without the operator's commands.
   */
  private static final List<String> PROGRAMS =
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
   * Returns the checkout that this program was built in.
   *
   * @throws LabException if this program was copied elsewhere
   */
  public static Checkout ofThisBuild() throws LabException {
    return new Checkout(LabJars.checkout());
  }

  /**
   * Returns the commit, such as {@code f9ce7fe4}; {@code f9ce7fe4 and changes} if the programs have
   * uncommitted changes; {@code ?} if git knows no commit.
   */
  public String build() {
    ChildProcess.Ended commit = git(List.of(), "rev-parse", "--short=8", "HEAD");
    if (commit.status() != 0) {
      return UNKNOWN;
    }
    boolean changed = !git(PROGRAMS, "status", "--porcelain").output().isEmpty();
    return commit.output().strip() + (changed ? CHANGED : "");
  }

  /** Whether the programs have changed since a build; also true if this can't be determined. */
  public boolean isOlder(String build) {
    return build.endsWith(CHANGED) || git(PROGRAMS, "diff", "--quiet", build).status() != 0;
  }

  private ChildProcess.Ended git(List<String> paths, String... words) {
    List<String> command =
        ImmutableList.<String>builder().add("git").add(words).addAll(paths).build();
    try {
      return ChildProcess.ended(folder, Map.of(), command);
    } catch (LabException e) {
      return new ChildProcess.Ended(1, UNKNOWN);
    }
  }
}
