package io.duplog.benchmark.peer;

import io.duplog.benchmark.lab.ChildProcess;
import io.duplog.rig.LabException;
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
 * A syslog-ng that can be run for a comparison, installed or unpacked from packages.
 *
 * @param syslogNg path of the daemon
 * @param environment variables with which the daemon finds its libraries and modules
 */
public record Installation(Path syslogNg, Map<String, String> environment) {
  private static final Pattern CONFIG_VERSION = Pattern.compile("Config version: (\\d+\\.\\d+)");

  /**
   * Returns a syslog-ng that was unpacked from packages.
   *
   * @param root directory into which the packages were unpacked
   */
  static Installation ofUnpacked(Path root) throws LabException {
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
              // Syslog-ng derives the directory of its modules from this one.
              "SYSLOGNG_PREFIX", root.resolve("usr").toString(), "LD_LIBRARY_PATH", libraries));
    } catch (IOException e) {
      throw new LabException(root + " can't be read: " + e, e);
    }
  }

  /**
   * Returns the command that runs the daemon in the foreground.
   *
   * @param configuration file to read
   * @param home directory for the files that the daemon keeps
   */
  public List<String> command(Path configuration, Path home) {
    return List.of(
        syslogNg.toString(),
        "--foreground",
        "--no-caps",
        "--cfgfile=" + configuration,
        "--persist-file=" + home.resolve("persist"),
        "--control=" + home.resolve("control"),
        "--pidfile=" + home.resolve("pid"));
  }

  /** Queries the daemon's newest supported version of configuration files, such as {@code 3.35}. */
  public String configVersion() throws LabException {
    List<String> command = List.of(syslogNg.toString(), "--version");
    Matcher matcher =
        CONFIG_VERSION.matcher(
            ChildProcess.runAllowingFailure(Path.of("/"), environment, command).output());
    if (!matcher.find()) {
      throw new LabException(syslogNg + " does not print its version");
    }
    return matcher.group(1);
  }
}
