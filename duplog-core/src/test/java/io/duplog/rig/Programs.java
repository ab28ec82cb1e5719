package io.duplog.rig;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Finds the programs of the servers where Debian, Ubuntu and others install them. */
public final class Programs {
  /** Servers live in sbin, which an ordinary user's PATH lacks. */
  private static final String SERVER_PATH = "/usr/local/sbin:/usr/sbin:/sbin";

  private Programs() {}

  /** Where programs are looked for. */
  public static String searchPath() {
    String path = System.getenv("PATH");
    return (path == null ? "/usr/local/bin:/usr/bin:/bin" : path) + ":" + SERVER_PATH;
  }

  /**
   * Finds one by its name.
   *
   * @param preferred absolute paths that win over the PATH
   * @throws LabException if it is not installed
   */
  public static Path find(String program, String... preferred) throws LabException {
    Stream<Path> onPath =
        Stream.of(searchPath().split(File.pathSeparator)).map(dir -> Path.of(dir, program));
    return Stream.concat(Stream.of(preferred).map(Path::of), onPath)
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(
            () -> new LabException(program + " is not installed (deploy/verify installs it)"));
  }

  /** The java that runs this program. */
  public static Path java() {
    return Path.of(System.getProperty("java.home"), "bin", "java");
  }
}
