package io.duplog.wire;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BatchEncoderTest {
  private final BatchDecoder decoder = new BatchDecoder(BatchLimits.DEFAULT);

  @ParameterizedTest
  @CsvSource({
    "1, 0, false", "1, 127, false", "1, 128, true", "3, 16383, true", "2, 16384, false",
    "1023, 60, true", "1024, 60, true", "1025, 60, false", "5000, 90, true", "1, 300000, true"
  })
  void batch_ofAnySize_isDecodedToTheSameMessages(int count, int longest, boolean compress)
      throws MalformedBatchException {
    try (BatchEncoder encoder = new BatchEncoder(true, compress)) {
      // Twice, since the encoder's buffers are used again.
      for (int seed = 1; seed <= 2; seed++) {
        List<byte[]> messages = messages(count, longest, seed);
        encoder.clear();
        messages.forEach(message -> encoder.add(message, 0, message.length));
        EncodedBatch batch = encoder.encode();
        assertThat(batch.count()).isEqualTo(count);
        MessageBatch decoded = decoder.decode(batch.body(), batch.encoding());
        assertThat(decoded.senderPrefixed()).isTrue();
        assertThat(decoded.count()).isEqualTo(count);
        for (int i = 0; i < count; i++) {
          assertThat(Arrays.copyOfRange(decoded.data(), decoded.start(i), decoded.end(i)))
              .isEqualTo(messages.get(i));
        }
      }
    }
  }

  @Test
  void equalMessages_inABufferThatHasGrownMeanwhile_giveAnEqualBody() {
    try (BatchEncoder encoder = new BatchEncoder(false, false)) {
      List<byte[]> messages = messages(700, 100, 1);
      messages.forEach(message -> encoder.add(message, 0, message.length));
      byte[] before = encoder.encode().body();
      encoder.clear();
      messages(9000, 100, 2).forEach(message -> encoder.add(message, 0, message.length));
      encoder.clear();
      messages.forEach(message -> encoder.add(message, 0, message.length));
      assertThat(encoder.encode().body()).isEqualTo(before);
    }
  }

  @Test
  void bodyThatWasGivenAway_isNotTouchedByLaterBatches() {
    try (BatchEncoder encoder = new BatchEncoder(false, true)) {
      byte[] text = "<13>Nov 21 10:00:00 web-1 app: ".repeat(100).getBytes(US_ASCII);
      encoder.add(text, 0, text.length);
      EncodedBatch first = encoder.encode();
      byte[] copy = first.body().clone();
      encoder.clear();
      messages(600, 500, 3).forEach(message -> encoder.add(message, 0, message.length));
      encoder.encode();
      assertThat(first.body()).isEqualTo(copy);
    }
  }

  /** The longest first, so that a buffer grows at once; bytes of a small alphabet compress. */
  private static List<byte[]> messages(int count, int longest, int seed) {
    Random random = new Random(seed);
    List<byte[]> messages = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] message = new byte[i == 0 ? longest : random.nextInt(longest + 1)];
      for (int j = 0; j < message.length; j++) {
        message[j] = (byte) ('a' + random.nextInt(7));
      }
      messages.add(message);
    }
    return messages;
  }
}
