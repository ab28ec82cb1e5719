package io.duplog.deliver.line;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.duplog.deliver.DeliveryRequest;
import io.duplog.deliver.Payload;
import io.duplog.wire.MessageBatch;

/**
 * The content of a message's line in a file or on standard output: the message, with or without its
 * sender's address.
 */
public enum LineFormat implements Framing {
  /** The message as the sender wrote it. */
  MESSAGE,
  /**
   * The sender's address, a space, and the message, or only the message if the sender is not known.
   */
  SENDER_AND_MESSAGE;

  private static final byte[] NO_HEAD = {};

  @Override
  public boolean put(DeliveryRequest delivery, int message, LineBuffer buffer) {
    MessageBatch batch = delivery.batch();
    return buffer.addLine(NO_HEAD, batch.data(), start(batch, message), batch.end(message));
  }

  /** Returns the offset in the batch's data at which a message's line begins. */
  private int start(MessageBatch batch, int message) {
    return switch (this) {
      case MESSAGE -> batch.textStart(message);
      case SENDER_AND_MESSAGE -> batch.start(message);
    };
  }

  /** Returns a function that encodes a message as its line in the output. */
  public Payload payload() {
    return (delivery, message) -> {
      MessageBatch batch = delivery.batch();
      int start = start(batch, message);
      return new String(batch.data(), start, batch.end(message) - start, ISO_8859_1)
          .replace("\n", LineBuffer.ESCAPED_NEWLINE)
          .getBytes(ISO_8859_1);
    };
  }
}
