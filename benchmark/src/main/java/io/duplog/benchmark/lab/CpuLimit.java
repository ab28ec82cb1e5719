package io.duplog.benchmark.lab;

import io.duplog.rig.LabException;
import io.duplog.rig.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Holds the servers of a lab, together and with all that they start, to a part of the machine's
 * processors: by a control group where this process may make one, else, for whole processors, by
 * their affinity. The sender is not a server, and not held.
 */
public final class CpuLimit implements AutoCloseable {
  /** All that the machine has. */
  public static final CpuLimit NONE = new CpuLimit("no limit", List.of(), null);

  /** Of a tenth of a second, as Docker and Kubernetes have it. */
  private static final long PERIOD_MICROS = 100_000;

  private static final Duration EMPTY_WITHIN = Duration.ofSeconds(2);
  private static final Duration POLL = Duration.ofMillis(20);

  /** The shell writes its own id, which stays that of what it then becomes. */
  private static final String JOIN = "echo $$ > \"$0\" && exec \"$@\"";

  private static final AtomicInteger COUNT = new AtomicInteger();

  private final String name;
  private final List<String> commandPrefix;
  private final @Nullable Path group;

  private CpuLimit(String name, List<String> commandPrefix, @Nullable Path group) {
    this.name = name;
    this.commandPrefix = commandPrefix;
    this.group = group;
  }

  /**
   * Makes what holds them.
   *
   * @param cores how many processors' time, such as 0.5; 0 for no limit
   * @throws LabException if neither way works here; the message says why
   */
  public static CpuLimit of(double cores) throws LabException {
    return cores == 0 ? NONE : of(cores, List.of());
  }

  /**
   * @param files that say where control groups are, in place of this machine's
   */
  static CpuLimit of(double cores, List<String> files) throws LabException {
    String wanted = String.format(Locale.ROOT, "%s cores", cores);
    int whole = (int) cores;
    List<String> command =
        new ArrayList<>(List.of("sh", "-c", LabJars.text("cpu-limit.sh"), "cpu-limit"));
    command.add(
        "duplog-lab-%d-%d".formatted(ProcessHandle.current().pid(), COUNT.incrementAndGet()));
    command.add(Long.toString(Math.round(cores * PERIOD_MICROS)));
    command.add(Integer.toString(whole == cores ? whole : 0));
    command.addAll(files);
    ChildProcess.Ended ended = ChildProcess.ended(Path.of("/"), Map.of(), command);
    List<String> said = ended.output().lines().toList();
    if (ended.status() != 0) {
      throw new LabException("can't hold servers to " + wanted + ": " + String.join(" ", said));
    }
    String how = wanted + " by " + said.get(0);
    if (said.get(0).equals("affinity")) {
      String taskset = Programs.find("taskset").toString();
      return new CpuLimit(how, List.of(taskset, "-c", said.get(1)), null);
    }
    Path group = Path.of(said.get(1));
    List<String> join = List.of("sh", "-c", JOIN, group.resolve("cgroup.procs").toString());
    return new CpuLimit(how, join, group);
  }

  /** Why {@link #of} does not work for this here; null where it does. */
  public static @Nullable String obstacle(double cores) {
    try {
      of(cores).close();
      return null;
    } catch (LabException e) {
      return e.getMessage();
    }
  }

  /** What a command begins with to be held. */
  public List<String> commandPrefix() {
    return commandPrefix;
  }

  /** For a report, such as {@code 0.5 cores by cgroup v1}. */
  @Override
  public String toString() {
    return name;
  }

  /** Removes what it has made. A process that has just ended leaves a group in its own time. */
  @Override
  public void close() {
    long deadline = System.nanoTime() + EMPTY_WITHIN.toNanos();
    while (group != null && !removed(group) && System.nanoTime() - deadline < 0) {
      LockSupport.parkNanos(POLL.toNanos());
    }
  }

  private static boolean removed(Path group) {
    try {
      Files.deleteIfExists(group);
      return true;
    } catch (IOException e) {
      return false; // a process is in it
    }
  }
}
