package io.duplog.deliver.archive;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The folder of an archive on the disk, as one bridge sees it.
 *
 * @param root the folder that has the index, and the files that are not closed yet
 * @param bridge the bridge's name, as {@link ArchiveSinkConfig#wordOf} writes it
 */
record ArchiveFolder(Path root, String bridge) {
  static final FileAttribute<Set<PosixFilePermission>> FILE_RIGHTS =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r-----"));

  private static final FileAttribute<Set<PosixFilePermission>> FOLDER_RIGHTS =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-x---"));

  /** Creates an empty file. */
  interface Creator {
    /**
     * Creates a file and opens it for writing.
     *
     * @throws FileAlreadyExistsException if there is a file at the path
     */
    FileChannel create(Path path) throws IOException;

    /** Creates a file on the real disk. */
    static FileChannel onDisk(Path path) throws IOException {
      return FileChannel.open(
          path, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), FILE_RIGHTS);
    }
  }

  /** Forces a folder's entries to the disk, so that a power failure does not lose a new file. */
  static void force(Path folder) throws IOException {
    try (FileChannel entries = FileChannel.open(folder, StandardOpenOption.READ)) {
      entries.force(true);
    }
  }

  /** Returns the files that a bridge left unfinished, in their order. */
  List<ArchivePart> parts() throws IOException {
    try (Stream<Path> files = Files.list(root)) {
      return files
          .map(file -> ArchivePart.of(bridge, file.getFileName().toString()))
          .filter(Objects::nonNull)
          .sorted(Comparator.comparingLong(ArchivePart::number))
          .toList();
    }
  }

  /** Refuses a name that a file has already. */
  void requireFree(String file) throws IOException {
    if (Files.exists(root.resolve(file), LinkOption.NOFOLLOW_LINKS)) {
      throw new FileAlreadyExistsException(
          file, null, "the file exists, and no file is overwritten: move it away");
    }
  }

  /**
   * Moves a closed file to its place, which must be free, and creates the folders above it. Can be
   * called again after a failure.
   */
  void moveIntoPlace(Path closed, String file) throws IOException {
    Path target = root.resolve(file);
    Path folder = Objects.requireNonNull(target.getParent());
    if (Files.exists(closed)) {
      requireFree(file);
      Files.createDirectories(folder, FOLDER_RIGHTS);
      Files.move(closed, target, StandardCopyOption.ATOMIC_MOVE);
    }
    for (Path each = folder; !each.equals(root); each = Objects.requireNonNull(each.getParent())) {
      force(each);
    }
    force(root);
  }
}
