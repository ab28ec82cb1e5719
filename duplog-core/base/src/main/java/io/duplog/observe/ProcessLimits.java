package io.duplog.observe;

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
 * What a process may use. A limit that is not known, or that there is not, is {@link #NONE}.
 *
 * @param name whose limits these are, for an operator
 * @param threads most threads: what systemd calls tasks, and control groups pids
 * @param files most open files and connections
 * @param memoryBytes most memory of the control group
 * @param heapBytes most of Java's heap
 */
public record ProcessLimits(
    String name, long threads, long files, long memoryBytes, long heapBytes) {
  public static final long NONE = Long.MAX_VALUE;

  /**
   * The Java property with the options of the bridge, which the package's script sets for commands
   * that have others.
   */
  private static final String BRIDGE_OPTIONS = "duplog.bridge-options";

  private static final Pattern HEAP = Pattern.compile("-Xmx(\\d+)([kKmMgG]?)(?=\\s|$)");

  /** Returns the limits of this process; it has to run on Linux to know any but the heap's. */
  public static ProcessLimits own() {
    return here(Runtime.getRuntime().maxMemory());
  }

  /**
   * Returns the limits of the bridge that runs where this process does: those of systemd's unit if
   * it is installed, otherwise those of this process, as in a container.
   */
  public static ProcessLimits ofBridge() {
    String options = System.getProperty(BRIDGE_OPTIONS);
    ProcessLimits unit = options == null ? null : ofUnit("duplog-bridge.service", heap(options));
    if (unit != null) {
      return unit;
    }
    return options == null ? own() : here(heap(options));
  }

  private static ProcessLimits here(long heapBytes) {
    boolean root = "root".equals(System.getProperty("user.name"));
    return of(Path.of("/"), root, heapBytes);
  }

  /**
   * @param root the folder that has proc and sys
   * @param exempt whether the user may have more processes than its limit, as root may
   */
  static ProcessLimits of(Path root, boolean exempt, long heapBytes) {
    String limits = text(root.resolve("proc/self/limits"));
    String groups = text(root.resolve("proc/self/cgroup"));
    Path cgroups = root.resolve("sys/fs/cgroup");
    long threads =
        Math.min(
            least(cgroups, groups, "pids", "pids.max"), exempt ? NONE : limit(limits, "processes"));
    long memory =
        Math.min(
            least(cgroups, groups, "memory", "memory.max"),
            least(cgroups, groups, "memory", "memory.limit_in_bytes"));
    return new ProcessLimits(
        "this process", threads, limit(limits, "open files"), memory, heapBytes);
  }

  /** Returns a limit of {@code /proc/self/limits}: the hard one, to which Java raises its own. */
  private static long limit(String limits, String what) {
    Matcher line = Pattern.compile("(?m)^Max " + what + " +\\S+ +(\\S+)").matcher(limits);
    return line.find() ? number(line.group(1)) : NONE;
  }

  /** Returns the least limit of the process's control group and those that hold it. */
  private static long least(Path cgroups, String groups, String controller, String file) {
    long least = NONE;
    for (String line : groups.lines().toList()) {
      String[] parts = line.split(":", 3);
      if (parts.length < 3) {
        continue;
      }
      boolean unified = parts[0].equals("0");
      if (!unified && !List.of(parts[1].split(",", -1)).contains(controller)) {
        continue;
      }
      Path top = unified ? cgroups : cgroups.resolve(controller);
      // A container has its own group at the top, and may be told the path that the host has.
      least = Math.min(least, number(text(top.resolve(file)).strip()));
      Path group = top.resolve("." + parts[2]).normalize();
      for (; group != null && group.startsWith(top); group = group.getParent()) {
        least = Math.min(least, number(text(group.resolve(file)).strip()));
      }
    }
    return least;
  }

  /** Returns what systemd says of a unit; null if there is no systemd or no such unit. */
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
      String shown = new String(show.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return ofShown(unit, shown, heapBytes);
    } catch (IOException e) {
      return null; // no systemd here
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  /** Returns the limits in what {@code systemctl show} prints; null if the unit is not there. */
  static @Nullable ProcessLimits ofShown(String unit, String shown, long heapBytes) {
    Map<String, String> values = new HashMap<>();
    for (String line : shown.lines().toList()) {
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

  /** Returns the largest heap that Java's options allow, in bytes. */
  static long heap(String options) {
    long bytes = NONE;
    Matcher option = HEAP.matcher(options);
    while (option.find()) { // the last one counts
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
      return ""; // not Linux, another layout, or not readable: then nothing is known
    }
  }
}
