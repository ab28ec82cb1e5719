package io.duplog.benchmark.report;

import com.google.common.base.Joiner;
import io.duplog.benchmark.lab.ChildProcess;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Describes the machine and the builds that figures were measured on, for reports. */
public final class Machine {
  private static final long KIBIBYTES_PER_GIBIBYTE = 1 << 20;

  private Machine() {}

  /**
   * Returns the hardware, the kernel, and the versions of all programs that take part. Also returns
   * the build of Duplog, the day, and the load average of the last minute. Unknown values are
   * {@code ?}.
   */
  public static Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
    facts.put("cpu", readField("/proc/cpuinfo", "model name"));
    facts.put("memory", readMemory());
    facts.put("system", readField("/etc/os-release", "PRETTY_NAME").replace("\"", ""));
    facts.put("kernel", System.getProperty("os.version", "?"));
    facts.put(
        "java", System.getProperty("java.vm.name") + " " + System.getProperty("java.version"));
    facts.put("rsyslog", firstMatch("[0-9][^ ]+", "rsyslogd", "-v"));
    facts.put(
        "rabbitmq",
        firstMatch(
            "[0-9].*", "dpkg-query", "--show", "--showformat=${Version}", "rabbitmq-server"));
    facts.put("redis", firstMatch("v=[^ ]+", "redis-server", "--version"));
    facts.put("build", findBuild());
    facts.put("made", LocalDate.now(ZoneOffset.UTC).toString());
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    facts.put("load at the start", "%.1f".formatted(load));
    return facts;
  }

  private static String findBuild() {
    try {
      return Checkout.ofThisBuild().build();
    } catch (LabException e) {
      return "?";
    }
  }

  /** Formats facts about a machine as one line of text. */
  public static String format(Map<String, String> facts) {
    return Joiner.on(" · ").withKeyValueSeparator(": ").join(facts);
  }

  private static String readMemory() {
    String kibibytes = readField("/proc/meminfo", "MemTotal").replaceAll("\\D", "");
    return kibibytes.isEmpty() ? "?" : Long.parseLong(kibibytes) / KIBIBYTES_PER_GIBIBYTE + " GiB";
  }

  private static String readField(String file, String name) {
    try {
      return Files.readAllLines(Path.of(file)).stream()
          .filter(line -> line.startsWith(name))
          .map(line -> line.split("[:=]", 2)[1].strip())
          .findFirst()
          .orElse("?");
    } catch (IOException e) {
      return "?";
    }
  }

  private static String firstMatch(String pattern, String... command) {
    try {
      String output =
          ChildProcess.runAllowingFailure(Path.of("/"), Map.of(), List.of(command)).output();
      return Pattern.compile(pattern)
          .matcher(output)
          .results()
          .map(result -> result.group().replaceAll("[,]$", ""))
          .findFirst()
          .orElse("?");
    } catch (LabException e) {
      return "?";
    }
  }
}
