package io.duplog.benchmark.fault;

import io.duplog.rig.LabException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** The file that a bridge writes, and its disk. */
final class FileFaults {
  private static final int FULL_SECONDS = 10;
  private static final int CHUNK = 64 * 1024;

  private FileFaults() {}

  static List<Fault> all() {
    return List.of(
        Fault.of(
                "file-disk-full",
                "the disk of one bridge's file full for " + FULL_SECONDS + " s",
                FileFaults::fillDisk)
            .inSetup(Setup.SMALL_DISK),
        Fault.of(
            "file-removed",
            "the file of one bridge removed, three times",
            scene -> scene.repeat(3, 2, again -> Files.delete(again.bridge().output()))),
        Fault.of(
            "file-renamed",
            "the file of one bridge renamed, three times",
            scene -> {
              Path file = scene.bridge().output();
              scene.repeat(
                  3, 2, again -> Files.move(file, Path.of(file + "." + System.nanoTime())));
            }));
  }

  private static void fillDisk(Scene scene) throws LabException, IOException, InterruptedException {
    whileFull(scene, () -> scene.hold(FULL_SECONDS));
  }

  /** What happens while a disk is full. */
  interface Meanwhile {
    void run() throws LabException, IOException, InterruptedException;
  }

  /** Fills the disk of one bridge's file up to the last byte, and frees it again. */
  static void whileFull(Scene scene, Meanwhile meanwhile)
      throws LabException, IOException, InterruptedException {
    Path ballast = scene.bridge().output().resolveSibling("ballast");
    try {
      for (int chunk = CHUNK; chunk > 0; chunk /= 2) {
        fill(ballast, new byte[chunk]);
      }
      meanwhile.run();
    } finally {
      Files.deleteIfExists(ballast);
    }
  }

  private static void fill(Path ballast, byte[] chunk) throws IOException {
    try (OutputStream out =
        Files.newOutputStream(ballast, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      while (true) {
        out.write(chunk);
      }
    } catch (IOException e) {
      if (!Files.exists(ballast)) {
        throw e; // not for want of space
      }
    }
  }
}
