package io.duplog.wire;

import com.github.luben.zstd.ZstdCompressCtx;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Gathers messages into the body of one batch. Each byte of a message is copied once into the
 * gathering buffer and once into the body, by the compressor where it is worth it. For one thread;
 * reusable after {@link #clear()}. Close it to free the compressor's native memory.
 */
public final class BatchEncoder implements AutoCloseable {
  static final int HEADER_BYTES = 16;
  static final int CRC_FROM = 8;
  static final byte VERSION = 1;
  static final int SENDER_PREFIXED = 1;

  /** Below this many bytes a body travels as it is: compression would save less than it costs. */
  static final int COMPRESS_FROM_BYTES = 512;

  private static final int MAX_VARINT_BYTES = 5;
  private static final int ZSTD_LEVEL = 1;

  private final boolean senderPrefixed;
  private final boolean compress;
  private byte[] data = new byte[64 * 1024];
  private int size;
  private int[] lengths = new int[1024];
  private int count;
  private @Nullable ZstdCompressCtx compressor;

  /**
   * @param senderPrefixed whether every message that will be added begins with its sender's address
   *     and one space
   * @param compress whether bodies may be compressed, where that makes them smaller
   */
  public BatchEncoder(boolean senderPrefixed, boolean compress) {
    this.senderPrefixed = senderPrefixed;
    this.compress = compress;
  }

  /** Adds one message; its bytes are copied. It may be empty and may hold any bytes. */
  public void add(byte[] source, int offset, int length) {
    if (count == lengths.length) {
      lengths = Arrays.copyOf(lengths, count * 2);
    }
    if (length > data.length - size) {
      data = Arrays.copyOf(data, Math.max(data.length * 2, Math.addExact(size, length)));
    }
    System.arraycopy(source, offset, data, size, length);
    size += length;
    lengths[count++] = length;
  }

  /** Messages added since the last {@link #clear()}. */
  public int count() {
    return count;
  }

  /** Bytes of the messages added since the last {@link #clear()}. */
  public int size() {
    return size;
  }

  /** Forgets the messages added so far. Keeps the buffers. */
  public void clear() {
    count = 0;
    size = 0;
  }

  /**
   * The body of the messages added so far. Equal messages in equal order give equal bodies.
   *
   * @throws IllegalStateException where there is none
   */
  public EncodedBatch encode() {
    if (count == 0) {
      throw new IllegalStateException("a batch holds at least one message");
    }
    byte[] plain = new byte[HEADER_BYTES + count * MAX_VARINT_BYTES + size];
    int at = HEADER_BYTES;
    for (int i = 0; i < count; i++) {
      at = putVarint(plain, at, lengths[i]);
    }
    System.arraycopy(data, 0, plain, at, size);
    int end = at + size;
    putHeader(plain, end);
    if (compress && end >= COMPRESS_FROM_BYTES) {
      byte[] compressed = compressor().compress(Arrays.copyOf(plain, end));
      if (compressed.length < end - end / 8) {
        return new EncodedBatch(compressed, ContentEncoding.ZSTD, count);
      }
    }
    return new EncodedBatch(Arrays.copyOf(plain, end), ContentEncoding.IDENTITY, count);
  }

  private void putHeader(byte[] plain, int end) {
    ByteBuffer header = ByteBuffer.wrap(plain);
    header.put((byte) 'D').put((byte) 'L').put(VERSION);
    header.put((byte) (senderPrefixed ? SENDER_PREFIXED : 0));
    header.putInt(0).putInt(count).putInt(size);
    CRC32C crc = new CRC32C();
    crc.update(plain, CRC_FROM, end - CRC_FROM);
    header.putInt(4, (int) crc.getValue());
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
