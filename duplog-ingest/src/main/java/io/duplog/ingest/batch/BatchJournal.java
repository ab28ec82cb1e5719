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
 * The batches whose messages rsyslog would send again if this shim died now, in the memory of a
 * file that outlives it: what the open transaction has published, and what failed ones have left in
 * RabbitMQ. It never holds a message that rsyslog has been given an OK for, because the successor
 * would take a new, equal message for it. So it forgets before the OK is written. A shim that is
 * killed between the two has its transaction published twice.
 *
 * <p>Earlier entries are those of failed transactions, later ones those of the open one. A word
 * says how far the entries reach, and is written after them. For one thread.
 *
 * @see "docs/decisions/shim.md#killed-shims"
 */
final class BatchJournal {

  private static final Logger log = LoggerFactory.getLogger(BatchJournal.class);

  /** Bytes before the entries. {@link TransactionMark} has the first of them. */
  static final int HEADER_BYTES = 64;

  /** Number of this form of the file. A shim of another form leaves the entries alone. */
  private static final long FORM = 0x4455504c4f470001L;

  private static final int FORM_AT = 8;
  private static final int OWNER_AT = 16;

  /** Bytes of the entries that count. */
  private static final int USED_AT = 24;

  /** Bytes of an entry's numbers; after them come a bit for each message, the id and the body. */
  private static final int NUMBERS = 36;

  private static final VarHandle WORD =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  /** Encodings in the order of their numbers in the file. */
  private static final List<ContentEncoding> ENCODINGS =
      List.of(ContentEncoding.IDENTITY, ContentEncoding.ZSTD);

  private final ByteBuffer file;

  /** Bytes of the entries of failed transactions. */
  private int earlier;

  private int usedBytes;

  /** Counts how often the entries were forgotten, because places of entries are used again. */
  private int round;

  /**
   * The place of an entry.
   *
   * @param bits offset of the bits that say which messages rsyslog was given an OK for
   */
  record Place(BatchJournal journal, int round, int bits) {

    /** Records that rsyslog will not send a message of the batch again. */
    void done(int message) {
      if (round == journal.round) {
        int at = bits + message / Byte.SIZE;
        journal.file.put(at, (byte) (journal.file.get(at) | 1 << message % Byte.SIZE));
      }
    }
  }

  /** A batch of a journal, and those of its messages that rsyslog does not send again. */
  record Entry(OutgoingBatch batch, BitSet done) {}

  /**
   * Makes an empty journal.
   *
   * @param file its content is overwritten; a buffer of just the header makes a journal that holds
   *     nothing
   * @param owner stands for the rsyslog that this shim serves
   */
  BatchJournal(ByteBuffer file, long owner) {
    this.file = file;
    file.putLong(USED_AT, 0);
    file.putLong(OWNER_AT, owner);
    file.putLong(FORM_AT, FORM);
  }

  /**
   * Adds a batch, before it is published.
   *
   * @return its place; null if there is no room, or no knowing whose messages these are
   */
  @Nullable Place hold(OutgoingBatch batch, BitSet done) {
    byte[] id = batch.envelope().id().getBytes(StandardCharsets.US_ASCII);
    int bitBytes = bytesOfBits(batch.envelope().count());
    long size = (long) NUMBERS + bitBytes + id.length + batch.body().length;
    if (file.getLong(OWNER_AT) == RsyslogProcess.UNKNOWN
        || HEADER_BYTES + usedBytes + size > file.capacity()) {
      return null;
    }
    byte[] bits = new byte[bitBytes];
    byte[] set = done.toByteArray();
    System.arraycopy(set, 0, bits, 0, set.length);
    ByteBuffer numbers =
        ByteBuffer.allocate(NUMBERS)
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
    use(usedBytes + (int) size);
    return new Place(this, round, at + NUMBERS);
  }

  private static int bytesOfBits(int count) {
    return (count + Byte.SIZE - 1) / Byte.SIZE;
  }

  /** Returns a checksum over everything except the bits, which change. */
  private static long checksum(byte[] numbers, byte[] id, byte[] body) {
    CRC32 sum = new CRC32();
    sum.update(numbers, 0, NUMBERS - Long.BYTES);
    sum.update(id);
    sum.update(body);
    return sum.getValue();
  }

  private void use(int bytes) {
    usedBytes = bytes;
    VarHandle.releaseFence(); // what is behind the word counts only when it is all there
    file.putLong(USED_AT, bytes);
    VarHandle.releaseFence(); // and so does what the caller does next
  }

  /** Called when the open transaction has failed: rsyslog sends it again. */
  void keep() {
    earlier = usedBytes;
  }

  /**
   * Forgets the batches of the open transaction, because rsyslog gets its OK now.
   *
   * @param all whether failed transactions have left nothing either
   */
  void answered(boolean all) {
    if (all) {
      forget();
    } else {
      use(earlier);
    }
  }

  /** Forgets everything. */
  void forget() {
    if (usedBytes > 0) {
      earlier = 0;
      round++;
      use(0);
    }
  }

  /** Called when this shim serves another rsyslog, which won't send again what is held. */
  void serve(long owner) {
    forget();
    file.putLong(OWNER_AT, owner);
  }

  /** Whether no entries follow this header of a dead shim's file. */
  static boolean isEmpty(ByteBuffer header) {
    return header.getLong(USED_AT) == 0;
  }

  /** Whether the mapped file of a dead shim holds entries. */
  static boolean isLeft(ByteBuffer left) {
    return (long) WORD.getVolatile(left, USED_AT) > 0;
  }

  /**
   * Empties the mapped file of a dead shim, and returns whether this process did, and no other one.
   */
  static boolean take(ByteBuffer left) {
    long bytes = (long) WORD.getVolatile(left, USED_AT);
    return bytes > 0 && WORD.compareAndSet(left, USED_AT, bytes, 0L);
  }

  /**
   * Returns the entries of a dead shim's file, up to the first that is not whole; none if another
   * rsyslog would send their messages again.
   */
  static List<Entry> read(ByteBuffer left, String stream, long owner) {
    List<Entry> entries = new ArrayList<>();
    if (left.capacity() < HEADER_BYTES
        || left.getLong(FORM_AT) != FORM
        || owner == RsyslogProcess.UNKNOWN
        || left.getLong(OWNER_AT) != owner) {
      return entries;
    }
    long usedBytes = Math.max(0, Math.min(left.getLong(USED_AT), left.capacity() - HEADER_BYTES));
    ByteBuffer rest = left.duplicate().position(HEADER_BYTES).limit(HEADER_BYTES + (int) usedBytes);
    try {
      while (rest.hasRemaining()) {
        entries.add(next(rest, stream));
      }
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      log.debug("an entry is not whole", e); // those before it count
    }
    return entries;
  }

  private static Entry next(ByteBuffer left, String stream) {
    byte[] numbers = bytes(left, NUMBERS);
    ByteBuffer read = ByteBuffer.wrap(numbers);
    int count = read.getInt();
    int queue = read.getInt();
    int encoding = read.getInt();
    long millis = read.getLong();
    int idBytes = read.getInt();
    int bodyBytes = read.getInt();
    byte[] bits = bytes(left, bytesOfBits(count));
    byte[] id = bytes(left, idBytes);
    byte[] body = bytes(left, bodyBytes);
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
    return new Entry(new OutgoingBatch(envelope, body, queue), BitSet.valueOf(bits));
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
