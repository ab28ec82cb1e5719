package io.duplog.ingest.publish;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.duplog.wire.BatchEncoder;
import io.duplog.wire.MessageForm;

/** Creates batches for tests of the publisher. */
final class Batches {
  private Batches() {}

  static OutgoingBatch of(String id) {
    return of(id, 0, "10.0.0.1 hello");
  }

  static OutgoingBatch of(String id, int queue, String... messages) {
    try (BatchEncoder encoder = new BatchEncoder(MessageForm.SENDER_AND_TEXT, false)) {
      for (String message : messages) {
        encoder.add(message.getBytes(ISO_8859_1), 0, message.length());
      }
      return OutgoingBatch.of(encoder.encode(), id, "syslog-a", 42, queue);
    }
  }
}
