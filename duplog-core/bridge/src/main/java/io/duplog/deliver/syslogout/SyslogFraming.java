package io.duplog.deliver.syslogout;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.duplog.deliver.DeliveryRequest;
import io.duplog.deliver.Payload;
import io.duplog.deliver.line.Framing;
import io.duplog.deliver.line.LineBuffer;
import io.duplog.wire.MessageBatch;
import java.io.ByteArrayOutputStream;

/** The method by which a receiver finds the end of a message in the connection. */
public enum SyslogFraming implements Framing {
  /** Each message follows its length, as RFC 5425 and RFC 6587 say. */
  OCTET_COUNTING {
    @Override
    public boolean put(DeliveryRequest delivery, int message, LineBuffer buffer) {
      MessageBatch batch = delivery.batch();
      return buffer.addCounted(
          SyslogHead.of(delivery, message),
          batch.data(),
          batch.textStart(message),
          batch.end(message));
    }

    @Override
    public Payload payload() {
      return OCTET_COUNTING::message;
    }
  },
  /** Each message is a line. A line feed inside it becomes {@code #012}. */
  NEWLINE {
    @Override
    public boolean put(DeliveryRequest delivery, int message, LineBuffer buffer) {
      MessageBatch batch = delivery.batch();
      return buffer.addLine(
          SyslogHead.of(delivery, message),
          batch.data(),
          batch.textStart(message),
          batch.end(message));
    }

    @Override
    public Payload payload() {
      return (delivery, message) ->
          new String(message(delivery, message), ISO_8859_1)
              .replace("\n", LineBuffer.ESCAPED_NEWLINE)
              .getBytes(ISO_8859_1);
    }
  };

  /** Returns a function that encodes a message as it is sent, without its length. */
  public abstract Payload payload();

  byte[] message(DeliveryRequest delivery, int message) {
    MessageBatch batch = delivery.batch();
    int start = batch.textStart(message);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(SyslogHead.of(delivery, message));
    bytes.write(batch.data(), start, batch.end(message) - start);
    return bytes.toByteArray();
  }
}
