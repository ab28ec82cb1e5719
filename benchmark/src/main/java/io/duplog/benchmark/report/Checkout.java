package io.duplog.benchmark.report;

import io.duplog.benchmark.lab.ChildProcess;
import io.duplog.benchmark.lab.LabJars;
import io.duplog.rig.LabException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A checkout whose programs a lab runs, as git knows it.
 *
 * @param folder where it is
 */
public record Checkout(Path folder) {
  private static final String UNKNOWN = "?";
  private static final String CHANGED = " and changes";

  /** What faults and scenarios run: all but what an operator asks from outside. */
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
   * That of this program.
   *
   * @throws LabException if it was copied elsewhere
   */
  public static Checkout ofThisBuild() throws LabException {
    return new Checkout(LabJars.checkout());
  }

  /**
   * The commit, such as {@code f9ce7fe4}; {@code f9ce7fe4 and changes} if its programs have
   * changed; {@code ?} if git knows none.
   */
  public String build() {
    ChildProcess.Ended commit = git(Stream.of("rev-parse", "--short=8", "HEAD"));
    return commit.status() == 0 ? commit.output().strip() + changes() : UNKNOWN;
  }

  private String changes() {
    return programs("status", "--porcelain").output().isEmpty() ? "" : CHANGED;
  }

  /** Whether the programs have changed since a build, or may have. */
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
