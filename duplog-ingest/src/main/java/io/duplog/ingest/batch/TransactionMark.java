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
 * Tells a shim whether its predecessor died within a transaction, and which batches it had
 * published.
 *
 * <p>Each shim has a file that it keeps locked while it runs. The file consists of a header, whose
 * first byte shows whether a transaction is open, and a {@link BatchJournal}. The file is mapped
 * into memory. Therefore writing needs no system call, and the content outlives a killed process.
 * If the transaction of a dead shim was open, its file is renamed. It then applies to every shim
 * that starts within the next minute, because the successor is not known. The files of running
 * shims are ignored. rsyslog's disk queue has a separate shim in addition to the shim of the memory
 * queue. With killUnresponsive, rsyslog kills a hanging shim before it starts another one. Not
 * thread-safe.
 *
 * @see "docs/decisions/shim.md#killed-shims"
 */
public final class TransactionMark implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(TransactionMark.class);
  private static final byte OPEN = 1;
  private static final byte CLOSED = 0;
  private static final String LIVE_EXTENSION = ".transaction";
  private static final String BROKEN_EXTENSION = ".broken";
  private static final long BROKEN_FILE_LIFETIME_MILLIS = 60_000;

  /** Maximum size of a journal. Each start of a shim writes the whole file. */
  private static final int MAX_JOURNAL_BYTES = 64 << 20;

  /**
   * Matches the name of a file. The first group is the stream, the second group is the extension.
   */
  private static final Pattern FILE_NAME =
      Pattern.compile("duplog-(.+)-\\d+(\\%s|\\%s)".formatted(LIVE_EXTENSION, BROKEN_EXTENSION));

  /** Folder of the file, or null if the mark has no file. */
  private final @Nullable Path folder;

  private final String stream;
  private long owner;
  private final int fileBytes;

  private ByteBuffer header = ByteBuffer.allocate(BatchJournal.HEADER_BYTES);
  private BatchJournal journal;
  private boolean predecessorDiedInTransaction;

  /** Files of dead shims, which may contain published batches. */
  private final List<Path> leftoverFiles = new ArrayList<>();

  private @Nullable Path file;

  /** Channel that holds the file's lock, or null if there is no file. */
  private @Nullable FileChannel lockChannel;

  /** Whether this mark has tried to create its missing file during the open transaction. */
  private boolean fileCreationTried;

  private TransactionMark(@Nullable Path folder, String stream, long owner, long journalBytes) {
    this.folder = folder;
    this.stream = stream;
    this.owner = owner;
    this.fileBytes = BatchJournal.HEADER_BYTES + (int) Math.min(journalBytes, MAX_JOURNAL_BYTES);
    this.journal = new BatchJournal(header, owner);
  }

  /**
   * Creates the mark of a program that omprog starts, in Java's folder for temporary files. The
   * batches of a predecessor apply if the same rsyslog is still running, because it sends their
   * messages again.
   */
  public static TransactionMark ofThisProcess(String stream, BatchSettings batch) {
    return ofThisProcess(stream, RsyslogProcess.parent(), batch);
  }

  /**
   * Creates the mark of a shim that listens. {@link #serve} sets the rsyslog, which the requests
   * identify.
   */
  public static TransactionMark ofListener(String stream, BatchSettings batch) {
    return ofThisProcess(stream, RsyslogProcess.UNKNOWN, batch);
  }

  private static TransactionMark ofThisProcess(String stream, long owner, BatchSettings batch) {
    Path folder = Path.of(System.getProperty("java.io.tmpdir"));
    return createIn(
        folder, stream, owner, batch.maxUnconfirmed().bytes(), System::currentTimeMillis);
  }

  /**
   * Creates a mark with a file, and examines the files of predecessors. If the folder can't be
   * used, assumes that a predecessor ended within a transaction; each transaction then tries to
   * create the file.
   *
   * @param stream the stream of this shim and its predecessors
   * @param owner number that identifies the rsyslog that this shim serves
   * @param journalBytes maximum size of the journal for a successor
   * @param wallMillis clock in milliseconds since the Unix epoch
   */
  public static TransactionMark createIn(
      Path folder, String stream, long owner, long journalBytes, LongSupplier wallMillis) {
    TransactionMark mark = new TransactionMark(folder, stream, owner, journalBytes);
    try {
      mark.predecessorDiedInTransaction = mark.findDeadShims(folder, wallMillis.getAsLong());
      mark.createFile(folder);
    } catch (IOException | DirectoryIteratorException e) {
      log.warn(
          "the folder {} can't be used ({}): while that is so, rsyslog has to send its first"
              + " transaction again, one message at a time, after each start of this program",
          folder,
          e.toString());
      mark.predecessorDiedInTransaction = true;
    }
    if (mark.predecessorDiedInTransaction) {
      // If this shim dies before its first COMMIT has failed, the first COMMIT of the next shim
      // must fail.
      mark.header.put(0, OPEN);
    }
    return mark;
  }

  private void createFile(Path where) throws IOException {
    // Has a temporary name until it is locked; otherwise it would look like the file of a dead
    // shim.
    Path unlocked = Files.createTempFile(where, "duplog-" + stream + "-", "");
    FileChannel opened = null;
    try {
      opened = FileChannel.open(unlocked, READ, WRITE);
      opened.lock();
      int bytes = writeZeros(opened, fileBytes);
      ByteBuffer mapped = opened.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
      file = Files.move(unlocked, unlocked.resolveSibling(unlocked.getFileName() + LIVE_EXTENSION));
      header = mapped;
      journal = new BatchJournal(mapped, owner);
      lockChannel = opened;
    } catch (IOException e) {
      if (opened != null) {
        opened.close();
      }
      Files.deleteIfExists(unlocked);
      throw e;
    }
  }

  /**
   * Writes the whole file, so that a full disk causes a failure here, and not later when the mapped
   * memory is written.
   *
   * @return the file's size in bytes, which is the size of the header if the disk has no space for
   *     batches
   */
  private static int writeZeros(FileChannel empty, int bytes) throws IOException {
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
      return writeZeros(empty, BatchJournal.HEADER_BYTES);
    }
  }

  /** Returns a mark without a file, for a shim that has no predecessor. */
  public static TransactionMark none() {
    return new TransactionMark(null, "", RsyslogProcess.UNKNOWN, 0);
  }

  private boolean findDeadShims(Path folder, long nowMillis) throws IOException {
    boolean foundOpenTransaction = false;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "duplog-*")) {
      for (Path file : files) {
        Matcher name = FILE_NAME.matcher(String.valueOf(file.getFileName()));
        if (name.matches()
            && name.group(1).equals(stream)
            && Files.isRegularFile(file, NOFOLLOW_LINKS)) {
          foundOpenTransaction |=
              name.group(2).equals(LIVE_EXTENSION)
                  ? diedInTransaction(file, nowMillis)
                  : isRecent(file, nowMillis);
        }
      }
    }
    return foundOpenTransaction;
  }

  /**
   * Returns whether the shim of a file died within a transaction. If so, renames the file. Deletes
   * the file of a shim that died between transactions.
   */
  private boolean diedInTransaction(Path file, long nowMillis) throws IOException {
    String name =
        file.getFileName().toString().replaceFirst(LIVE_EXTENSION + "$", BROKEN_EXTENSION);
    Path broken = file.resolveSibling(name);
    try (FileChannel channel = FileChannel.open(file, READ, WRITE, NOFOLLOW_LINKS)) {
      if (!isDead(channel)) {
        return false;
      }
      ByteBuffer deadHeader = ByteBuffer.allocate(BatchJournal.HEADER_BYTES);
      channel.read(deadHeader, 0); // only one byte if an older release wrote the file
      boolean wasOpen = deadHeader.get(0) == OPEN;
      if (wasOpen) {
        if (BatchJournal.isEmpty(deadHeader)) {
          channel.truncate(1); // the files of many killed shims would fill the disk
        }
        Files.setLastModifiedTime(Files.move(file, broken), FileTime.fromMillis(nowMillis));
        leftoverFiles.add(broken);
      } else {
        Files.deleteIfExists(file);
      }
      return wasOpen;
    } catch (NoSuchFileException e) {
      leftoverFiles.add(broken);
      return true; // another shim has just deleted or renamed the file
    } catch (FileSystemException e) {
      return false; // the file belongs to another user
    }
  }

  /**
   * Whether no process holds the lock. Tries a shared lock, because another shim may try at the
   * same time.
   */
  private static boolean isDead(FileChannel channel) throws IOException {
    try {
      return channel.tryLock(0, Long.MAX_VALUE, true) != null;
    } catch (OverlappingFileLockException e) {
      return false; // a shim in this process holds the lock
    }
  }

  /**
   * Returns whether the file of an interrupted transaction was renamed within the last minute.
   * Deletes an older file.
   */
  private boolean isRecent(Path file, long nowMillis) throws IOException {
    try {
      long age = nowMillis - Files.getLastModifiedTime(file).toMillis();
      if (Math.abs(age) < BROKEN_FILE_LIFETIME_MILLIS) {
        leftoverFiles.add(file);
        return true;
      }
      Files.deleteIfExists(file);
    } catch (NoSuchFileException e) {
      log.debug("another shim has just forgotten {}", file, e);
    }
    return false;
  }

  /** Whether a predecessor ended within a transaction, or may have done so. */
  public boolean predecessorDiedInTransaction() {
    return predecessorDiedInTransaction;
  }

  /** Returns the journal for the batches that this shim publishes. */
  BatchJournal journal() {
    return journal;
  }

  /**
   * Called with the id of the rsyslog that this shim serves.
   *
   * @param run unique id of a run of rsyslog, or an empty text if it is not known
   * @return whether this is a different rsyslog than before
   */
  public boolean serve(String run) {
    long newOwner = run.isEmpty() ? RsyslogProcess.UNKNOWN : RsyslogProcess.hash(run);
    boolean isOther = newOwner != owner;
    if (isOther) {
      owner = newOwner;
      journal.serve(newOwner);
    }
    return isOther;
  }

  /** Opens the journals of predecessors that served the same rsyslog. */
  List<Leftover> leftovers(Function<List<BatchJournal.Entry>, Set<ByteBuffer>> digestsOf) {
    return leftoverFiles.stream()
        .filter(this::isOurs)
        .map(file -> Leftover.open(file, stream, owner, digestsOf))
        .filter(Objects::nonNull)
        .toList();
  }

  /**
   * Whether a file belongs to this shim's user. In /tmp, other users could have created the file.
   */
  private boolean isOurs(Path other) {
    try {
      return file != null
          && Files.getOwner(other, NOFOLLOW_LINKS).equals(Files.getOwner(file, NOFOLLOW_LINKS));
    } catch (IOException e) {
      return false; // another shim has just deleted the file
    }
  }

  /** Records that a transaction is open. Called before a message of a transaction is answered. */
  public void markOpen() {
    if (!fileCreationTried && file == null && folder != null) {
      fileCreationTried = true;
      try {
        createFile(folder);
      } catch (IOException e) {
        log.debug("{} still can't be used", folder, e);
      }
    }
    header.put(0, OPEN);
  }

  /**
   * Records that no transaction is open. Called after the COMMITs of all transactions were
   * answered, including a first failed one.
   */
  public void markClosed() {
    fileCreationTried = false;
    header.put(0, CLOSED);
  }

  /**
   * Deletes the file. If a transaction is open, keeps the file, so that the next shim detects it.
   */
  @Override
  public void close() {
    try {
      if (file != null && header.get(0) == CLOSED) {
        Files.deleteIfExists(file);
      }
      if (lockChannel != null) {
        lockChannel.close();
      }
    } catch (IOException e) {
      log.debug("{} stays", file, e);
    }
  }
}
