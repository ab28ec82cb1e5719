package io.duplog.wire;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Gathers messages into the body of one batch. Each byte of a message is copied twice: into the
 * gathering buffer, and from there into the body, by the compressor if compression is worth it. The
 * header and the lengths are written into room that is kept free in front of the messages. For one
 * thread; reusable after {@link #clear()}. Close it to free the compressor's native memory.
 *
 * @see "docs/decisions/wire.md#batch-format"
 */
public final class BatchEncoder implements AutoCloseable {
  static final int HEADER_BYTES = 16;
  static final int CRC_FROM = 8;
  static final byte VERSION = 1;
  static final int SENDER_PREFIXED = 1;

  /** Size in bytes of the smallest body that is compressed; below, compression costs too much. */
  static final int COMPRESS_FROM_BYTES = 512;

  private static final int MAX_VARINT_BYTES = 5;
  private static final int ZSTD_LEVEL = 1;
  private static final int FIRST_MESSAGES = 1024;
  private static final int FIRST_BYTES = 64 * 1024;

  private final boolean senderPrefixed;
  private final boolean compress;
  private int[] lengths = new int[FIRST_MESSAGES];
  private int count;

  /** Offset of the first message in {@link #data}, after room for the longest possible header. */
  private int room = mostHeaderBytes(FIRST_MESSAGES);

  private byte[] data = new byte[room + FIRST_BYTES];
  private int size;
  private byte[] compressedBytes = new byte[0];
  private @Nullable ZstdCompressCtx compressor;

  /**
   * @param senderPrefixed whether every added message begins with its sender's address and one
   *     space
   * @param compress whether bodies may be compressed if that makes them smaller
   */
  public BatchEncoder(boolean senderPrefixed, boolean compress) {
    this.senderPrefixed = senderPrefixed;
    this.compress = compress;
  }

  /** Adds one message by copying its bytes. A message may be empty and may hold any bytes. */
  public void add(byte[] source, int offset, int length) {
    if (count == lengths.length) {
      makeRoomFor(count * 2);
    }
    int end = room + size;
    if (length > data.length - end) {
      data = Arrays.copyOf(data, Math.max(data.length * 2, Math.addExact(end, length)));
    }
    System.arraycopy(source, offset, data, end, length);
    size += length;
    lengths[count++] = length;
  }

  /** Returns the number of messages added since the last {@link #clear()}. */
  public int count() {
    return count;
  }

  /** Returns the total bytes of the messages added since the last {@link #clear()}. */
  public int size() {
    return size;
  }

  /** Removes all messages; the buffers are reused for the next ones. */
  public void clear() {
    count = 0;
    size = 0;
  }

  /**
   * Returns the body of the messages added so far. The same messages in the same order give the
   * same body.
   *
   * @throws IllegalStateException if there are no messages
   */
  public EncodedBatch encode() {
    if (count == 0) {
      throw new IllegalStateException("a batch holds at least one message");
    }
    int from = room - HEADER_BYTES;
    for (int i = 0; i < count; i++) {
      from -= varintBytes(lengths[i]);
    }
    int at = from + HEADER_BYTES;
    for (int i = 0; i < count; i++) {
      at = putVarint(data, at, lengths[i]);
    }
    int end = room + size;
    putHeader(from, end);
    if (compress && end - from >= COMPRESS_FROM_BYTES) {
      int length = compress(from, end - from);
      if (length < (end - from) - (end - from) / 8) {
        return new EncodedBatch(
            Arrays.copyOf(compressedBytes, length), ContentEncoding.ZSTD, count);
      }
    }
    return new EncodedBatch(Arrays.copyOfRange(data, from, end), ContentEncoding.IDENTITY, count);
  }

  private void makeRoomFor(int messages) {
    lengths = Arrays.copyOf(lengths, messages);
    int grown = mostHeaderBytes(messages);
    byte[] moved = new byte[grown + data.length - room];
    System.arraycopy(data, room, moved, grown, size);
    data = moved;
    room = grown;
  }

  /** Returns the largest number of bytes that a body needs before this many messages. */
  public static int mostHeaderBytes(int messages) {
    return HEADER_BYTES + messages * MAX_VARINT_BYTES;
  }

  private void putHeader(int from, int end) {
    ByteBuffer header = ByteBuffer.wrap(data, from, HEADER_BYTES).slice();
    header.put((byte) 'D').put((byte) 'L').put(VERSION);
    header.put((byte) (senderPrefixed ? SENDER_PREFIXED : 0));
    header.putInt(0).putInt(count).putInt(size);
    CRC32C crc = new CRC32C();
    crc.update(data, from + CRC_FROM, end - from - CRC_FROM);
    header.putInt(4, (int) crc.getValue());
  }

  /**
   * Compresses the body into {@link #compressedBytes}, and returns the compressed length in bytes.
   */
  private int compress(int from, int length) {
    int bound = Math.toIntExact(Zstd.compressBound(length));
    if (compressedBytes.length < bound) {
      compressedBytes = new byte[bound];
    }
    return compressor()
        .compressByteArray(compressedBytes, 0, compressedBytes.length, data, from, length);
  }

  private static int varintBytes(int value) {
    return Math.max(1, (38 - Integer.numberOfLeadingZeros(value)) / 7);
  }

  private static int putVarint(byte[] target, int at, int value) {
    int position = at;
    int rest = value;
    while (rest >= 0x80) {
      target[position++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    target[position++] = (byte) rest;
    return position;
  }

  private ZstdCompressCtx compressor() {
    if (compressor == null) {
      compressor = new ZstdCompressCtx().setLevel(ZSTD_LEVEL).setContentSize(true);
    }
    return compressor;
  }

  @Override
  public void close() {
    if (compressor != null) {
      compressor.close();
      compressor = null;
    }
  }
}
