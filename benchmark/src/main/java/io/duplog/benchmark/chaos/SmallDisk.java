package io.duplog.benchmark.chaos;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A folder on a disk of its own of a few megabytes: a tmpfs, which only root can mount. */
final class SmallDisk implements AutoCloseable {
  private static final String SIZE = "size=96m";

  private final Path folder;

  private SmallDisk(Path folder) {
    this.folder = folder;
  }

  static boolean isPossible() {
    return "root".equals(System.getProperty("user.name"));
  }

  /**
   * Makes the folder and mounts the disk there.
   *
   * @throws IOException if that is not possible, as for whoever is not root
   */
  static SmallDisk mount(Path folder) throws IOException {
    Files.createDirectories(folder);
    run("mount", "-t", "tmpfs", "-o", SIZE, "duplog-chaos", folder.toString());
    return new SmallDisk(folder);
  }

  private static void run(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      if (process.waitFor() != 0) {
        throw new IOException(
            "a small disk needs root: "
                + new String(process.getInputStream().readAllBytes(), UTF_8).strip());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  @Override
  public void close() throws IOException {
    run("umount", "--lazy", folder.toString());
  }
}
