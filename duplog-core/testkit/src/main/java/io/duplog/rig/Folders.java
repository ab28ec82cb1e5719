package io.duplog.rig;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Deletes folders with their content, and checks whether a folder is empty. */
public final class Folders {
  private Folders() {}

  /** Whether an existing folder is empty. */
  public static boolean isEmpty(Path folder) throws IOException {
    try (Stream<Path> content = Files.list(folder)) {
      return content.findAny().isEmpty();
    }
  }

  /** Removes a folder with all its content, if it exists. */
  public static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
