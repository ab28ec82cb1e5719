package io.duplog.benchmark.fuzz;

import com.google.common.primitives.Bytes;
import io.duplog.wire.BatchDecoder;
import io.duplog.wire.BatchEncoder;
import io.duplog.wire.BatchLimits;
import io.duplog.wire.ContentEncoding;
import io.duplog.wire.MalformedBatchException;
import io.duplog.wire.MessageBatch;
import io.duplog.wire.MessageForm;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Feeds random bytes to the decoder of batches, as one target of the fuzz test. The first byte of
 * an input determines whether the rest is compressed, and whether its checksum is corrected first.
 * Without a correct checksum, almost every input would fail there.
 */
final class WireTarget implements Target {
  private static final BatchLimits LIMITS = new BatchLimits(1 << 16, 1 << 18, 1000, 1 << 14);
  private static final int CHECKSUM_OFFSET = 4;
  private static final int CHECKED_OFFSET = 8;

  private final BatchDecoder decoder = new BatchDecoder(LIMITS);

  @Override
  public List<byte[]> samples() {
    List<byte[]> samples = new ArrayList<>();
    for (boolean hasSenderPrefix : new boolean[] {true, false}) {
      for (boolean isCompressed : new boolean[] {true, false}) {
        try (BatchEncoder encoder =
            new BatchEncoder(MessageForm.ofText(hasSenderPrefix), isCompressed)) {
          for (int i = 0; i < 40; i++) {
            byte[] message =
                ("10.0.0.1 <13>message " + "x".repeat(i * 7)).getBytes(StandardCharsets.US_ASCII);
            encoder.add(message, 0, message.length);
          }
          byte[] first = {(byte) (isCompressed ? 1 : 2)};
          samples.add(Bytes.concat(first, encoder.encode().body()));
        }
      }
    }
    return samples;
  }

  @Override
  public boolean read(byte[] input) throws Exception {
    if (input.length == 0) {
      return false;
    }
    byte[] body = Arrays.copyOfRange(input, 1, input.length);
    boolean isCompressed = (input[0] & 1) != 0;
    if ((input[0] & 2) != 0 && body.length > CHECKED_OFFSET) {
      CRC32C checksum = new CRC32C();
      checksum.update(body, CHECKED_OFFSET, body.length - CHECKED_OFFSET);
      ByteBuffer.wrap(body).putInt(CHECKSUM_OFFSET, (int) checksum.getValue());
    }
    MessageBatch batch;
    try {
      batch = decoder.decode(body, isCompressed ? ContentEncoding.ZSTD : ContentEncoding.IDENTITY);
    } catch (MalformedBatchException e) {
      return false;
    }
    requireWithinLimits(batch);
    return true;
  }

  private static void requireWithinLimits(MessageBatch batch) {
    int end = batch.start(0);
    for (int i = 0; i < batch.count(); i++) {
      boolean isWithinBatch =
          batch.start(i) == end
              && batch.textStart(i) >= batch.start(i)
              && batch.textStart(i) <= batch.end(i)
              && batch.end(i) - batch.start(i) <= LIMITS.maxMessageBytes();
      if (!isWithinBatch) {
        throw new IllegalStateException("message " + i + " lies outside of its batch");
      }
      end = batch.end(i);
    }
    if (end != batch.data().length || batch.count() > LIMITS.maxMessages()) {
      throw new IllegalStateException("the messages do not cover the batch");
    }
  }
}
