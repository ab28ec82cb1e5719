package io.duplog.benchmark.peer;

import io.duplog.benchmark.lab.ChildProcess;
import io.duplog.benchmark.lab.LabJars;
import io.duplog.rig.Folders;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Debian's and Ubuntu's packages of syslog-ng, fetched once and unpacked beside the system: to
 * install them would remove rsyslog. Nobody needs to be root for that.
 */
public final class PeerPackages {
  /** The second has http(). What they need and is not installed is found by apt itself. */
  private static final String FETCH =
      """
      apt-get --simulate --no-install-recommends install syslog-ng-core syslog-ng-mod-http >plan
      apt-get download $(sed -n 's/^Inst \\([^ ]*\\) .*/\\1/p' plan)
      mkdir root
      for package in *.deb; do dpkg -x "$package" root; done
      """;

  private final Path cache;

  /**
   * Fetches nothing yet.
   *
   * @param cache keeps them; made where it does not exist
   */
  public PeerPackages(Path cache) {
    this.cache = cache.toAbsolutePath().normalize();
  }

  /** Keeps them with what else this checkout's build has made. */
  public static PeerPackages ofThisBuild() throws LabException {
    return new PeerPackages(LabJars.checkout().resolve("benchmark/target/peer-packages"));
  }

  /** Why syslog-ng can't be had here; null where they can. May fetch them. */
  public @Nullable String obstacle() {
    try {
      installation();
      return null;
    } catch (LabException e) {
      return e.getMessage();
    }
  }

  /**
   * The machine's own where they are installed, else those of the packages.
   *
   * @throws LabException if they are not installed, and can't be fetched; the message says why
   */
  public Installation installation() throws LabException {
    try {
      return Installation.installed();
    } catch (LabException e) {
      return Installation.below(unpacked());
    }
  }

  /** All or nothing: the root appears when it is complete. */
  private Path unpacked() throws LabException {
    Path root = cache.resolve("root");
    if (!Files.isDirectory(root)) {
      try {
        Files.createDirectories(cache);
        Path workshop = Files.createTempDirectory(cache, "fetch-");
        try {
          fetch(workshop);
          Files.move(workshop.resolve("root"), root);
        } catch (FileAlreadyExistsException e) {
          // someone else was faster, and has the same
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

  /** Without addresses, which are the machine's own business. */
  static String lastWords(String output) {
    return output.strip().replaceFirst("(?s).*\n", "").strip().replaceAll("\\S+://\\S+", "...");
  }
}
