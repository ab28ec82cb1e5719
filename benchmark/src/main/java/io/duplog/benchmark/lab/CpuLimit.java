package io.duplog.benchmark.lab;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Holds the servers of a lab, together and with all that they start, to a part of the machine's
 * processors: by a control group where this process may make one, else, for whole processors, by
 * their affinity. The sender is not a server, and not held.
 */
public final class CpuLimit implements AutoCloseable {
  /** All that the machine has. */
  public static final CpuLimit NONE = new CpuLimit("no limit", List.of(), null);

  private final String name;
  private final List<String> commandPrefix;
  private final @Nullable CpuGroup group;

  private CpuLimit(String name, List<String> commandPrefix, @Nullable CpuGroup group) {
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
    if (cores == 0) {
      return NONE;
    }
    String wanted = String.format(Locale.ROOT, "%s cores", cores);
    try {
      CpuGroup group = CpuGroup.make(cores);
      return new CpuLimit(wanted + " by " + group, group.commandPrefix(), group);
    } catch (IOException e) {
      int whole = (int) cores;
      if (whole != cores || whole > Runtime.getRuntime().availableProcessors()) {
        throw new LabException("can't hold servers to " + wanted + ": " + e.getMessage(), e);
      }
      return new CpuLimit(wanted + " by affinity", affinity(whole), null);
    }
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

  private static List<String> affinity(int cores) throws LabException {
    List<Integer> allowed = ProcessUse.allowedProcessors();
    String list =
        IntStream.range(0, Math.min(cores, allowed.size()))
            .mapToObj(i -> Integer.toString(allowed.get(i)))
            .reduce((a, b) -> a + "," + b)
            .orElse("0");
    return List.of(Programs.find("taskset").toString(), "-c", list);
  }

  /** What a command begins with to be held. */
  List<String> commandPrefix() {
    return commandPrefix;
  }

  /** For a report, such as {@code 0.5 cores by cgroup v1}. */
  @Override
  public String toString() {
    return name;
  }

  /** Removes what it has made. No process that it held may run. */
  @Override
  public void close() {
    if (group != null) {
      group.close();
    }
  }
}
