package io.duplog.rig;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Finds the programs of servers, such as rabbitmq-server, on this host. */
public final class Programs {
  /** Folders of servers that are not in an ordinary user's PATH. */
  private static final String SERVER_PATH = "/usr/local/sbin:/usr/sbin:/sbin";

  private Programs() {}

  /** Returns the PATH for the search of programs. */
  public static String searchPath() {
    String path = System.getenv("PATH");
    return (path == null ? "/usr/local/bin:/usr/bin:/bin" : path) + ":" + SERVER_PATH;
  }

  /**
   * Finds a program by its name.
   *
   * @param preferred absolute paths that are tried before the PATH
   * @throws LabException if the program is not installed
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

  /** Returns the java command that runs this program. */
  public static Path java() {
    return Path.of(System.getProperty("java.home"), "bin", "java");
  }
}
