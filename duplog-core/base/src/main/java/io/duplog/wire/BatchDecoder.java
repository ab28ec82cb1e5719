package io.duplog.wire;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Decodes a body into messages. Trusts nothing in the body: every length is checked before memory
 * is allocated for it. Stateless; safe for any thread.
 */
public record BatchDecoder(BatchLimits limits) {

  /**
   * Returns a foreign publisher's body as a batch of one message.
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
   * @throws MalformedBatchException if the body is torn, too large, of an unknown version or does
   *     not match its own header
   */
  public MessageBatch decode(byte[] body, ContentEncoding encoding) throws MalformedBatchException {
    if (body.length > limits.maxBodyBytes()) {
      throw new MalformedBatchException(
          "body of " + body.length + " bytes, the limit is " + limits.maxBodyBytes());
    }
    if (body.length == 0) {
      throw new MalformedBatchException("no batch header");
    }
    byte[] plain =
        switch (encoding) {
          case IDENTITY -> body;
          case ZSTD -> decompress(body);
        };
    return parse(plain);
  }

  private byte[] decompress(byte[] body) throws MalformedBatchException {
    long size = Zstd.getFrameContentSize(body);
    if (size <= 0) {
      throw new MalformedBatchException("not a zstd frame that states its size");
    }
    requireBatchBytes(size);
    byte[] plain = new byte[(int) size];
    long written;
    try {
      written = Zstd.decompressByteArray(plain, 0, plain.length, body, 0, body.length);
    } catch (ZstdException e) {
      throw new MalformedBatchException("zstd: " + e.getMessage());
    }
    if (Zstd.isError(written) || written != size) {
      throw new MalformedBatchException(
          Zstd.isError(written)
              ? "zstd: " + Zstd.getErrorName(written)
              : "zstd frame states " + size + " bytes and holds " + written);
    }
    return plain;
  }

  private void requireBatchBytes(long size) throws MalformedBatchException {
    if (size > limits.maxBatchBytes()) {
      throw new MalformedBatchException(
          "batch of " + size + " bytes, the limit is " + limits.maxBatchBytes());
    }
  }

  private MessageBatch parse(byte[] plain) throws MalformedBatchException {
    requireBatchBytes(plain.length);
    if (plain.length < BatchEncoder.HEADER_BYTES || plain[0] != 'D' || plain[1] != 'L') {
      throw new MalformedBatchException("no batch header");
    }
    if (plain[2] != BatchEncoder.VERSION) {
      throw new MalformedBatchException("batch version " + (plain[2] & 0xff) + ", we know 1");
    }
    ByteBuffer header = ByteBuffer.wrap(plain);
    CRC32C crc = new CRC32C();
    crc.update(plain, BatchEncoder.CRC_FROM, plain.length - BatchEncoder.CRC_FROM);
    if (header.getInt(4) != (int) crc.getValue()) {
      throw new MalformedBatchException("checksum mismatch");
    }
    int count = header.getInt(8);
    int total = header.getInt(12);
    if (count < 1 || count > limits.maxMessages()) {
      throw new MalformedBatchException(
          "batch of " + count + " messages, the limits are 1 and " + limits.maxMessages());
    }
    if (total < 0 || (long) count + total > plain.length - BatchEncoder.HEADER_BYTES) {
      throw new MalformedBatchException("batch is shorter than its header says");
    }
    return new MessageBatch(
        plain, bounds(plain, count, total), (plain[3] & BatchEncoder.SENDER_PREFIXED) != 0);
  }

  /**
   * Reads the table of lengths, which must add up to the rest of the body exactly, and returns the
   * offsets of the messages.
   */
  private int[] bounds(byte[] plain, int count, int total) throws MalformedBatchException {
    int[] bounds = new int[count + 1];
    int at = BatchEncoder.HEADER_BYTES;
    int messagesFrom = plain.length - total;
    int end = messagesFrom;
    bounds[0] = messagesFrom;
    for (int i = 0; i < count; i++) {
      int length = 0;
      int shift = 0;
      int next;
      do {
        if (at >= messagesFrom || shift > 28) {
          throw new MalformedBatchException("table of lengths is torn");
        }
        next = plain[at++];
        length |= (next & 0x7f) << shift;
        shift += 7;
      } while (next < 0);
      if (length < 0 || length > limits.maxMessageBytes()) {
        throw tooLong(length);
      }
      if (length > plain.length - end) {
        throw new MalformedBatchException("message " + i + " reaches past the end");
      }
      end += length;
      bounds[i + 1] = end;
    }
    if (at != messagesFrom || end != plain.length) {
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
