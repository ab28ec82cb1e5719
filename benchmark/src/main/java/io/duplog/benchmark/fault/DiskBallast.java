package io.duplog.benchmark.fault;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file that fills a disk, up to the last byte. */
final class DiskBallast {
  private static final int CHUNK = 64 * 1024;

  private final Path file;

  private DiskBallast(Path file) {
    this.file = file;
  }

  static DiskBallast beside(Path other) {
    return new DiskBallast(other.resolveSibling("ballast"));
  }

  void fill() throws IOException {
    for (int chunk = CHUNK; chunk > 0; chunk /= 2) {
      fill(new byte[chunk]);
    }
  }

  private void fill(byte[] chunk) throws IOException {
    try (OutputStream out =
        Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      while (true) {
        out.write(chunk);
      }
    } catch (IOException e) {
      if (!Files.exists(file)) {
        throw e; // not for want of space
      }
    }
  }

  void remove() throws IOException {
    Files.deleteIfExists(file);
  }
}
