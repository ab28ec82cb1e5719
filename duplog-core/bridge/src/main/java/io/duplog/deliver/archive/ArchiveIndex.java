package io.duplog.deliver.archive;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The index of the files that one bridge has closed, with a line of JSON for each. A sink that
 * writes the bridge's files locks the index, so that no other sink writes them. Not thread-safe.
 */
final class ArchiveIndex implements Closeable {
  private static final String PREFIX = "index-";
  private static final String SUFFIX = ".jsonl";

  private final FileChannel channel;

  /** End of the last whole line in bytes. */
  private long end;

  private @Nullable ArchiveEntry last;

  private ArchiveIndex(FileChannel channel) {
    this.channel = channel;
  }

  static String name(String bridgeWord) {
    return PREFIX + bridgeWord + SUFFIX;
  }

  static boolean isName(String fileName) {
    return fileName.startsWith(PREFIX) && fileName.endsWith(SUFFIX);
  }

  /**
   * Opens and locks the index, and creates it if there is none.
   *
   * @throws IOException if it can't be opened, or another sink has it
   */
  static ArchiveIndex open(Path root, String bridgeWord) throws IOException {
    Path path = root.resolve(name(bridgeWord));
    FileChannel channel =
        FileChannel.open(
            path,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
            ArchiveFolder.FILE_RIGHTS);
    try {
      lock(channel);
      ArchiveFolder.force(root);
      ArchiveIndex index = new ArchiveIndex(channel);
      index.read(path);
      return index;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
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
    throw new IOException("another sink of a bridge with this name is writing to it");
  }

  private void read(Path path) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(channel.size()));
    while (bytes.hasRemaining() && channel.read(bytes, bytes.position()) > 0) {
      // the next piece
    }
    String text = new String(bytes.array(), 0, bytes.position(), UTF_8);
    // A line without its line feed was cut short by a crash. Its file is closed again.
    String whole = text.substring(0, text.lastIndexOf('\n') + 1);
    end = whole.getBytes(UTF_8).length;
    if (!whole.isEmpty()) {
      String line = whole.substring(whole.lastIndexOf('\n', whole.length() - 2) + 1).strip();
      try {
        last = ArchiveEntry.parse(line);
      } catch (IOException e) {
        throw new IOException("the last line of " + path + " was changed", e);
      }
    }
  }

  /** Returns the entry of the file that was closed last, or null if there is none. */
  @Nullable ArchiveEntry last() {
    return last;
  }

  /** Returns the number of the next file. */
  long nextNumber() {
    return last == null ? 1 : last.number() + 1;
  }

  /** Appends an entry and forces it to the disk. */
  void append(ArchiveEntry entry) throws IOException {
    channel.truncate(end);
    ByteBuffer line = UTF_8.encode(entry.line() + "\n");
    long position = end;
    while (line.hasRemaining()) {
      position += channel.write(line, position);
    }
    channel.force(true);
    end = position;
    last = entry;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
