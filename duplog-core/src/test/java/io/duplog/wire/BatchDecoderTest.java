package io.duplog.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Bodies that a hostile node makes. That none of any kind is trusted is fuzzed in benchmark. */
class BatchDecoderTest {
  private static final BatchLimits LIMITS = new BatchLimits(1 << 20, 4096, 100, 1000);

  private final BatchDecoder decoder = new BatchDecoder(LIMITS);

  private void assertRefused(byte[] body, ContentEncoding encoding, String reason) {
    assertThatThrownBy(() -> decoder.decode(body, encoding))
        .isInstanceOf(MalformedBatchException.class)
        .hasMessageContaining(reason);
  }

  private static byte[] batch(int messages, int length) {
    try (BatchEncoder encoder = new BatchEncoder(true, false)) {
      byte[] message = "a".repeat(length).getBytes(ISO_8859_1);
      for (int i = 0; i < messages; i++) {
        encoder.add(message, 0, message.length);
      }
      return encoder.encode().body();
    }
  }

  @Test
  void compressedBody_thatWouldBecomeTooLarge_isRefusedBeforeItDoes() {
    byte[] bomb = Zstd.compress(new byte[64 << 20]);

    assertRefused(bomb, ContentEncoding.ZSTD, "the limit is 4096");
  }

  @Test
  void compressedBody_thatHidesItsSize_isRefused() {
    assertRefused(Arrays.copyOf(Zstd.compress(new byte[100]), 12), ContentEncoding.ZSTD, "zstd");
    assertRefused(batch(1, 5), ContentEncoding.ZSTD, "not a zstd frame");
  }

  @Test
  void limits_ofMessagesAndTheirLength_hold() {
    assertRefused(batch(101, 1), ContentEncoding.IDENTITY, "batch of 101 messages");
    assertRefused(batch(1, 1001), ContentEncoding.IDENTITY, "message of 1001 bytes");
    assertRefused(new byte[(1 << 20) + 1], ContentEncoding.IDENTITY, "body of 1048577 bytes");
  }

  @Test
  void countThatTheBodyDoesNotHold_takesNoMemory() {
    byte[] body = batch(2, 10);
    ByteBuffer.wrap(body).putInt(8, Integer.MAX_VALUE);

    assertRefused(body, ContentEncoding.IDENTITY, "checksum mismatch");
  }
}
