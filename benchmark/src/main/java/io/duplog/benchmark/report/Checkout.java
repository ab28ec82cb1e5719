package io.duplog.benchmark.report;

import io.duplog.benchmark.lab.ChildProcess;
import io.duplog.benchmark.lab.LabJars;
import io.duplog.rig.LabException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

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
          "duplog-core/src/main",
          "duplog-ingest/src/main",
          "deploy/rsyslog",
          "deploy/rabbitmq",
          "deploy/redis",
          ":!duplog-core/src/main/java/io/duplog/cli",
          ":!duplog-core/src/main/java/io/duplog/doctor");

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
    ChildProcess.Ended commit = git(Stream.of("rev-parse", "--short=8", "HEAD"));
    return commit.status() == 0 ? commit.output().strip() + changes() : UNKNOWN;
  }

  private String changes() {
    return programs("status", "--porcelain").output().isEmpty() ? "" : CHANGED;
  }

  /** Whether the programs have changed since a build; also true if this can't be determined. */
  public boolean isOlder(String build) {
    return build.endsWith(CHANGED) || programs("diff", "--quiet", build).status() != 0;
  }

  private ChildProcess.Ended programs(String... words) {
    return git(Stream.of(Stream.of(words), Stream.of("--"), PROGRAMS.stream()).flatMap(s -> s));
  }

  private ChildProcess.Ended git(Stream<String> words) {
    try {
      List<String> command = Stream.concat(Stream.of("git"), words).toList();
      return ChildProcess.ended(folder, Map.of(), command);
    } catch (LabException e) {
      return new ChildProcess.Ended(1, UNKNOWN);
    }
  }
}
