package io.duplog.benchmark.chaos;

import io.duplog.benchmark.lab.ChildProcess;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Mounts a separate disk of 96 MiB, on which a fault can fill the disk of a server without harm to
 * the host. The disk is a tmpfs, which only root can mount.
 */
record SmallDisk(Path folder) implements AutoCloseable {
  private static final String SIZE_OPTION = "size=96m";

  static boolean isPossible() {
    return "root".equals(System.getProperty("user.name"));
  }

  /**
   * Creates the folder, and mounts the disk there.
   *
   * @throws LabException if the disk can't be mounted, for example without root
   */
  static SmallDisk mount(Path folder) throws LabException, IOException {
    Files.createDirectories(folder);
    ChildProcess.run(
        folder,
        List.of("mount", "-t", "tmpfs", "-o", SIZE_OPTION, "duplog-chaos", folder.toString()));
    return new SmallDisk(folder);
  }

  @Override
  public void close() throws LabException {
    ChildProcess.run(Path.of("/"), List.of("umount", "--lazy", folder.toString()));
  }
}
