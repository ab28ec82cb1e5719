package io.duplog.benchmark.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Where control groups that limit processors can be made, and how.
 *
 * @param version 1 or 2
 * @param parent the group below which a new one is made
 */
record CpuController(int version, Path parent) {
  private static final String CPU = "cpu";

  /**
   * All places, the most promising first.
   *
   * @param mounts the lines of {@code /proc/mounts}
   * @param groups the lines of {@code /proc/self/cgroup}
   */
  static List<CpuController> find(List<String> mounts, List<String> groups) {
    List<CpuController> found = new ArrayList<>();
    for (String mount : mounts) {
      String[] fields = mount.split(" ", -1);
      if (fields.length < 4) {
        continue;
      }
      Path root = Path.of(fields[1]);
      if (fields[2].equals("cgroup") && List.of(fields[3].split(",", -1)).contains(CPU)) {
        found.addAll(ancestors(1, root, ownGroup(groups, CPU)));
      } else if (fields[2].equals("cgroup2")) {
        found.addAll(ancestors(2, root, ownGroup(groups, "")));
      }
    }
    return found;
  }

  /** A group of version 2 that holds processes can have none below it, but one above it can. */
  private static List<CpuController> ancestors(int version, Path root, Path own) {
    List<CpuController> found = new ArrayList<>();
    for (int names = own.getNameCount(); names > 0; names--) {
      found.add(new CpuController(version, root.resolve(own.subpath(0, names))));
    }
    found.add(new CpuController(version, root));
    return found;
  }

  /** This process's, such as {@code /user.slice}; the lines are {@code 4:cpu,cpuacct:/user}. */
  private static Path ownGroup(List<String> groups, String controller) {
    return groups.stream()
        .map(line -> line.split(":", 3))
        .filter(fields -> fields.length == 3)
        .filter(fields -> List.of(fields[1].split(",", -1)).contains(controller))
        .map(fields -> Path.of(fields[2]))
        .findFirst()
        .orElse(Path.of("/"));
  }

  /** Lets groups below the parent have limits. */
  void prepare() throws IOException {
    if (!Files.isDirectory(parent)) {
      throw new IOException("it is not visible here");
    }
    Path control = parent.resolve("cgroup.subtree_control");
    if (version == 2 && !List.of(Files.readString(control).strip().split(" ")).contains(CPU)) {
      Files.writeString(control, "+" + CPU);
    }
  }

  /** Gives a group that much of each period. */
  void limit(Path group, long quotaMicros, long periodMicros) throws IOException {
    if (version == 2) {
      Files.writeString(group.resolve("cpu.max"), quotaMicros + " " + periodMicros);
    } else {
      Files.writeString(group.resolve("cpu.cfs_period_us"), Long.toString(periodMicros));
      Files.writeString(group.resolve("cpu.cfs_quota_us"), Long.toString(quotaMicros));
    }
  }

  String name() {
    return "cgroup v" + version;
  }
}
