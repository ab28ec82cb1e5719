package io.duplog.rig;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The directory that holds everything that servers write. Every server's temporary files, home and
 * logs are led into it.
 */
public final class LabDirectory {
  /**
   * Compilers come first where the system lets them. Half a dozen programs that start together on
   * few cores otherwise compile for minutes, each at the price of the load; what they compile, and
   * what it costs once compiled, stays the same. Root alone may raise a thread's priority.
   */
  private static final List<String> COMPILERS_FIRST =
      "root".equals(System.getProperty("user.name"))
          ? List.of("-XX:ThreadPriorityPolicy=1", "-XX:CompilerThreadPriority=-10")
          : List.of();

  private final Path root;

  /**
   * @param root made where it does not exist
   */
  public LabDirectory(Path root) throws LabException {
    this.root = root.toAbsolutePath().normalize();
    for (String name : new String[] {"log", "pid", "tmp", "home"}) {
      make(name);
    }
  }

  /** A directory below the root, made where it does not exist. */
  public Path make(String name) throws LabException {
    return makeAt(root.resolve(name));
  }

  public static Path makeAt(Path path) throws LabException {
    try {
      return Files.createDirectories(path);
    } catch (IOException e) {
      throw new LabException("the lab's directory " + path + " can't be made: " + e, e);
    }
  }

  /** Removes a directory with all that it holds. */
  public static void delete(Path directory) throws LabException {
    try {
      Folders.delete(directory);
    } catch (IOException e) {
      throw new LabException(directory + " can't be removed: " + e, e);
    }
  }

  /** Writes a configuration file, and returns where it is. */
  public static Path write(Path file, String content) throws LabException {
    try {
      return Files.writeString(file, content);
    } catch (IOException e) {
      throw new LabException(file + " can't be written: " + e, e);
    }
  }

  /** What a server writes to stdout and stderr. */
  public Path log(String server) {
    return root.resolve("log").resolve(server + ".log");
  }

  /** The folder of one file for each server that runs, with its process id. */
  public Path pidFiles() {
    return root.resolve("pid");
  }

  Path pidFile(String server) {
    return pidFiles().resolve(server);
  }

  /** The home of the user as whom all servers run, for them. */
  Path home() {
    return root.resolve("home");
  }

  private Path temporary() {
    return root.resolve("tmp");
  }

  /** What starts a program with nothing of the caller's environment but its PATH, and these. */
  ProcessBuilder processBuilder(List<String> command, Map<String, String> environment) {
    ProcessBuilder builder = new ProcessBuilder(command);
    Map<String, String> variables = builder.environment();
    variables.clear();
    variables.put("PATH", Programs.searchPath());
    variables.put("LANG", "C.UTF-8");
    variables.put("HOME", home().toString());
    variables.put("TMPDIR", temporary().toString());
    variables.putAll(environment);
    return builder;
  }

  /**
   * The command of a Java program with the options that all of them have.
   *
   * @param options its own, such as those of its heap
   * @param arguments after all options
   */
  public List<String> java(List<String> options, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Programs.java().toString());
    command.addAll(options);
    command.add("-XX:-UsePerfData");
    command.add("-Djava.io.tmpdir=" + temporary());
    command.addAll(COMPILERS_FIRST);
    command.addAll(arguments);
    return command;
  }
}
