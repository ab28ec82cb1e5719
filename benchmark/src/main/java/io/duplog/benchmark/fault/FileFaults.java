package io.duplog.benchmark.fault;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The file that a bridge writes, and its disk. */
final class FileFaults {
  private static final int FULL_SECONDS = 10;

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
            scene -> {
              for (int i = 0; i < 3; i++) {
                Files.delete(scene.bridge().output());
                scene.hold(2);
              }
            }),
        Fault.of(
            "file-renamed",
            "the file of one bridge renamed, three times",
            scene -> {
              Path file = scene.bridge().output();
              for (int i = 0; i < 3; i++) {
                Files.move(file, file.resolveSibling(file.getFileName() + "." + System.nanoTime()));
                scene.hold(2);
              }
            }));
  }

  private static void fillDisk(Scene scene) throws IOException, InterruptedException {
    DiskBallast ballast = DiskBallast.beside(scene.bridge().output());
    try {
      ballast.fill();
      scene.hold(FULL_SECONDS);
    } finally {
      ballast.remove();
    }
  }
}
