package io.duplog.benchmark.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The directory that holds everything a lab writes. Every server's temporary files, home and logs
 * are led into it.
 */
public final class LabDirectory {
  private final Path root;
  private final List<String> commandPrefix;

  /** Of servers that get all of the machine. */
  public LabDirectory(Path root) throws LabException {
    this(root, CpuLimit.NONE);
  }

  /**
   * @param root made where it does not exist
   * @param limit holds all servers that are started here
   */
  public LabDirectory(Path root, CpuLimit limit) throws LabException {
    this.commandPrefix = limit.commandPrefix();
    this.root = root.toAbsolutePath().normalize();
    for (String name : new String[] {"log", "pid", "tmp", "home"}) {
      make(name);
    }
  }

  /** What every command begins with, so that the limit holds it. */
  List<String> commandPrefix() {
    return commandPrefix;
  }

  /** A directory below the root, made where it does not exist. */
  public Path make(String name) throws LabException {
    return makeAt(root.resolve(name));
  }

  static Path makeAt(Path path) throws LabException {
    try {
      return Files.createDirectories(path);
    } catch (IOException e) {
      throw new LabException("the lab's directory " + path + " can't be made: " + e, e);
    }
  }

  /** Removes a directory with all that it holds. */
  static void delete(Path directory) throws LabException {
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

  Path log(String server) {
    return root.resolve("log").resolve(server + ".log");
  }

  /** Where rsyslog puts what the shim of a node writes to stderr. */
  Path shimLog(String stream) {
    return log("shim-" + stream);
  }

  /** The folder of one file for each server that runs, with its process id. */
  public Path pidFiles() {
    return root.resolve("pid");
  }

  Path pidFile(String server) {
    return pidFiles().resolve(server);
  }

  Path temporary() {
    return root.resolve("tmp");
  }

  /** What every server gets; nothing of the caller's environment but its PATH. */
  Map<String, String> environment() {
    Map<String, String> variables = new HashMap<>();
    variables.put("PATH", Programs.searchPath());
    variables.put("LANG", "C.UTF-8");
    variables.put("HOME", root.resolve("home").toString());
    variables.put("TMPDIR", temporary().toString());
    return variables;
  }
}
