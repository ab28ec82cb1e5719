package io.duplog.deliver.hec.event;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.duplog.wire.MessageBatch;
import org.jspecify.annotations.Nullable;

/**
 * What is sent in place of a message that is empty or all white space. Splunk takes no blank events
 * (they would break their whole request), and a sender's logging nothing should be seen, too.
 */
final class BlankMessage {
  private BlankMessage() {}

  /** The text to send, which says how long the message was; null where it is not blank. */
  static byte @Nullable [] text(MessageBatch batch, int message) {
    byte[] data = batch.data();
    int from = batch.textStart(message);
    int to = batch.end(message);
    for (int i = from; i < to; i++) {
      byte b = data[i];
      if (b != ' ' && (b < '\t' || b > '\r')) {
        return null;
      }
    }
    return ("[blank message of " + (to - from) + (to - from == 1 ? " byte]" : " bytes]"))
        .getBytes(US_ASCII);
  }
}
