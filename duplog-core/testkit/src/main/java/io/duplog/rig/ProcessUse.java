package io.duplog.rig;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads how much memory and processor time a process has used. */
public final class ProcessUse {
  private static final String RESIDENT_FIELD = "VmRSS:";
  private static final long BYTES_PER_KIBIBYTE = 1024;

  /** Names of HotSpot's compiler threads, which the kernel cuts to 15 bytes. */
  private static final List<String> COMPILER_THREADS =
      List.of("C1 CompilerThre", "C2 CompilerThre");

  /**
   * Index of the user time in {@code /proc/PID/task/TID/stat}, counted from the field after the
   * name; see proc(5).
   */
  private static final int USER_TICKS_INDEX = 11;

  private static final int SYSTEM_TICKS_INDEX = 12;

  /** Unit of the times in {@code stat}, which is a hundredth of a second on every platform. */
  private static final long TICK_MILLIS = 10;

  private ProcessUse() {}

  /** Returns the processor time of each compiler thread of a process, by thread id. */
  public static Map<Long, Duration> compilers(long pid) {
    Map<Long, Duration> times = new HashMap<>();
    Path tasks = Path.of("/proc", Long.toString(pid), "task");
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
      for (Path thread : threads) {
        String name = Files.readString(thread.resolve("comm")).strip();
        if (COMPILER_THREADS.contains(name)) {
          times.put(
              Long.valueOf(thread.getFileName().toString()),
              parseTime(Files.readString(thread.resolve("stat"))));
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      return times; // The process or a thread has ended meanwhile.
    }
    return times;
  }

  /** Returns the sum of user and system time from a line of {@code stat}. */
  static Duration parseTime(String stat) {
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return Duration.ofMillis(
        TICK_MILLIS
            * (Long.parseLong(fields[USER_TICKS_INDEX])
                + Long.parseLong(fields[SYSTEM_TICKS_INDEX])));
  }

  /**
   * Returns the resident memory of the processes in bytes. A process that has ended has none.
   * Shared pages count for each process.
   */
  public static long residentBytes(Collection<ProcessHandle> processes) {
    return processes.stream().mapToLong(process -> residentBytes(process.pid())).sum();
  }

  private static long residentBytes(long pid) {
    try {
      return parseResident(Files.readAllLines(Path.of("/proc", Long.toString(pid), "status")));
    } catch (IOException e) {
      return 0;
    }
  }

  /** Returns the resident memory in bytes from the lines of a file {@code /proc/PID/status}. */
  static long parseResident(List<String> status) {
    return status.stream()
        .filter(line -> line.startsWith(RESIDENT_FIELD))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * BYTES_PER_KIBIBYTE)
        .findFirst()
        .orElse(0);
  }
}
