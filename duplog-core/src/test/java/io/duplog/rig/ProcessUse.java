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

/** What processes use of the machine, as Linux accounts for it. */
public final class ProcessUse {
  private static final String RESIDENT = "VmRSS:";
  private static final long KIBIBYTE = 1024;

  /** As the kernel has the names of HotSpot's threads, cut to 15 bytes. */
  private static final List<String> COMPILERS = List.of("C1 CompilerThre", "C2 CompilerThre");

  /** In {@code /proc/PID/task/TID/stat}, counted from the field behind the name; proc(5). */
  private static final int USER_TICKS = 11;

  private static final int SYSTEM_TICKS = 12;

  /** Linux gives these times in hundredths of a second on every platform. */
  private static final long TICK_MILLIS = 10;

  private ProcessUse() {}

  /** What each thread of a process that makes machine code has used, by the thread's number. */
  public static Map<Long, Duration> compilers(long pid) {
    Map<Long, Duration> times = new HashMap<>();
    Path tasks = Path.of("/proc", Long.toString(pid), "task");
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
      for (Path thread : threads) {
        String name = Files.readString(thread.resolve("comm")).strip();
        if (COMPILERS.contains(name)) {
          times.put(
              Long.valueOf(thread.getFileName().toString()),
              parseTime(Files.readString(thread.resolve("stat"))));
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      return times; // process or thread has ended meanwhile
    }
    return times;
  }

  /** User and system time from a line of {@code stat}. */
  static Duration parseTime(String stat) {
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return Duration.ofMillis(
        TICK_MILLIS * (Long.parseLong(fields[USER_TICKS]) + Long.parseLong(fields[SYSTEM_TICKS])));
  }

  /** Bytes of memory that they have now. What has ended has none. Shared pages count for each. */
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

  /** From the lines of a file {@code /proc/PID/status}. */
  static long parseResident(List<String> status) {
    return status.stream()
        .filter(line -> line.startsWith(RESIDENT))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * KIBIBYTE)
        .findFirst()
        .orElse(0);
  }
}
