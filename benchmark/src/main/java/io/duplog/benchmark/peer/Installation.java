package io.duplog.benchmark.peer;

import io.duplog.rig.LabException;
import io.duplog.rig.Programs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * syslog-ng's programs, installed or unpacked somewhere.
 *
 * @param syslogNg the daemon
 * @param loggen its generator
 * @param environment what they need to find their parts
 */
public record Installation(Path syslogNg, Path loggen, Map<String, String> environment) {
  private static final Pattern CONFIG_VERSION = Pattern.compile("Config version: (\\d+\\.\\d+)");

  /** The machine's own. */
  static Installation installed() throws LabException {
    return new Installation(Programs.find("syslog-ng"), Programs.find("loggen"), Map.of());
  }

  /**
   * What was unpacked from packages.
   *
   * @param root what they take for the root of the file system
   */
  static Installation below(Path root) throws LabException {
    try (Stream<Path> files = Files.walk(root)) {
      String libraries =
          files
              .filter(file -> file.getFileName().toString().matches(".*\\.so(\\.\\d+)*"))
              .map(file -> String.valueOf(file.getParent()))
              .distinct()
              .sorted()
              .collect(Collectors.joining(":"));
      return new Installation(
          root.resolve("usr/sbin/syslog-ng"),
          root.resolve("usr/bin/loggen"),
          Map.of(
              // Where both look for their modules.
              "SYSLOGNG_PREFIX", root.resolve("usr").toString(), "LD_LIBRARY_PATH", libraries));
    } catch (IOException e) {
      throw new LabException(root + " can't be read: " + e, e);
    }
  }

  /** The newest version of configuration files that it knows, such as {@code 3.35}. */
  String configVersion() throws LabException, InterruptedException {
    Matcher matcher =
        CONFIG_VERSION.matcher(
            run(Path.of("/"), environment, List.of(syslogNg.toString(), "--version")));
    if (!matcher.find()) {
      throw new LabException(syslogNg + " does not say its version");
    }
    return matcher.group(1);
  }

  /**
   * Runs a short program to its end and returns what it has written.
   *
   * @param environment added to this program's
   * @throws LabException if it can't be executed or fails; the message ends with its last words
   */
  static String run(Path folder, Map<String, String> environment, List<String> command)
      throws LabException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().put("PATH", Programs.searchPath());
    builder.environment().put("LC_ALL", "C.UTF-8");
    builder.environment().putAll(environment);
    try {
      Process process = builder.start();
      try {
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int status = process.waitFor();
        if (status != 0) {
          throw new LabException(
              "%s ended with status %d: %s".formatted(command.get(0), status, lastWords(output)));
        }
        return output;
      } finally {
        process.destroyForcibly();
      }
    } catch (IOException e) {
      throw new LabException(command.get(0) + " can't be run: " + e.getMessage(), e);
    }
  }

  /** Without addresses, which are the machine's own business. */
  private static String lastWords(String output) {
    List<String> lines = output.strip().lines().toList();
    return lines.isEmpty()
        ? "it said nothing"
        : lines.get(lines.size() - 1).strip().replaceAll("\\S+://\\S+", "...");
  }
}
