package io.duplog.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The limits that the system sets to a process's threads, files and memory. A limit that does not
 * exist or is not known is {@link #NONE}.
 *
 * @param name name of the process for an operator
 * @param threads maximum number of threads, which systemd calls tasks and control groups call pids
 * @param files maximum number of open files and connections
 * @param memoryBytes maximum memory of the control group
 * @param heapBytes maximum size of Java's heap
 */
public record ProcessLimits(
    String name, long threads, long files, long memoryBytes, long heapBytes) {
  public static final long NONE = Long.MAX_VALUE;

  /**
   * Name of the system property with the bridge's Java options. The script of the Debian package
   * sets it for commands that run with other options.
   */
  private static final String BRIDGE_OPTIONS = "duplog.bridge-options";

  private static final Pattern HEAP = Pattern.compile("-Xmx(\\d+)([kKmMgG]?)(?=\\s|$)");

  /**
   * Returns the limits of this process. Outside Linux, the heap's limit is the only one that is
   * known.
   */
  public static ProcessLimits own() {
    return ofThisHost(Runtime.getRuntime().maxMemory());
  }

  /**
   * Returns the limits of the bridge on this host. If its systemd unit is installed, the unit's
   * limits apply. Otherwise, for example in a container, this process's limits apply.
   */
  public static ProcessLimits ofBridge() {
    String options = System.getProperty(BRIDGE_OPTIONS);
    ProcessLimits unit = options == null ? null : ofUnit("duplog-bridge.service", heap(options));
    if (unit != null) {
      return unit;
    }
    return options == null ? own() : ofThisHost(heap(options));
  }

  private static ProcessLimits ofThisHost(long heapBytes) {
    boolean root = "root".equals(System.getProperty("user.name"));
    return of(Path.of("/"), root, heapBytes);
  }

  /**
   * @param root folder that contains proc and sys
   * @param exempt whether the user may exceed its limit of processes, as root may
   */
  static ProcessLimits of(Path root, boolean exempt, long heapBytes) {
    String limits = text(root.resolve("proc/self/limits"));
    String cgroupLines = text(root.resolve("proc/self/cgroup"));
    Path cgroups = root.resolve("sys/fs/cgroup");
    long threads =
        Math.min(
            lowest(cgroups, cgroupLines, "pids", "pids.max"),
            exempt ? NONE : limit(limits, "processes"));
    long memory =
        Math.min(
            lowest(cgroups, cgroupLines, "memory", "memory.max"),
            lowest(cgroups, cgroupLines, "memory", "memory.limit_in_bytes"));
    return new ProcessLimits(
        "this process", threads, limit(limits, "open files"), memory, heapBytes);
  }

  /**
   * Returns a hard limit from {@code /proc/self/limits}. Java raises its soft limit to the hard
   * limit.
   */
  private static long limit(String limits, String what) {
    Matcher line = Pattern.compile("(?m)^Max " + what + " +\\S+ +(\\S+)").matcher(limits);
    return line.find() ? number(line.group(1)) : NONE;
  }

  /** Returns the lowest limit of the process's control group and its parent groups. */
  private static long lowest(Path cgroups, String cgroupLines, String controller, String file) {
    long lowest = NONE;
    for (String line : cgroupLines.lines().toList()) {
      String[] parts = line.split(":", 3);
      if (parts.length < 3) {
        continue;
      }
      boolean unified = parts[0].equals("0");
      if (!unified && !List.of(parts[1].split(",", -1)).contains(controller)) {
        continue;
      }
      Path top = unified ? cgroups : cgroups.resolve(controller);
      // A container sees its own group at the top, but may see the path of the group on the host.
      lowest = Math.min(lowest, number(text(top.resolve(file)).strip()));
      Path group = top.resolve("." + parts[2]).normalize();
      for (; group != null && group.startsWith(top); group = group.getParent()) {
        lowest = Math.min(lowest, number(text(group.resolve(file)).strip()));
      }
    }
    return lowest;
  }

  /** Returns the limits of a systemd unit, or null if this host has no systemd or no such unit. */
  private static @Nullable ProcessLimits ofUnit(String unit, long heapBytes) {
    try {
      Process show =
          new ProcessBuilder(
                  "systemctl",
                  "show",
                  "--property=LoadState,TasksMax,LimitNPROC,LimitNOFILE,MemoryMax",
                  unit)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      show.getOutputStream().close();
      if (!show.waitFor(5, TimeUnit.SECONDS)) {
        show.destroyForcibly();
        return null;
      }
      String output = new String(show.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return ofShown(unit, output, heapBytes);
    } catch (IOException e) {
      return null; // this host has no systemd
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  /** Parses the output of {@code systemctl show}. Returns null if the unit is not installed. */
  static @Nullable ProcessLimits ofShown(String unit, String output, long heapBytes) {
    Map<String, String> values = new HashMap<>();
    for (String line : output.lines().toList()) {
      int equals = line.indexOf('=');
      if (equals > 0) {
        values.put(line.substring(0, equals), line.substring(equals + 1));
      }
    }
    if (!"loaded".equals(values.get("LoadState"))) {
      return null;
    }
    return new ProcessLimits(
        unit,
        Math.min(
            number(values.getOrDefault("TasksMax", "")),
            number(values.getOrDefault("LimitNPROC", ""))),
        number(values.getOrDefault("LimitNOFILE", "")),
        number(values.getOrDefault("MemoryMax", "")),
        heapBytes);
  }

  /** Returns the maximum heap size in a text of Java options, in bytes. */
  static long heap(String options) {
    long bytes = NONE;
    Matcher option = HEAP.matcher(options);
    while (option.find()) { // the last -Xmx takes effect
      int shift = "kmg".indexOf(option.group(2).toLowerCase(Locale.ROOT));
      bytes = Long.parseLong(option.group(1)) << (option.group(2).isEmpty() ? 0 : 10 * (shift + 1));
    }
    return bytes;
  }

  private static long number(String text) {
    return text.matches("\\d{1,18}") ? Long.parseLong(text) : NONE;
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException | RuntimeException e) {
      return ""; // not Linux, another layout, or not readable: the limits are not known
    }
  }
}
