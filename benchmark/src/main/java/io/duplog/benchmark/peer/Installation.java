package io.duplog.benchmark.peer;

import io.duplog.benchmark.lab.ChildProcess;
import io.duplog.rig.LabException;
import io.duplog.rig.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * syslog-ng, installed or unpacked somewhere.
 *
 * @param syslogNg the daemon
 * @param environment what it needs to find its parts
 */
public record Installation(Path syslogNg, Map<String, String> environment) {
  private static final Pattern CONFIG_VERSION = Pattern.compile("Config version: (\\d+\\.\\d+)");

  /** The machine's own. */
  static Installation installed() throws LabException {
    return new Installation(Programs.find("syslog-ng"), Map.of());
  }

  /**
   * What was unpacked from packages.
   *
   * @param root what it takes for the root of the file system
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
          Map.of(
              // Where it looks for its modules.
              "SYSLOGNG_PREFIX", root.resolve("usr").toString(), "LD_LIBRARY_PATH", libraries));
    } catch (IOException e) {
      throw new LabException(root + " can't be read: " + e, e);
    }
  }

  /** The newest version of configuration files that it knows, such as {@code 3.35}. */
  String configVersion() throws LabException {
    List<String> command = List.of(syslogNg.toString(), "--version");
    Matcher matcher =
        CONFIG_VERSION.matcher(ChildProcess.ended(Path.of("/"), environment, command).output());
    if (!matcher.find()) {
      throw new LabException(syslogNg + " does not say its version");
    }
    return matcher.group(1);
  }
}
