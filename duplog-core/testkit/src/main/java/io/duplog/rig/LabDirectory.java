package io.duplog.rig;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Creates and removes the folder with all files of a lab's servers, such as logs. */
public final class LabDirectory {
  /**
   * Options that give Java's compilers priority, if the system allows it. Without them, half a
   * dozen programs that start together on few cores compile for minutes, and slow the load down.
   * The compiled code and its cost stay the same. The system allows only root to raise a thread's
   * priority.
   */
  private static final List<String> COMPILER_PRIORITY =
      "root".equals(System.getProperty("user.name"))
          ? List.of("-XX:ThreadPriorityPolicy=1", "-XX:CompilerThreadPriority=-10")
          : List.of();

  private final Path root;

  /**
   * Creates the directory.
   *
   * @param root path of the directory, which is created if missing
   */
  public LabDirectory(Path root) throws LabException {
    this.root = root.toAbsolutePath().normalize();
    for (String name : new String[] {"log", "pid", "tmp", "home"}) {
      make(name);
    }
  }

  /** Returns a directory below the root, which is created if missing. */
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

  /** Removes a directory with all its content. */
  public static void delete(Path directory) throws LabException {
    try {
      Folders.delete(directory);
    } catch (IOException e) {
      throw new LabException(directory + " can't be removed: " + e, e);
    }
  }

  /** Writes a configuration file, and returns its path. */
  public static Path write(Path file, String content) throws LabException {
    try {
      return Files.writeString(file, content);
    } catch (IOException e) {
      throw new LabException(file + " can't be written: " + e, e);
    }
  }

  /** Returns the file with a server's standard output and standard error. */
  public Path log(String server) {
    return root.resolve("log").resolve(server + ".log");
  }

  /** Returns the folder that has a file with the process id of each running server. */
  public Path pidFiles() {
    return root.resolve("pid");
  }

  Path pidFile(String server) {
    return pidFiles().resolve(server);
  }

  /** Returns the home directory in the servers' environment. */
  Path home() {
    return root.resolve("home");
  }

  private Path temporaryFolder() {
    return root.resolve("tmp");
  }

  /**
   * Returns a builder for a program that inherits only the PATH from the caller's environment.
   *
   * @param environment additional variables
   */
  ProcessBuilder processBuilder(List<String> command, Map<String, String> environment) {
    ProcessBuilder builder = new ProcessBuilder(command);
    Map<String, String> variables = builder.environment();
    variables.clear();
    variables.put("PATH", Programs.searchPath());
    variables.put("LANG", "C.UTF-8");
    variables.put("HOME", home().toString());
    variables.put("TMPDIR", temporaryFolder().toString());
    variables.putAll(environment);
    return builder;
  }

  /**
   * Returns the command of a Java program, with the options that all Java programs of a lab have.
   *
   * @param options the program's own options, such as those of its heap
   * @param arguments arguments after all options
   */
  public List<String> java(List<String> options, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Programs.java().toString());
    command.addAll(options);
    command.add("-XX:-UsePerfData");
    command.add("-Djava.io.tmpdir=" + temporaryFolder());
    command.addAll(COMPILER_PRIORITY);
    command.addAll(arguments);
    return command;
  }
}
