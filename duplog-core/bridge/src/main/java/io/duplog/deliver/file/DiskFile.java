package io.duplog.deliver.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The sink's file on disk, opened for appending and locked against other bridges. If logrotate
 * truncates it in place, appending leaves no hole.
 *
 * @param key device and inode, or null if the file system has none
 * @param beganTorn whether the file did not end with a newline when it was opened
 */
record DiskFile(Path path, FileChannel channel, @Nullable Object key, boolean beganTorn)
    implements LogFile {

  /**
   * Opens the file, and creates it if there is none.
   *
   * @throws IOException whose message is the cause in an administrator's words, without the path
   */
  static LogFile open(Path path, FileMode mode) throws IOException {
    try {
      return openUntranslated(path, mode);
    } catch (FileSystemException e) {
      throw new IOException(cause(e), e);
    }
  }

  /**
   * Checks whether {@link #open} could open the file. Neither creates nor deletes it, because a
   * bridge may start writing to it at this moment.
   */
  static void check(Path path, FileMode mode) throws IOException {
    Creator trial = missing -> createBeside(missing, mode.permissions());
    try {
      requireRegular(path);
      checkExisting(path, trial);
    } catch (FileSystemException e) {
      throw new IOException(cause(e), e);
    }
  }

  private static void checkExisting(Path path, Creator trial) throws IOException {
    try {
      openExisting(path, trial).close();
    } catch (NoSuchFileException e) {
      trial.create(path).close();
    }
  }

  /** Creates the file at a path, and opens it for appending. */
  private interface Creator {
    /**
     * @throws FileAlreadyExistsException if there is a file, or a link, at the path
     */
    FileChannel create(Path path) throws IOException;
  }

  private static String cause(FileSystemException e) {
    if (e instanceof NoSuchFileException) {
      return "its folder does not exist";
    }
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    }
    return String.valueOf(e.getReason());
  }

  private static LogFile openUntranslated(Path path, FileMode mode) throws IOException {
    FileChannel channel = openChannel(path, missing -> create(missing, mode.permissions()));
    try {
      if (!Files.isRegularFile(path)) {
        throw new IOException("it is not a regular file");
      }
      // The lock comes last, because closing any channel of a file gives up the process's locks.
      boolean torn = endsTorn(path);
      lock(channel);
      return new DiskFile(path, channel, keyAt(path), torn);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private static FileChannel openChannel(Path path, Creator creator) throws IOException {
    requireRegular(path);
    try {
      return creator.create(path);
    } catch (FileAlreadyExistsException e) {
      return openExisting(path, creator);
    }
  }

  /** Rejects a pipe before it is opened, because opening would wait for the pipe's reader. */
  private static void requireRegular(Path path) throws IOException {
    if (Files.exists(path) && !Files.isRegularFile(path)) {
      throw new IOException("it is not a regular file");
    }
  }

  private static FileChannel create(Path path, Set<PosixFilePermission> permissions)
      throws IOException {
    FileChannel created =
        FileChannel.open(
            path,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.APPEND),
            PosixFilePermissions.asFileAttribute(permissions));
    // The permissions are set again, because the process's umask may have removed some.
    Files.setPosixFilePermissions(path, permissions);
    forceFolder(path);
    return created;
  }

  /** Creates a file with another name in the same folder, which is deleted when it is closed. */
  private static FileChannel createBeside(Path path, Set<PosixFilePermission> permissions)
      throws IOException {
    if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      throw new FileAlreadyExistsException(path.toString());
    }
    FileChannel created =
        FileChannel.open(
            path.resolveSibling(".duplog-check-" + UUID.randomUUID()),
            Set.of(
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.APPEND,
                StandardOpenOption.DELETE_ON_CLOSE),
            PosixFilePermissions.asFileAttribute(permissions));
    try {
      forceFolder(path);
      return created;
    } catch (IOException e) {
      created.close();
      throw e;
    }
  }

  private static FileChannel openExisting(Path path, Creator creator) throws IOException {
    try {
      return FileChannel.open(path, StandardOpenOption.APPEND);
    } catch (NoSuchFileException e) {
      if (!Files.isSymbolicLink(path)) {
        throw e; // it was removed a moment ago
      }
      return openAtEndOfLink(path, creator);
    }
  }

  /** Creates the target file of a link. */
  private static FileChannel openAtEndOfLink(Path link, Creator creator) throws IOException {
    Path target = link.resolveSibling(Files.readSymbolicLink(link));
    try {
      return openChannel(target, creator);
    } catch (FileSystemException e) {
      throw new IOException(
          "it is a link to %s, which can't be created: %s".formatted(target, cause(e)), e);
    }
  }

  /**
   * Forces the folder's entries to the disk, so that a power failure does not lose the new file.
   */
  private static void forceFolder(Path path) throws IOException {
    Path folder = path.toAbsolutePath().getParent();
    if (folder != null) {
      try (FileChannel entries = FileChannel.open(folder, StandardOpenOption.READ)) {
        entries.force(true);
      }
    }
  }

  private static boolean endsTorn(Path path) throws IOException {
    // A channel that was opened for appending can't read.
    try (FileChannel reader = FileChannel.open(path, StandardOpenOption.READ)) {
      ByteBuffer last = ByteBuffer.allocate(1);
      long size = reader.size();
      return size > 0 && reader.read(last, size - 1) == 1 && last.get(0) != '\n';
    }
  }

  private static void lock(FileChannel channel) throws IOException {
    try {
      if (channel.tryLock() != null) {
        return; // the channel holds the lock until it is closed
      }
    } catch (OverlappingFileLockException e) {
      // this process has the lock already
    } catch (IOException e) {
      return; // the file system has no locks
    }
    throw new IOException("another bridge is writing to it");
  }

  private static @Nullable Object keyAt(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
  }

  @Override
  public int write(ByteBuffer bytes) throws IOException {
    return channel.write(bytes);
  }

  @Override
  public long size() throws IOException {
    return channel.size();
  }

  @Override
  public void truncate(long size) throws IOException {
    channel.truncate(size);
  }

  @Override
  public void force() throws IOException {
    channel.force(false);
  }

  @Override
  public boolean isAtItsPath() {
    try {
      return Objects.equals(key, keyAt(path));
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
