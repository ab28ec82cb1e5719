package io.duplog.benchmark.fault;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Renames a bridge's output file, or fills and frees its disk, as a chaos fault on a running
 * bridge.
 */
final class BridgeFile {
  private static final int CHUNK_BYTES = 64 * 1024;

  private BridgeFile() {}

  static void rename(Path file) throws IOException {
    Files.move(file, Path.of(file + "." + System.nanoTime()));
  }

  /** Fills the file's disk to the last byte, by writing another file next to it. */
  static void fillDisk(Path file) throws IOException {
    for (int chunk = CHUNK_BYTES; chunk > 0; chunk /= 2) {
      fill(ballastFile(file), new byte[chunk]);
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
        throw e; // The cause is not a full disk.
      }
    }
  }

  /** Deletes the file with which {@link #fillDisk} filled the disk. */
  static void freeDisk(Path file) throws IOException {
    Files.delete(ballastFile(file));
  }

  private static Path ballastFile(Path file) {
    return file.resolveSibling("ballast");
  }
}
