package io.duplog.benchmark.peer;

import io.duplog.benchmark.lab.ChildProcess;
import io.duplog.benchmark.lab.LabJars;
import io.duplog.rig.Folders;
import io.duplog.rig.LabException;
import io.duplog.rig.Programs;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The Debian or Ubuntu packages of syslog-ng, downloaded once and unpacked into a directory,
 * because installing them would remove rsyslog. Root permissions are not needed.
 */
public final class PeerPackages {
  /**
   * Downloads and unpacks the daemon and the module with http(). Apt finds the packages that they
   * depend on and that are not installed.
   */
  private static final String FETCH =
      """
      apt-get --simulate --no-install-recommends install syslog-ng-core syslog-ng-mod-http >plan
      apt-get download $(sed -n 's/^Inst \\([^ ]*\\) .*/\\1/p' plan)
      mkdir root
      for package in *.deb; do dpkg -x "$package" root; done
      """;

  private PeerPackages() {}

  /**
   * Returns the installed syslog-ng if there is one, otherwise the one from packages, which are
   * kept in the build directory of this checkout.
   *
   * @throws LabException if syslog-ng is not installed, and its packages can't be downloaded; the
   *     message says why
   */
  public static Installation installation() throws LabException {
    try {
      return new Installation(Programs.find("syslog-ng"), Map.of());
    } catch (LabException e) {
      return Installation.below(unpacked());
    }
  }

  /**
   * Returns the directory with the unpacked packages, and downloads them first if it is missing.
   */
  private static Path unpacked() throws LabException {
    Path cache = LabJars.checkout().resolve("benchmark/target/peer-packages");
    Path root = cache.resolve("root");
    if (!Files.isDirectory(root)) {
      try {
        Files.createDirectories(cache);
        Path workshop = Files.createTempDirectory(cache, "fetch-");
        try {
          fetch(workshop);
          Files.move(workshop.resolve("root"), root);
        } catch (FileAlreadyExistsException e) {
          // another process was faster, and has unpacked the same
        } finally {
          Folders.delete(workshop);
        }
      } catch (IOException e) {
        throw new LabException("syslog-ng's packages can't be kept in " + cache + ": " + e, e);
      }
    }
    return root;
  }

  private static void fetch(Path workshop) throws LabException {
    ChildProcess.Ended ended = ChildProcess.ended(workshop, Map.of(), List.of("sh", "-ec", FETCH));
    if (ended.status() != 0) {
      throw new LabException("syslog-ng's packages can't be had: " + lastWords(ended.output()));
    }
  }

  /** Returns the last line of an output, without URLs, which might reveal a private mirror. */
  static String lastWords(String output) {
    return output.strip().replaceFirst("(?s).*\n", "").strip().replaceAll("\\S+://\\S+", "...");
  }
}
