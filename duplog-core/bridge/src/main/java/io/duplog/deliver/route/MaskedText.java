package io.duplog.deliver.route;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.duplog.observe.Json;
import io.duplog.wire.EventHead;
import io.duplog.wire.MessageBatch;
import io.duplog.wire.MessageForm;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A message's text in which masks replace parts. Bytes that are not UTF-8 stay as they are. Not
 * thread-safe.
 */
final class MaskedText {
  /**
   * The character that represents the byte 0x00 in a text. A byte that is not UTF-8 becomes a lone
   * surrogate. UTF-8 can't contain lone surrogates, and masks leave them alone.
   */
  private static final int ESCAPED_BYTE = 0xDC00;

  private final byte[] data;
  private final int start;
  private final int end;

  /** The text with the replacements so far, or null while no mask has been tried. */
  private @Nullable String text;

  private boolean isChanged;

  MaskedText(byte[] data, int start, int end) {
    this.data = data;
    this.start = start;
    this.end = end;
  }

  void apply(List<RoutingConfig.Mask> masks) {
    for (RoutingConfig.Mask mask : masks) {
      if (isChanged || mask.pattern().required().isIn(data, start, end)) {
        String before = text == null ? decoded() : text;
        text = mask.applied(before);
        isChanged |= !text.equals(before);
      }
    }
  }

  /** Returns the text, or null if no mask has changed it. */
  byte @Nullable [] changedBytes() {
    return isChanged && text != null ? encoded(text) : null;
  }

  private String decoded() {
    ByteBuffer bytes = ByteBuffer.wrap(data, start, end - start);
    CharBuffer chars = CharBuffer.allocate(end - start);
    CharsetDecoder decoder = UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPORT);
    CoderResult result = decoder.decode(bytes, chars, true);
    while (result.isError()) {
      for (int i = 0; i < result.length(); i++) {
        chars.put((char) (ESCAPED_BYTE + (bytes.get() & 0xFF)));
      }
      decoder.reset();
      result = decoder.decode(bytes, chars, true);
    }
    return chars.flip().toString();
  }

  private static byte[] encoded(String text) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(text.length() + 16);
    int written = 0;
    for (int i = 0; i < text.length(); i++) {
      if (Character.isHighSurrogate(text.charAt(i))) {
        i++; // UTF-8 makes surrogates only in pairs
      } else if (Character.isLowSurrogate(text.charAt(i))) {
        out.writeBytes(text.substring(written, i).getBytes(UTF_8));
        out.write(text.charAt(i) - ESCAPED_BYTE);
        written = i + 1;
      }
    }
    out.writeBytes(text.substring(written).getBytes(UTF_8));
    return out.toByteArray();
  }

  /**
   * Returns a batch with some texts replaced. Messages that are not to be delivered become empty,
   * so that each message keeps its index.
   *
   * @param texts by the messages' indexes, or null for a message that stays as it is
   */
  static MessageBatch rewritten(MessageBatch batch, BitSet delivered, byte[][] texts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(batch.data().length);
    int[] bounds = new int[batch.count() + 1];
    for (int i = 0; i < batch.count(); i++) {
      byte @Nullable [] text = texts[i];
      if (delivered.get(i) && text == null) {
        out.write(batch.data(), batch.encodedStart(i), batch.end(i) - batch.encodedStart(i));
      } else if (delivered.get(i) && text != null) {
        writeHead(batch, i, text, out);
        out.write(batch.data(), batch.start(i), batch.textStart(i) - batch.start(i));
        out.writeBytes(text);
      }
      bounds[i + 1] = out.size();
    }
    return new MessageBatch(out.toByteArray(), bounds, batch.form());
  }

  /** Writes an event's head. A masked text that is no longer JSON is delivered as a string. */
  private static void writeHead(
      MessageBatch batch, int message, byte[] text, ByteArrayOutputStream out) {
    int begin = batch.encodedStart(message);
    EventHead head = batch.form() == MessageForm.EVENT ? batch.eventHead(message) : null;
    if (head != null && head.content() == EventHead.Content.JSON && !Json.isValue(text)) {
      int identity = batch.eventIdentityStart(message);
      head.with(EventHead.Content.TEXT)
          .write(
              Arrays.copyOfRange(batch.data(), identity, identity + EventHead.IDENTITY_BYTES), out);
    } else {
      out.write(batch.data(), begin, batch.start(message) - begin);
    }
  }
}
