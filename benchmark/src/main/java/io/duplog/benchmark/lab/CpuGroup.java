package io.duplog.benchmark.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A control group of Linux that has a part of the processors' time. Either version. */
final class CpuGroup implements AutoCloseable {
  private static final String PREFIX = "duplog-lab-";

  /** With the id of the process that made it. */
  private static final Pattern NAME = Pattern.compile(PREFIX + "(\\d+)-\\d+");

  /** Of a tenth of a second, as Docker and Kubernetes have it. */
  private static final long PERIOD_MICROS = 100_000;

  private static final Duration EMPTY_WITHIN = Duration.ofSeconds(2);
  private static final Duration POLL = Duration.ofMillis(20);

  /** The shell writes its own id, which stays that of what it then becomes. */
  private static final String JOIN = "echo $$ > \"$0\" && exec \"$@\"";

  private static final AtomicInteger COUNT = new AtomicInteger();

  private final CpuController controller;
  private final Path folder;

  private CpuGroup(CpuController controller, Path folder) {
    this.controller = controller;
    this.folder = folder;
  }

  /**
   * Makes one and tries it.
   *
   * @throws IOException if no process may be put into one here; the message says why
   */
  static CpuGroup make(double cores) throws IOException {
    List<CpuController> controllers =
        CpuController.find(
            Files.readAllLines(Path.of("/proc/mounts")),
            Files.readAllLines(Path.of("/proc/self/cgroup")));
    IOException failure = new IOException("no control groups for processors are mounted");
    for (CpuController controller : controllers) {
      try {
        return make(controller, cores);
      } catch (IOException e) {
        failure = new IOException("no control group below " + controller.parent() + ": " + e, e);
      }
    }
    throw failure;
  }

  private static CpuGroup make(CpuController controller, double cores) throws IOException {
    removeOrphans(controller.parent());
    Path folder =
        controller
            .parent()
            .resolve(PREFIX + ProcessHandle.current().pid() + "-" + COUNT.incrementAndGet());
    controller.prepare();
    Files.createDirectory(folder);
    CpuGroup group = new CpuGroup(controller, folder);
    try {
      controller.limit(folder, Math.round(cores * PERIOD_MICROS), PERIOD_MICROS);
      group.tryOut();
      return group;
    } catch (IOException e) {
      group.close();
      throw e;
    }
  }

  private void tryOut() throws IOException {
    List<String> command = new ArrayList<>(commandPrefix());
    command.add("true");
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (process.waitFor() != 0) {
        throw new IOException("no process may join it");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** A lab that was killed leaves its group, without processes. The kernel keeps any other. */
  private static void removeOrphans(Path parent) throws IOException {
    try (Stream<Path> groups = Files.list(parent)) {
      for (Path group : groups.filter(path -> isOrphan(path.getFileName().toString())).toList()) {
        remove(group);
      }
    }
  }

  private static boolean isOrphan(String name) {
    Matcher matcher = NAME.matcher(name);
    return matcher.matches() && ProcessHandle.of(Long.parseLong(matcher.group(1))).isEmpty();
  }

  private static boolean remove(Path group) {
    try {
      Files.deleteIfExists(group);
      return true;
    } catch (IOException e) {
      return false; // a process is in it
    }
  }

  List<String> commandPrefix() {
    return List.of("sh", "-c", JOIN, folder.resolve("cgroup.procs").toString());
  }

  @Override
  public String toString() {
    return controller.name();
  }

  /** A process that has just ended leaves it in its own time. */
  @Override
  public void close() {
    long deadline = System.nanoTime() + EMPTY_WITHIN.toNanos();
    while (!remove(folder) && System.nanoTime() - deadline < 0) {
      LockSupport.parkNanos(POLL.toNanos());
    }
  }
}
