package io.duplog.wire;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that the decoder reads every batch that the encoder writes, and refuses forged bodies
 * before it allocates memory for them. A fuzz test in benchmark covers arbitrary bytes.
 */
class BatchDecoderTest {
  private static final BatchLimits LIMITS = new BatchLimits(1 << 20, 4096, 100, 1000);

  @ParameterizedTest
  @CsvSource({
    "1, 0, false", "1, 127, false", "1, 128, true", "3, 16383, true", "2, 16384, false",
    "1023, 60, true", "1024, 60, true", "1025, 60, false", "5000, 90, true", "1, 300000, true"
  })
  void decode_encodedBatchOfAnySize_returnsTheSameMessages(
      int count, int maxLength, boolean compress) throws MalformedBatchException {
    try (BatchEncoder encoder = new BatchEncoder(MessageForm.SENDER_AND_TEXT, compress)) {
      // Runs twice, because the encoder reuses its buffers.
      for (int seed = 1; seed <= 2; seed++) {
        List<byte[]> messages = messages(count, maxLength, seed);
        EncodedBatch batch = encoded(encoder, messages);
        assertThat(batch.count()).isEqualTo(count);
        MessageBatch decoded =
            new BatchDecoder(BatchLimits.DEFAULT).decode(batch.body(), batch.encoding());
        assertThat(decoded.form()).isEqualTo(MessageForm.SENDER_AND_TEXT);
        assertThat(decoded.count()).isEqualTo(count);
        for (int i = 0; i < count; i++) {
          assertThat(Arrays.copyOfRange(decoded.data(), decoded.start(i), decoded.end(i)))
              .isEqualTo(messages.get(i));
        }
      }
    }
  }

  @Test
  void encode_equalMessagesAfterBufferGrew_returnsEqualBody() {
    try (BatchEncoder encoder = new BatchEncoder(MessageForm.TEXT, false)) {
      byte[] before = encoded(encoder, messages(700, 100, 1)).body();
      encoded(encoder, messages(9000, 100, 2));
      assertThat(encoded(encoder, messages(700, 100, 1)).body()).isEqualTo(before);
    }
  }

  @Test
  void encode_laterBatches_doNotChangeEarlierBody() {
    try (BatchEncoder encoder = new BatchEncoder(MessageForm.TEXT, true)) {
      byte[] text = "<13>Nov 21 10:00:00 web-1 app: ".repeat(100).getBytes(US_ASCII);
      EncodedBatch first = encoded(encoder, List.of(text));
      byte[] copy = first.body().clone();
      encoded(encoder, messages(600, 500, 3));
      assertThat(first.body()).isEqualTo(copy);
    }
  }

  @Test
  void decode_bodyBeyondLimitsOrWithoutSize_isRefused() {
    byte[] bomb = Zstd.compress(new byte[64 << 20]);
    assertRefused(bomb, ContentEncoding.ZSTD, "the limit is 4096");
    assertRefused(Arrays.copyOf(Zstd.compress(new byte[100]), 12), ContentEncoding.ZSTD, "zstd");
    assertRefused(batch(1, 5), ContentEncoding.ZSTD, "not a zstd frame");
    assertRefused(batch(101, 1), ContentEncoding.IDENTITY, "batch of 101 messages");
    assertRefused(batch(1, 1001), ContentEncoding.IDENTITY, "message of 1001 bytes");
    assertRefused(new byte[(1 << 20) + 1], ContentEncoding.IDENTITY, "body of 1048577 bytes");
  }

  /**
   * The batch has two messages of at most ten bytes. The test overwrites four bytes at an offset
   * with another number.
   */
  @ParameterizedTest
  @CsvSource({
    "8, 2147483647, batch of 2147483647 messages",
    "8, 0, batch of 0 messages",
    "8, -1, batch of -1 messages",
    "8, 100, batch is shorter than its header says",
    "12, 2147483647, batch is shorter than its header says",
    "12, -1, batch is shorter than its header says",
    "12, 0, message 0 reaches past the end",
    "16, -1, table of lengths is torn",
  })
  void decode_forgedNumber_isRefusedBeforeAllocation(int offset, int number, String reason) {
    byte[] body = batch(2, 10);
    ByteBuffer.wrap(body).putInt(offset, number);
    assertRefused(body, ContentEncoding.IDENTITY, "checksum mismatch");

    CRC32C checksum = new CRC32C();
    checksum.update(body, BatchEncoder.CRC_OFFSET, body.length - BatchEncoder.CRC_OFFSET);
    ByteBuffer.wrap(body).putInt(4, (int) checksum.getValue());
    assertRefused(body, ContentEncoding.IDENTITY, reason);
  }

  @Test
  void decode_events_returnsHeadIdentityAndText() throws MalformedBatchException {
    EventHead full =
        new EventHead("1.5", "web 1", "s", "t", "i", "\"a\":1", EventHead.Content.JSON);
    EventHead empty = new EventHead(null, null, null, null, null, null, EventHead.Content.TEXT);
    EncodedBatch batch = events(List.of(event(full, 'x', "web_1 {}"), event(empty, 'y', " m n")));

    MessageBatch decoded =
        new BatchDecoder(BatchLimits.DEFAULT).decode(batch.body(), batch.encoding());

    assertThat(decoded.form()).isEqualTo(MessageForm.EVENT);
    assertThat(decoded.eventHead(0)).isEqualTo(full);
    assertThat(decoded.eventHead(1)).isEqualTo(empty);
    assertThat(decoded.sender(0)).isEqualTo("web_1");
    assertThat(decoded.sender(1)).isNull();
    assertThat(decoded.data()[decoded.eventIdentityStart(1) + 15]).isEqualTo((byte) 'y');
    assertThat(text(decoded, 0)).isEqualTo("{}");
    assertThat(text(decoded, 1)).isEqualTo("m n");
  }

  /** Every cut of a head is refused before anybody reads it. */
  @Test
  void decode_tornHeads_areRefused() {
    byte[] event =
        event(
            new EventHead("1", "h", null, null, null, null, EventHead.Content.LINE), 'x', "h text");
    for (int length = 0; length < event.length - "h text".length(); length++) {
      EncodedBatch batch = events(List.of(Arrays.copyOf(event, length)));
      assertRefused(batch.body(), batch.encoding(), "an event's head is torn");
    }
    byte[] strange = new String(event, US_ASCII).replace("LINE", "NONE").getBytes(US_ASCII);
    EncodedBatch batch = events(List.of(strange));
    assertRefused(batch.body(), batch.encoding(), "content is of an unknown kind");
  }

  /** The bridge computes with the time, and puts it into its requests as it is. */
  @ParameterizedTest
  @CsvSource({"''", "x", "1e9", "1.", "-", "'1,\"host\":1'"})
  void decode_timeThatIsNoNumber_isRefused(String time) {
    EventHead head = new EventHead(time, null, null, null, null, null, EventHead.Content.TEXT);
    EncodedBatch batch = events(List.of(event(head, 'x', " m")));
    assertRefused(batch.body(), batch.encoding(), "an event's time is no number");
  }

  /** A bridge gives such a batch back, so nothing else may look like one. */
  @ParameterizedTest
  @CsvSource({"3, true", "255, true", "0, false"})
  void decode_otherVersion_isNewer_ifItsNumberIsGreaterAndTheBodyIntact(
      int version, boolean newer) {
    byte[] body = batch(2, 40);
    body[2] = (byte) version;
    BatchDecoder decoder = new BatchDecoder(LIMITS);

    assertThatThrownBy(() -> decoder.decode(body, ContentEncoding.IDENTITY))
        .isInstanceOf(newer ? NewerBatchException.class : MalformedBatchException.class)
        .hasMessageContaining("batch of version " + version + ", the ");

    body[body.length - 1] ^= 1;
    assertRefused(body, ContentEncoding.IDENTITY, "checksum mismatch");
  }

  /** A bridge that knows version 1 alone must not take a head for text. */
  @Test
  void encode_events_haveAnotherVersion() {
    byte[] event = new byte[40];
    event[0] = 16;
    assertThat(events(List.of(event)).body()[2]).isEqualTo((byte) 2);
    assertThat(batch(1, 5)[2]).isEqualTo((byte) 1);
  }

  private static byte[] event(EventHead head, char identity, String senderAndText) {
    byte[] bytes = new byte[EventHead.IDENTITY_BYTES];
    Arrays.fill(bytes, (byte) identity);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    head.write(bytes, out);
    out.writeBytes(senderAndText.getBytes(US_ASCII));
    return out.toByteArray();
  }

  private static EncodedBatch events(List<byte[]> events) {
    try (BatchEncoder encoder = new BatchEncoder(MessageForm.EVENT, false)) {
      return encoded(encoder, events);
    }
  }

  private static String text(MessageBatch batch, int i) {
    return new String(
        batch.data(), batch.textStart(i), batch.end(i) - batch.textStart(i), US_ASCII);
  }

  private static void assertRefused(byte[] body, ContentEncoding encoding, String reason) {
    assertThatThrownBy(() -> new BatchDecoder(LIMITS).decode(body, encoding))
        .isInstanceOf(MalformedBatchException.class)
        .hasMessageContaining(reason);
  }

  private static byte[] batch(int count, int maxLength) {
    try (BatchEncoder encoder = new BatchEncoder(MessageForm.SENDER_AND_TEXT, false)) {
      return encoded(encoder, messages(count, maxLength, 1)).body();
    }
  }

  private static EncodedBatch encoded(BatchEncoder encoder, List<byte[]> messages) {
    encoder.clear();
    messages.forEach(message -> encoder.add(message, 0, message.length));
    return encoder.encode();
  }

  /**
   * Returns messages, the longest first, so that a buffer grows immediately. They compress well,
   * because their alphabet is small.
   */
  private static List<byte[]> messages(int count, int maxLength, int seed) {
    Random random = new Random(seed);
    List<byte[]> messages = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] message = new byte[i == 0 ? maxLength : random.nextInt(maxLength + 1)];
      for (int j = 0; j < message.length; j++) {
        message[j] = (byte) ('a' + random.nextInt(7));
      }
      messages.add(message);
    }
    return messages;
  }
}
