package io.duplog.benchmark.peer;

import io.duplog.benchmark.lab.LabJars;
import io.duplog.rig.Folders;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Debian's and Ubuntu's packages of syslog-ng, fetched once and unpacked beside the system: to
 * install them would remove rsyslog. Nobody needs to be root for that.
 */
public final class PeerPackages {
  /** The second has http(). What they need and is not installed is found by apt itself. */
  private static final List<String> WANTED = List.of("syslog-ng-core", "syslog-ng-mod-http");

  private static final String TO_INSTALL = "Inst ";

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

  /** Why syslog-ng and loggen can't be had here; null where they can. May fetch them. */
  public @Nullable String obstacle() throws InterruptedException {
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
  public Installation installation() throws LabException, InterruptedException {
    try {
      return Installation.installed();
    } catch (LabException e) {
      return Installation.below(unpacked());
    }
  }

  private Path unpacked() throws LabException, InterruptedException {
    Path root = cache.resolve("root");
    if (!Files.isDirectory(root)) {
      try {
        Files.createDirectories(cache);
        Path workshop = Files.createTempDirectory(cache, "fetch-");
        try {
          unpackInto(root, workshop);
        } finally {
          Folders.delete(workshop);
        }
      } catch (IOException e) {
        throw new LabException("syslog-ng's packages can't be kept in " + cache + ": " + e, e);
      }
    }
    return root;
  }

  /** All or nothing: the root appears when it is complete. */
  private static void unpackInto(Path root, Path workshop)
      throws IOException, LabException, InterruptedException {
    List<String> download = new ArrayList<>(List.of("apt-get", "download"));
    download.addAll(missing(simulate(workshop)));
    run(workshop, download);
    Path fresh = Files.createDirectory(workshop.resolve("root"));
    try (Stream<Path> files = Files.list(workshop)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".deb")).toList()) {
        run(workshop, List.of("dpkg", "-x", file.toString(), fresh.toString()));
      }
    }
    try {
      Files.move(fresh, root);
    } catch (FileAlreadyExistsException e) {
      // someone else was faster, and has the same
    }
  }

  private static String simulate(Path workshop) throws LabException, InterruptedException {
    List<String> command =
        new ArrayList<>(List.of("apt-get", "--simulate", "--no-install-recommends", "install"));
    command.addAll(WANTED);
    return run(workshop, command);
  }

  /** The packages that an installation would add, from what apt says that it would do. */
  static List<String> missing(String simulation) {
    return simulation
        .lines()
        .filter(line -> line.startsWith(TO_INSTALL))
        .map(line -> line.split(" ", -1)[1])
        .toList();
  }

  private static String run(Path folder, List<String> command)
      throws LabException, InterruptedException {
    try {
      return Installation.run(folder, Map.of(), command);
    } catch (LabException e) {
      throw new LabException("syslog-ng's packages can't be had: " + e.getMessage(), e);
    }
  }
}
