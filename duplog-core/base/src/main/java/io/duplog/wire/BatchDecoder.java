package io.duplog.wire;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Decodes the AMQP body of a batch into its messages, and refuses forged or damaged bodies. Does
 * not trust the body: checks every length before it allocates memory. Thread-safe.
 *
 * @param newestVersion newest version of a batch that is read
 */
public record BatchDecoder(BatchLimits limits, int newestVersion) {

  /** Returns a decoder of all versions that this program knows. */
  public BatchDecoder(BatchLimits limits) {
    this(limits, BatchEncoder.EVENT_VERSION);
  }

  /**
   * Returns the body of a publisher other than a shim as a batch of one message.
   *
   * @throws MalformedBatchException if the body is longer than a message may be
   */
  public MessageBatch decodePlain(byte[] body) throws MalformedBatchException {
    if (body.length > limits.maxMessageBytes()) {
      throw tooLong(body.length);
    }
    return MessageBatch.ofPlainBody(body);
  }

  /**
   * Returns the messages of a batch's body.
   *
   * @param body the AMQP body; the result may refer to this array
   * @param encoding how the body is compressed
   * @throws NewerBatchException if the body is intact and of a newer version than is known
   * @throws MalformedBatchException if the body is truncated, too large, of no version that ever
   *     was or does not match its own header
   */
  public MessageBatch decode(byte[] body, ContentEncoding encoding) throws MalformedBatchException {
    if (body.length > limits.maxBodyBytes()) {
      throw new MalformedBatchException(
          "body of " + body.length + " bytes, the limit is " + limits.maxBodyBytes());
    }
    if (body.length == 0) {
      throw new MalformedBatchException("no batch header");
    }
    byte[] uncompressed =
        switch (encoding) {
          case IDENTITY -> body;
          case ZSTD -> decompress(body);
        };
    return parseUncompressed(uncompressed);
  }

  private byte[] decompress(byte[] body) throws MalformedBatchException {
    long size = Zstd.getFrameContentSize(body);
    if (size <= 0) {
      throw new MalformedBatchException("not a zstd frame that states its size");
    }
    requireBatchBytes(size);
    byte[] uncompressed = new byte[(int) size];
    long written;
    try {
      written =
          Zstd.decompressByteArray(uncompressed, 0, uncompressed.length, body, 0, body.length);
    } catch (ZstdException e) {
      throw new MalformedBatchException("zstd: " + e.getMessage());
    }
    if (Zstd.isError(written) || written != size) {
      throw new MalformedBatchException(
          Zstd.isError(written)
              ? "zstd: " + Zstd.getErrorName(written)
              : "zstd frame states " + size + " bytes and holds " + written);
    }
    return uncompressed;
  }

  private void requireBatchBytes(long size) throws MalformedBatchException {
    if (size > limits.maxBatchBytes()) {
      throw new MalformedBatchException(
          "batch of " + size + " bytes, the limit is " + limits.maxBatchBytes());
    }
  }

  private MessageBatch parseUncompressed(byte[] uncompressed) throws MalformedBatchException {
    requireBatchBytes(uncompressed.length);
    if (uncompressed.length < BatchEncoder.HEADER_BYTES
        || uncompressed[0] != 'D'
        || uncompressed[1] != 'L') {
      throw new MalformedBatchException("no batch header");
    }
    ByteBuffer header = ByteBuffer.wrap(uncompressed);
    CRC32C crc = new CRC32C();
    crc.update(
        uncompressed, BatchEncoder.CRC_OFFSET, uncompressed.length - BatchEncoder.CRC_OFFSET);
    if (header.getInt(4) != (int) crc.getValue()) {
      throw new MalformedBatchException("checksum mismatch");
    }
    int version = uncompressed[2] & 0xff;
    if (version < BatchEncoder.VERSION) {
      throw new MalformedBatchException("batch of version " + version + ", the first is 1");
    }
    if (version > newestVersion) {
      throw new NewerBatchException(version, newestVersion);
    }
    int count = header.getInt(8);
    int total = header.getInt(12);
    if (count < 1 || count > limits.maxMessages()) {
      throw new MalformedBatchException(
          "batch of " + count + " messages, the limits are 1 and " + limits.maxMessages());
    }
    if (total < 0 || (long) count + total > uncompressed.length - BatchEncoder.HEADER_BYTES) {
      throw new MalformedBatchException("batch is shorter than its header says");
    }
    int[] bounds = bounds(uncompressed, count, total);
    if (version == BatchEncoder.EVENT_VERSION) {
      for (int i = 0; i < count; i++) {
        EventHead.check(uncompressed, bounds[i], bounds[i + 1]);
      }
      return new MessageBatch(uncompressed, bounds, MessageForm.EVENT);
    }
    boolean senderPrefixed = (uncompressed[3] & BatchEncoder.SENDER_PREFIXED) != 0;
    return new MessageBatch(uncompressed, bounds, MessageForm.ofText(senderPrefixed));
  }

  /**
   * Reads the table of message lengths and returns the offsets of the messages. The lengths must
   * add up to exactly the rest of the body.
   */
  private int[] bounds(byte[] uncompressed, int count, int total) throws MalformedBatchException {
    int[] bounds = new int[count + 1];
    int position = BatchEncoder.HEADER_BYTES;
    int firstMessage = uncompressed.length - total;
    int end = firstMessage;
    bounds[0] = firstMessage;
    for (int i = 0; i < count; i++) {
      int length = 0;
      int shift = 0;
      int next;
      do {
        if (position >= firstMessage || shift > 28) {
          throw new MalformedBatchException("table of lengths is torn");
        }
        next = uncompressed[position++];
        length |= (next & 0x7f) << shift;
        shift += 7;
      } while (next < 0);
      if (length < 0 || length > limits.maxMessageBytes()) {
        throw tooLong(length);
      }
      if (length > uncompressed.length - end) {
        throw new MalformedBatchException("message " + i + " reaches past the end");
      }
      end += length;
      bounds[i + 1] = end;
    }
    if (position != firstMessage || end != uncompressed.length) {
      throw new MalformedBatchException("lengths do not add up to the body");
    }
    return bounds;
  }

  private MalformedBatchException tooLong(int length) {
    return new MalformedBatchException(
        "message of "
            + Integer.toUnsignedString(length)
            + " bytes, the limit is "
            + limits.maxMessageBytes());
  }
}
