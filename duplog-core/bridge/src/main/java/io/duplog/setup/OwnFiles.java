package io.duplog.setup;

import static com.google.common.base.Preconditions.checkNotNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Writes the files of {@code duplog init} so that only their owner can read them. */
final class OwnFiles {
  private OwnFiles() {}

  /** Creates a folder and its parents if they are missing. */
  static Path folder(Path folder) throws IOException {
    return Files.createDirectories(folder, permissions("rwx------"));
  }

  /** Writes a file atomically: an interruption leaves the earlier file, if there was one. */
  static void write(Path file, String text, boolean isExecutable) throws IOException {
    Path made =
        Files.createTempFile(
            folder(checkNotNull(file.toAbsolutePath().getParent())),
            ".new",
            "",
            permissions(isExecutable ? "rwx------" : "rw-------"));
    try {
      Files.writeString(made, text);
      Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(made);
    }
  }

  private static FileAttribute<Set<PosixFilePermission>> permissions(String text) {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(text));
  }
}
