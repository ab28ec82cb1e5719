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
 * Downloads and unpacks syslog-ng without installing it, because installing would remove rsyslog.
 * Root permissions are not needed.
 */
public final class PeerPackages {
  /**
   * Downloads and unpacks the daemon and the module with http(). Apt finds the dependencies that
   * are not installed.
   */
  private static final String FETCH_SCRIPT =
      """
      apt-get --simulate --no-install-recommends install syslog-ng-core syslog-ng-mod-http >plan
      apt-get download $(sed -n 's/^Inst \\([^ ]*\\) .*/\\1/p' plan)
      mkdir root
      for package in *.deb; do dpkg -x "$package" root; done
      """;

  private PeerPackages() {}

  /**
   * Returns the installed syslog-ng if there is one. Otherwise, returns the one from packages,
   * which are kept in the build directory of this checkout.
   *
   * @throws LabException if syslog-ng is not installed, and its packages can't be downloaded; the
   *     message has the reason
   */
  public static Installation installation() throws LabException {
    try {
      return new Installation(Programs.find("syslog-ng"), Map.of());
    } catch (LabException e) {
      return Installation.ofUnpacked(findUnpacked());
    }
  }

  /** Returns the directory with the unpacked packages. Downloads them first if it is missing. */
  private static Path findUnpacked() throws LabException {
    Path cache = LabJars.checkout().resolve("benchmark/target/peer-packages");
    Path root = cache.resolve("root");
    if (!Files.isDirectory(root)) {
      try {
        Files.createDirectories(cache);
        Path workFolder = Files.createTempDirectory(cache, "fetch-");
        try {
          fetch(workFolder);
          Files.move(workFolder.resolve("root"), root);
        } catch (FileAlreadyExistsException e) {
          // Another process was faster, and has unpacked the same packages.
        } finally {
          Folders.delete(workFolder);
        }
      } catch (IOException e) {
        throw new LabException("syslog-ng's packages can't be kept in " + cache + ": " + e, e);
      }
    }
    return root;
  }

  private static void fetch(Path workFolder) throws LabException {
    ChildProcess.Result result =
        ChildProcess.runAllowingFailure(workFolder, Map.of(), List.of("sh", "-ec", FETCH_SCRIPT));
    if (result.status() != 0) {
      throw new LabException(
          "syslog-ng's packages can't be downloaded: " + lastLine(result.output()));
    }
  }

  /** Returns the last line of an output, without URLs, which might reveal a private mirror. */
  static String lastLine(String output) {
    return output.strip().replaceFirst("(?s).*\n", "").strip().replaceAll("\\S+://\\S+", "...");
  }
}
