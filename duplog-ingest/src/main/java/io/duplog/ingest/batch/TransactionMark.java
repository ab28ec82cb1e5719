package io.duplog.ingest.batch;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a shim whether a predecessor ended in mid-transaction, and what that had published.
 *
 * <p>Each shim has a file, which it keeps locked for as long as it lives. The file begins with one
 * byte, and a {@link BatchJournal} follows. Both are mapped into memory: writing costs no system
 * call, and what was written outlives a killed process. A file of a dead shim whose transaction was
 * open is renamed, and counts for every shim that starts within the next minute, because nobody
 * knows which of them is the successor. A shim that lives does not count: rsyslog's disk queue has
 * one of its own beside that of the memory queue, and with killUnresponsive rsyslog kills one that
 * hangs before it starts another.
 *
 * @see "docs/decisions/shim.md#killed-shims"
 */
public final class TransactionMark implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(TransactionMark.class);
  private static final byte OPEN = 1;
  private static final byte CLOSED = 0;
  private static final String LIVE = ".transaction";
  private static final String BROKEN = ".broken";
  private static final long BROKEN_COUNTS_MILLIS = 60_000;

  /** Bound on a journal, because each start of a shim writes it whole. */
  private static final int MOST_JOURNAL_BYTES = 64 << 20;

  /** The first group is the stream, the second the ending. */
  private static final Pattern NAME =
      Pattern.compile("duplog-(.+)-\\d+(\\%s|\\%s)".formatted(LIVE, BROKEN));

  /** Folder of the file; null for a mark that is not persisted. */
  private final @Nullable Path folder;

  private final String stream;
  private long owner;
  private final int fileBytes;

  private ByteBuffer mark = ByteBuffer.allocate(BatchJournal.HEADER_BYTES);
  private BatchJournal journal;
  private boolean predecessorBrokeOff;

  /** Files of dead shims that may hold published batches. */
  private final List<Path> leftFiles = new ArrayList<>();

  private @Nullable Path file;

  /** Holds the lock; null if there is no file. */
  private @Nullable FileChannel channel;

  /** Whether the open transaction has tried to create a missing file. */
  private boolean tried;

  private TransactionMark(@Nullable Path folder, String stream, long owner, long journalBytes) {
    this.folder = folder;
    this.stream = stream;
    this.owner = owner;
    this.fileBytes = BatchJournal.HEADER_BYTES + (int) Math.min(journalBytes, MOST_JOURNAL_BYTES);
    this.journal = new BatchJournal(mark, owner);
  }

  /**
   * Creates the mark of a program of omprog's, in Java's folder for temporary files. What a
   * predecessor has published counts if the same rsyslog runs on: it sends it again.
   */
  public static TransactionMark ofThisProcess(String stream, BatchSettings batch) {
    return ofThisProcess(stream, RsyslogProcess.parent(), batch);
  }

  /**
   * Creates the mark of a shim that listens. Its requests say which rsyslog it serves, in {@link
   * #serve}.
   */
  public static TransactionMark ofListener(String stream, BatchSettings batch) {
    return ofThisProcess(stream, RsyslogProcess.UNKNOWN, batch);
  }

  private static TransactionMark ofThisProcess(String stream, long owner, BatchSettings batch) {
    Path folder = Path.of(System.getProperty("java.io.tmpdir"));
    return in(folder, stream, owner, batch.maxUnconfirmed().bytes(), System::currentTimeMillis);
  }

  /**
   * Creates a file for this shim, and looks at those that predecessors have left. If the folder
   * can't be used, a predecessor is taken to have ended in mid-transaction, and each transaction
   * tries to create the file.
   *
   * @param stream the stream of this shim and its predecessors
   * @param owner stands for the rsyslog that it serves
   * @param journalBytes bound on the batches that are kept for a successor
   * @param wallMillis current time in milliseconds since the epoch
   */
  public static TransactionMark in(
      Path folder, String stream, long owner, long journalBytes, LongSupplier wallMillis) {
    TransactionMark mark = new TransactionMark(folder, stream, owner, journalBytes);
    try {
      mark.predecessorBrokeOff = mark.hasBrokenOff(folder, wallMillis.getAsLong());
      mark.createFile(folder);
    } catch (IOException | DirectoryIteratorException e) {
      log.warn(
          "the folder {} can't be used ({}): while that is so, rsyslog has to send its first"
              + " transaction again, one message at a time, after each start of this program",
          folder,
          e.toString());
      mark.predecessorBrokeOff = true;
    }
    if (mark.predecessorBrokeOff) {
      // If this shim dies before its first COMMIT has failed, the next one has to fail its own.
      mark.mark.put(0, OPEN);
    }
    return mark;
  }

  private void createFile(Path where) throws IOException {
    // Under another name until it is locked, or it would look like a dead shim's.
    Path unlocked = Files.createTempFile(where, "duplog-" + stream + "-", "");
    FileChannel opened = null;
    try {
      opened = FileChannel.open(unlocked, READ, WRITE);
      opened.lock();
      int bytes = fill(opened, fileBytes);
      ByteBuffer mapped = opened.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
      file = Files.move(unlocked, unlocked.resolveSibling(unlocked.getFileName() + LIVE));
      mark = mapped;
      journal = new BatchJournal(mapped, owner);
      channel = opened;
    } catch (IOException e) {
      if (opened != null) {
        opened.close();
      }
      Files.deleteIfExists(unlocked);
      throw e;
    }
  }

  /**
   * Writes a file whole, because a full disk has to fail here, and not where the mapped memory is
   * written.
   *
   * @return the number of bytes: where the disk has no room for the batches, just the header's
   */
  private static int fill(FileChannel empty, int bytes) throws IOException {
    try {
      ByteBuffer zeros = ByteBuffer.allocate(Math.min(bytes, 64 * 1024));
      for (int written = 0; written < bytes; ) {
        zeros.position(0).limit(Math.min(zeros.capacity(), bytes - written));
        written += empty.write(zeros, written);
      }
      return bytes;
    } catch (IOException e) {
      if (bytes == BatchJournal.HEADER_BYTES) {
        throw e;
      }
      log.warn(
          "no room for {} bytes beside the mark ({}): if this program is killed, what it has just"
              + " published comes twice",
          bytes,
          e.toString());
      empty.truncate(0);
      return fill(empty, BatchJournal.HEADER_BYTES);
    }
  }

  /** Returns a mark that is not persisted, for a shim without a broken predecessor. */
  public static TransactionMark none() {
    return new TransactionMark(null, "", RsyslogProcess.UNKNOWN, 0);
  }

  private boolean hasBrokenOff(Path folder, long nowMillis) throws IOException {
    boolean brokeOff = false;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "duplog-*")) {
      for (Path file : files) {
        Matcher name = NAME.matcher(String.valueOf(file.getFileName()));
        if (name.matches()
            && name.group(1).equals(stream)
            && Files.isRegularFile(file, NOFOLLOW_LINKS)) {
          brokeOff |=
              name.group(2).equals(LIVE) ? diedOpen(file, nowMillis) : isRecent(file, nowMillis);
        }
      }
    }
    return brokeOff;
  }

  /**
   * Returns whether this file's shim died in mid-transaction; then the file is renamed. The file of
   * a shim that died between transactions is removed.
   */
  private boolean diedOpen(Path file, long nowMillis) throws IOException {
    String name = file.getFileName().toString().replaceFirst(LIVE + "$", BROKEN);
    Path broken = file.resolveSibling(name);
    try (FileChannel channel = FileChannel.open(file, READ, WRITE, NOFOLLOW_LINKS)) {
      if (!isDead(channel)) {
        return false;
      }
      ByteBuffer header = ByteBuffer.allocate(BatchJournal.HEADER_BYTES);
      channel.read(header, 0); // a byte, if an older release wrote it
      boolean open = header.get(0) == OPEN;
      if (open) {
        if (BatchJournal.isEmpty(header)) {
          channel.truncate(1); // many that are killed would fill the disk
        }
        Files.setLastModifiedTime(Files.move(file, broken), FileTime.fromMillis(nowMillis));
        leftFiles.add(broken);
      } else {
        Files.deleteIfExists(file);
      }
      return open;
    } catch (NoSuchFileException e) {
      leftFiles.add(broken);
      return true; // another shim has just removed or renamed it
    } catch (FileSystemException e) {
      return false; // another user's
    }
  }

  /**
   * Whether nobody holds the lock. The try is a shared one, because another shim may try as well.
   */
  private static boolean isDead(FileChannel channel) throws IOException {
    try {
      return channel.tryLock(0, Long.MAX_VALUE, true) != null;
    } catch (OverlappingFileLockException e) {
      return false; // of a shim in this very process
    }
  }

  /**
   * Returns whether a broken-off transaction was noticed within the last minute, else forgets it.
   */
  private boolean isRecent(Path file, long nowMillis) throws IOException {
    try {
      long age = nowMillis - Files.getLastModifiedTime(file).toMillis();
      if (Math.abs(age) < BROKEN_COUNTS_MILLIS) {
        leftFiles.add(file);
        return true;
      }
      Files.deleteIfExists(file);
    } catch (NoSuchFileException e) {
      log.debug("another shim has just forgotten {}", file, e);
    }
    return false;
  }

  /** Returns whether a predecessor ended in mid-transaction, or may have. */
  public boolean predecessorBrokeOff() {
    return predecessorBrokeOff;
  }

  /** Returns what keeps the batches that this shim has published. */
  BatchJournal journal() {
    return journal;
  }

  /**
   * Called when a request says which rsyslog this shim serves.
   *
   * @param run a text that each run of rsyslog has of its own; an empty one if it has none
   * @return whether it is another one than before
   */
  public boolean serve(String run) {
    long serving = run.isEmpty() ? RsyslogProcess.UNKNOWN : RsyslogProcess.number(run);
    boolean other = serving != owner;
    if (other) {
      owner = serving;
      journal.serve(serving);
    }
    return other;
  }

  /** Opens the journals that predecessors have left for this rsyslog. */
  List<Leftover> leftovers(Function<List<BatchJournal.Entry>, Set<ByteBuffer>> digestsOf) {
    return leftFiles.stream()
        .filter(this::isOurs)
        .map(file -> Leftover.open(file, stream, owner, digestsOf))
        .filter(Objects::nonNull)
        .toList();
  }

  /** Whether a file is of the user that this shim runs as: in /tmp, others could have put it. */
  private boolean isOurs(Path other) {
    try {
      return file != null
          && Files.getOwner(other, NOFOLLOW_LINKS).equals(Files.getOwner(file, NOFOLLOW_LINKS));
    } catch (IOException e) {
      return false; // another shim has just forgotten it
    }
  }

  /** Called before a message of a transaction is answered. */
  public void begun() {
    if (!tried && file == null && folder != null) {
      tried = true;
      try {
        createFile(folder);
      } catch (IOException e) {
        log.debug("{} still can't be used", folder, e);
      }
    }
    mark.put(0, OPEN);
  }

  /** Called after the COMMITs of all transactions were answered, the first failed one included. */
  public void ended() {
    tried = false;
    mark.put(0, CLOSED);
  }

  /** Removes the file; if a transaction is open, the file stays to tell the next shim so. */
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
