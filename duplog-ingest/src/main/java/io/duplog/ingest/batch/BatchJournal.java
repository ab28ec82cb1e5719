package io.duplog.ingest.batch;

import io.duplog.ingest.publish.OutgoingBatch;
import io.duplog.wire.ContentEncoding;
import io.duplog.wire.Envelope;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores batches whose messages rsyslog may send again in a file that outlives a killed shim, so
 * that its successor recognises them. The file is mapped into memory. It holds the batches of the
 * open transaction, and those of failed transactions. The journal never contains a message that was
 * confirmed to rsyslog with OK, because the successor would mistake a new, equal message for it.
 * Therefore it removes the batches before the OK is written. If the shim is killed between these
 * two steps, its transaction is published twice.
 *
 * <p>The entries of failed transactions come first, and those of the open transaction follow. A
 * header field contains the total size of the valid entries; it is written after the entries. Not
 * thread-safe.
 *
 * @see "docs/decisions/shim.md#killed-shims"
 */
final class BatchJournal {

  private static final Logger log = LoggerFactory.getLogger(BatchJournal.class);

  /** Size of the header before the entries. {@link TransactionMark} uses its first byte. */
  static final int HEADER_BYTES = 64;

  /** Version of the file's format. A shim with another format ignores the entries. */
  private static final long FORMAT = 0x4455504c4f470001L;

  private static final int FORMAT_OFFSET = 8;
  private static final int OWNER_OFFSET = 16;

  /** Offset of the total size of the valid entries. */
  private static final int USED_BYTES_OFFSET = 24;

  /** Size of the numbers in an entry. One bit per message, the id and the body follow. */
  private static final int NUMBERS_BYTES = 36;

  private static final VarHandle LONG_HANDLE =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  /** Content encodings in the order of their numbers in the file. */
  private static final List<ContentEncoding> ENCODINGS =
      List.of(ContentEncoding.IDENTITY, ContentEncoding.ZSTD);

  private final ByteBuffer file;

  /** Total size of the entries of failed transactions. */
  private int failedBytes;

  private int usedBytes;

  /**
   * Number of times that the journal was cleared, because later entries reuse the positions of
   * earlier ones.
   */
  private int clearCount;

  /**
   * The position of an entry in the file.
   *
   * @param bitsOffset offset of the bits for the messages that were confirmed to rsyslog with OK
   */
  record Position(BatchJournal journal, int clearCount, int bitsOffset) {

    /** Records that rsyslog will not send a message of the batch again. */
    void markDone(int message) {
      if (clearCount == journal.clearCount) {
        int at = bitsOffset + message / Byte.SIZE;
        journal.file.put(at, (byte) (journal.file.get(at) | 1 << message % Byte.SIZE));
      }
    }
  }

  /** A batch from a journal, and its messages that rsyslog will not send again. */
  record Entry(OutgoingBatch batch, BitSet done) {}

  /**
   * Creates an empty journal.
   *
   * @param file memory of the file, which is overwritten; a buffer with space only for the header
   *     makes a journal that never stores a batch
   * @param owner number that identifies the rsyslog that this shim serves
   */
  BatchJournal(ByteBuffer file, long owner) {
    this.file = file;
    file.putLong(USED_BYTES_OFFSET, 0);
    file.putLong(OWNER_OFFSET, owner);
    file.putLong(FORMAT_OFFSET, FORMAT);
  }

  /**
   * Adds a batch before it is published.
   *
   * @return position of the entry, or null if there is no space or if the rsyslog is not known
   */
  @Nullable Position add(OutgoingBatch batch, BitSet done) {
    byte[] id = batch.envelope().id().getBytes(StandardCharsets.US_ASCII);
    int bitBytes = bytesOfBits(batch.envelope().count());
    long size = (long) NUMBERS_BYTES + bitBytes + id.length + batch.body().length;
    if (file.getLong(OWNER_OFFSET) == RsyslogProcess.UNKNOWN
        || HEADER_BYTES + usedBytes + size > file.capacity()) {
      return null;
    }
    byte[] bits = new byte[bitBytes];
    byte[] set = done.toByteArray();
    System.arraycopy(set, 0, bits, 0, set.length);
    ByteBuffer numbers =
        ByteBuffer.allocate(NUMBERS_BYTES)
            .putInt(batch.envelope().count())
            .putInt(batch.queue())
            .putInt(ENCODINGS.indexOf(batch.envelope().encoding()))
            .putLong(batch.envelope().publishedMillis())
            .putInt(id.length)
            .putInt(batch.body().length);
    numbers.putLong(checksum(numbers.array(), id, batch.body())).flip();
    int at = HEADER_BYTES + usedBytes;
    file.position(at);
    file.put(numbers).put(bits).put(id).put(batch.body());
    setUsedBytes(usedBytes + (int) size);
    return new Position(this, clearCount, at + NUMBERS_BYTES);
  }

  private static int bytesOfBits(int count) {
    return (count + Byte.SIZE - 1) / Byte.SIZE;
  }

  /** Returns the checksum of an entry without its bits, which change. */
  private static long checksum(byte[] numbers, byte[] id, byte[] body) {
    CRC32 sum = new CRC32();
    sum.update(numbers, 0, NUMBERS_BYTES - Long.BYTES);
    sum.update(id);
    sum.update(body);
    return sum.getValue();
  }

  private void setUsedBytes(int bytes) {
    usedBytes = bytes;
    VarHandle.releaseFence(); // the entries must be complete in memory before their size is written
    file.putLong(USED_BYTES_OFFSET, bytes);
    VarHandle.releaseFence(); // and the size before the caller's next step
  }

  /** Called when the open transaction has failed, so that rsyslog will send it again. */
  void transactionFailed() {
    failedBytes = usedBytes;
  }

  /**
   * Removes the batches of the open transaction. Called before rsyslog gets its OK.
   *
   * @param isLast whether no failed transaction remains either
   */
  void transactionAnswered(boolean isLast) {
    if (isLast) {
      clear();
    } else {
      setUsedBytes(failedBytes);
    }
  }

  /** Removes all entries. */
  void clear() {
    if (usedBytes > 0) {
      failedBytes = 0;
      clearCount++;
      setUsedBytes(0);
    }
  }

  /**
   * Called when this shim begins to serve another rsyslog, which will not send the stored messages
   * again.
   */
  void serve(long owner) {
    clear();
    file.putLong(OWNER_OFFSET, owner);
  }

  /** Whether a header from the file of a dead shim is followed by no entries. */
  static boolean isEmpty(ByteBuffer header) {
    return header.getLong(USED_BYTES_OFFSET) == 0;
  }

  /** Whether the mapped file of a dead shim contains entries. */
  static boolean hasEntries(ByteBuffer file) {
    return (long) LONG_HANDLE.getVolatile(file, USED_BYTES_OFFSET) > 0;
  }

  /**
   * Empties the mapped file of a dead shim. Returns whether this process emptied it, rather than
   * another process.
   */
  static boolean empty(ByteBuffer file) {
    long bytes = (long) LONG_HANDLE.getVolatile(file, USED_BYTES_OFFSET);
    return bytes > 0 && LONG_HANDLE.compareAndSet(file, USED_BYTES_OFFSET, bytes, 0L);
  }

  /**
   * Returns the entries of a dead shim's file, up to the first incomplete entry. Returns no entries
   * if they belong to another rsyslog.
   */
  static List<Entry> read(ByteBuffer file, String stream, long owner) {
    List<Entry> entries = new ArrayList<>();
    if (file.capacity() < HEADER_BYTES
        || file.getLong(FORMAT_OFFSET) != FORMAT
        || owner == RsyslogProcess.UNKNOWN
        || file.getLong(OWNER_OFFSET) != owner) {
      return entries;
    }
    long usedBytes =
        Math.max(0, Math.min(file.getLong(USED_BYTES_OFFSET), file.capacity() - HEADER_BYTES));
    ByteBuffer remaining =
        file.duplicate().position(HEADER_BYTES).limit(HEADER_BYTES + (int) usedBytes);
    try {
      while (remaining.hasRemaining()) {
        entries.add(next(remaining, stream));
      }
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      log.debug("an entry is not whole", e); // the entries before it are valid
    }
    return entries;
  }

  private static Entry next(ByteBuffer file, String stream) {
    byte[] numbers = bytes(file, NUMBERS_BYTES);
    ByteBuffer read = ByteBuffer.wrap(numbers);
    int count = read.getInt();
    int queue = read.getInt();
    int encoding = read.getInt();
    long millis = read.getLong();
    int idBytes = read.getInt();
    int bodyBytes = read.getInt();
    byte[] bits = bytes(file, bytesOfBits(count));
    byte[] id = bytes(file, idBytes);
    byte[] body = bytes(file, bodyBytes);
    if (read.getLong() != checksum(numbers, id, body) || encoding >= ENCODINGS.size()) {
      throw new IllegalArgumentException("no entry that a shim has written");
    }
    Envelope envelope =
        new Envelope(
            new String(id, StandardCharsets.US_ASCII),
            stream,
            count,
            millis,
            ENCODINGS.get(encoding));
    return new Entry(new OutgoingBatch(envelope, body, queue, null), BitSet.valueOf(bits));
  }

  private static byte[] bytes(ByteBuffer from, int count) {
    if (count < 0 || count > from.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] bytes = new byte[count];
    from.get(bytes);
    return bytes;
  }
}
