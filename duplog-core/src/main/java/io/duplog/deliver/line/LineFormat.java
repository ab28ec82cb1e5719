package io.duplog.deliver.line;

import io.duplog.deliver.Payload;
import io.duplog.wire.MessageBatch;

/** What of a message becomes a line. */
public enum LineFormat {
  /** The message as the sender wrote it. */
  MESSAGE,
  /** The sender's address, a space, and the message; the message alone where no sender is known. */
  SENDER_AND_MESSAGE;

  /** Offset of the line in the batch's data. */
  int start(MessageBatch batch, int message) {
    return switch (this) {
      case MESSAGE -> batch.textStart(message);
      case SENDER_AND_MESSAGE -> batch.start(message);
    };
  }

  /** How messages stand in the output. */
  public Payload payload() {
    LineBuffer line = new LineBuffer(0);
    return (delivery, message) -> {
      MessageBatch batch = delivery.batch();
      line.start();
      line.add(batch.data(), start(batch, message), batch.end(message));
      line.finish();
      byte[] bytes = new byte[line.bytes().remaining() - 1];
      line.bytes().get(bytes);
      return bytes;
    };
  }
}
