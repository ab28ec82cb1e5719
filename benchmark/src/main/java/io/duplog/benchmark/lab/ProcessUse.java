package io.duplog.benchmark.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What processes use of the machine, as Linux accounts for it. */
public final class ProcessUse {
  private static final String RESIDENT = "VmRSS:";
  private static final String ALLOWED = "Cpus_allowed_list:";
  private static final long KIBIBYTE = 1024;

  private ProcessUse() {}

  /**
   * The CPU time, user and system, that they have used since each was started, to 10 ms a process.
   * What has ended counts as nothing, as do children that are not named.
   */
  public static Duration cpu(Collection<ProcessHandle> processes) {
    return processes.stream()
        .flatMap(process -> process.info().totalCpuDuration().stream())
        .reduce(Duration.ZERO, Duration::plus);
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

  /** The numbers of the processors that this process may run on. */
  static List<Integer> allowedProcessors() {
    try {
      return parseAllowed(Files.readAllLines(Path.of("/proc/self/status")));
    } catch (IOException e) {
      return List.of(0);
    }
  }

  /** From the lines of that file, one of which is {@code Cpus_allowed_list: 0-2,4}. */
  static List<Integer> parseAllowed(List<String> status) {
    return status.stream()
        .filter(line -> line.startsWith(ALLOWED))
        .flatMap(line -> Stream.of(line.substring(ALLOWED.length()).strip().split(",", -1)))
        .map(range -> range.split("-", -1))
        .flatMap(
            ends ->
                IntStream.rangeClosed(
                        Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]))
                    .boxed())
        .toList();
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
