package io.duplog.wire;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Encodes messages into the AMQP body of one batch, compressed if that saves space. It copies each
 * byte of a message twice: into a buffer, and from there into the body. The buffer has free space
 * before the first message, for the header and the lengths. Reusable after {@link #clear()}. Close
 * it to free the compressor's native memory. Not thread-safe.
 *
 * @see "docs/decisions/wire.md#batch-format"
 */
public final class BatchEncoder implements AutoCloseable {
  static final int HEADER_BYTES = 16;
  static final int CRC_OFFSET = 8;

  /** Version of a batch of texts. */
  static final byte VERSION = 1;

  /** Version of a batch of events, which a bridge that knows version 1 alone must not read. */
  static final byte EVENT_VERSION = 2;

  static final int SENDER_PREFIXED = 1;

  /**
   * Size of the smallest body that is compressed; compressing a smaller one costs more than it
   * saves.
   */
  static final int MIN_COMPRESSED_BYTES = 512;

  private static final int MAX_VARINT_BYTES = 5;
  private static final int ZSTD_LEVEL = 1;
  private static final int INITIAL_MESSAGES = 1024;
  private static final int INITIAL_BYTES = 64 * 1024;

  private final MessageForm form;
  private final boolean compress;
  private int[] lengths = new int[INITIAL_MESSAGES];
  private int count;

  /**
   * Offset of the first message in {@link #data}, after free space for the longest possible header.
   */
  private int messagesOffset = maxHeaderBytes(INITIAL_MESSAGES);

  private byte[] data = new byte[messagesOffset + INITIAL_BYTES];
  private int messageBytes;
  private byte[] compressedBytes = new byte[0];
  private @Nullable ZstdCompressCtx compressor;

  /**
   * @param form how every added message is built
   * @param compress whether bodies may be compressed if that makes them smaller
   */
  public BatchEncoder(MessageForm form, boolean compress) {
    this.form = form;
    this.compress = compress;
  }

  /** Adds one message by copying its bytes. A message may be empty and may hold any bytes. */
  public void add(byte[] source, int offset, int length) {
    if (count == lengths.length) {
      growFor(count * 2);
    }
    int end = messagesOffset + messageBytes;
    if (length > data.length - end) {
      data = Arrays.copyOf(data, Math.max(data.length * 2, Math.addExact(end, length)));
    }
    System.arraycopy(source, offset, data, end, length);
    messageBytes += length;
    lengths[count++] = length;
  }

  /** Returns the number of messages added since the last {@link #clear()}. */
  public int count() {
    return count;
  }

  /** Returns the total size in bytes of the messages added since the last {@link #clear()}. */
  public int size() {
    return messageBytes;
  }

  /** Removes all messages; the buffers are reused for the next ones. */
  public void clear() {
    count = 0;
    messageBytes = 0;
  }

  /**
   * Returns the body of the messages added so far. Equal messages in the same order produce an
   * equal body.
   *
   * @throws IllegalStateException if there are no messages
   */
  public EncodedBatch encode() {
    if (count == 0) {
      throw new IllegalStateException("a batch holds at least one message");
    }
    int start = messagesOffset - HEADER_BYTES;
    for (int i = 0; i < count; i++) {
      start -= varintBytes(lengths[i]);
    }
    int at = start + HEADER_BYTES;
    for (int i = 0; i < count; i++) {
      at = putVarint(data, at, lengths[i]);
    }
    int end = messagesOffset + messageBytes;
    putHeader(start, end);
    if (compress && end - start >= MIN_COMPRESSED_BYTES) {
      int length = compress(start, end - start);
      if (length < (end - start) - (end - start) / 8) {
        return new EncodedBatch(
            Arrays.copyOf(compressedBytes, length), ContentEncoding.ZSTD, count);
      }
    }
    return new EncodedBatch(Arrays.copyOfRange(data, start, end), ContentEncoding.IDENTITY, count);
  }

  private void growFor(int messages) {
    lengths = Arrays.copyOf(lengths, messages);
    int newMessagesOffset = maxHeaderBytes(messages);
    byte[] newData = new byte[newMessagesOffset + data.length - messagesOffset];
    System.arraycopy(data, messagesOffset, newData, newMessagesOffset, messageBytes);
    data = newData;
    messagesOffset = newMessagesOffset;
  }

  /** Returns the maximum size in bytes of the header and the lengths for a number of messages. */
  public static int maxHeaderBytes(int messages) {
    return HEADER_BYTES + messages * MAX_VARINT_BYTES;
  }

  private void putHeader(int start, int end) {
    ByteBuffer header = ByteBuffer.wrap(data, start, HEADER_BYTES).slice();
    header.put((byte) 'D').put((byte) 'L');
    header.put(form == MessageForm.EVENT ? EVENT_VERSION : VERSION);
    header.put((byte) (form.hasSender() ? SENDER_PREFIXED : 0));
    header.putInt(0).putInt(count).putInt(messageBytes);
    CRC32C crc = new CRC32C();
    crc.update(data, start + CRC_OFFSET, end - start - CRC_OFFSET);
    header.putInt(4, (int) crc.getValue());
  }

  /**
   * Compresses the body into {@link #compressedBytes}, and returns the compressed length in bytes.
   */
  private int compress(int start, int length) {
    int bound = Math.toIntExact(Zstd.compressBound(length));
    if (compressedBytes.length < bound) {
      compressedBytes = new byte[bound];
    }
    return compressor()
        .compressByteArray(compressedBytes, 0, compressedBytes.length, data, start, length);
  }

  private static int varintBytes(int value) {
    return Math.max(1, (38 - Integer.numberOfLeadingZeros(value)) / 7);
  }

  private static int putVarint(byte[] target, int at, int value) {
    int position = at;
    int remainingBits = value;
    while (remainingBits >= 0x80) {
      target[position++] = (byte) (remainingBits | 0x80);
      remainingBits >>>= 7;
    }
    target[position++] = (byte) remainingBits;
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
