package io.duplog.ingest.omprog;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a shim whether its predecessor ended in mid-transaction.
 *
 * <p>Each shim has a file, which it keeps locked for as long as it lives. The file holds one byte,
 * mapped into memory: writing it costs no system call, and what was written outlives a killed
 * process. A file without a lock is of a dead shim. Its successor removes it, so that each dead
 * shim has one successor, also where rsyslog runs several at once.
 *
 * @see "docs/decisions/killed-shims.md"
 */
public final class TransactionMark implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(TransactionMark.class);
  private static final byte OPEN = 1;
  private static final byte CLOSED = 0;
  private static final String ENDING = ".transaction";

  /** The first group is the stream. */
  private static final Pattern NAME = Pattern.compile("duplog-(.+)-\\d+\\" + ENDING);

  private final ByteBuffer mark;
  private final boolean predecessorBrokeOff;
  private final @Nullable Path file;

  /** Holds the lock; null if there is no file. */
  private final @Nullable FileChannel channel;

  private TransactionMark(
      ByteBuffer mark,
      boolean predecessorBrokeOff,
      @Nullable Path file,
      @Nullable FileChannel channel) {
    this.mark = mark;
    this.predecessorBrokeOff = predecessorBrokeOff;
    this.file = file;
    this.channel = channel;
  }

  /** Makes the mark of this process, in Java's folder for temporary files. */
  public static TransactionMark ofThisProcess(String stream) {
    return in(Path.of(System.getProperty("java.io.tmpdir")), stream);
  }

  /**
   * Makes a file for this shim, and looks for one that a predecessor has left. If the folder can't
   * be used, a predecessor is taken to have ended in mid-transaction, because nobody can know.
   *
   * @param stream the stream of this shim and its predecessors
   */
  static TransactionMark in(Path folder, String stream) {
    try {
      boolean brokeOff = removeDead(folder, stream);
      // Under another name until it is locked, or it would look like a dead shim's.
      Path unlocked = Files.createTempFile(folder, "duplog-" + stream + "-", ".new");
      FileChannel channel = FileChannel.open(unlocked, READ, WRITE);
      channel.lock();
      ByteBuffer mark = channel.map(FileChannel.MapMode.READ_WRITE, 0, 1);
      String name = unlocked.getFileName().toString().replace(".new", ENDING);
      Path file = Files.move(unlocked, unlocked.resolveSibling(name));
      return new TransactionMark(mark, brokeOff, file, channel);
    } catch (IOException e) {
      log.warn(
          "the folder {} can't be used ({}): after each start of this program rsyslog has to send"
              + " its first transaction again, one message at a time",
          folder,
          e.toString());
      return new TransactionMark(ByteBuffer.allocate(1), true, null, null);
    }
  }

  /** Returns a mark that no successor reads, of a shim whose predecessor left in order. */
  public static TransactionMark none() {
    return new TransactionMark(ByteBuffer.allocate(1), false, null, null);
  }

  /**
   * Removes the files of dead shims, up to the first that had a transaction open.
   *
   * @return whether there was such a file
   */
  private static boolean removeDead(Path folder, String stream) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "duplog-*" + ENDING)) {
      for (Path file : files) {
        Matcher name = NAME.matcher(String.valueOf(file.getFileName()));
        if (name.matches()
            && name.group(1).equals(stream)
            && Files.isRegularFile(file, NOFOLLOW_LINKS)
            && removeIfDead(file)) {
          return true;
        }
      }
      return false;
    }
  }

  /** Removes the file of a shim that is dead; returns whether a transaction was open. */
  private static boolean removeIfDead(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, READ, WRITE, NOFOLLOW_LINKS)) {
      if (channel.tryLock() == null) {
        return false;
      }
      ByteBuffer mark = ByteBuffer.allocate(1);
      channel.read(mark, 0);
      return Files.deleteIfExists(file) && mark.get(0) == OPEN;
    } catch (FileSystemException | OverlappingFileLockException e) {
      return false; // removed by another successor, another user's, or of a shim of this process
    }
  }

  /** Whether a predecessor ended in mid-transaction, or may have. */
  boolean predecessorBrokeOff() {
    return predecessorBrokeOff;
  }

  /** Called before the BEGIN of a transaction is answered. */
  void begun() {
    mark.put(0, OPEN);
  }

  /** Called when the COMMITs of all transactions were answered. */
  void ended() {
    mark.put(0, CLOSED);
  }

  /** Removes the file, unless a transaction is open: then a successor has to know. */
  @Override
  public void close() {
    try {
      if (file != null && mark.get(0) == CLOSED) {
        Files.deleteIfExists(file);
      }
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      log.debug("{} stays", file, e);
    }
  }
}
