package io.duplog.ingest.hec;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.duplog.ingest.batch.FakePublisher;
import io.duplog.ingest.publish.OutgoingBatch;
import io.duplog.wire.EventHead;
import io.duplog.wire.MessageBatch;
import io.duplog.wire.MessageForm;
import java.util.ArrayList;
import java.util.List;

/** Describes the events that a listener under test has published. */
final class PublishedEvents {
  private PublishedEvents() {}

  /** Returns each published event: sender, time, host, source, sourcetype, index, fields, text. */
  static List<String> of(FakePublisher publisher) {
    List<String> lines = new ArrayList<>();
    for (OutgoingBatch batch : publisher.storedBatches.values()) {
      MessageBatch messages = batch.messages();
      for (int i = 0; messages.form() == MessageForm.EVENT && i < messages.count(); i++) {
        EventHead head = messages.eventHead(i);
        String text =
            new String(
                messages.data(),
                messages.textStart(i),
                messages.end(i) - messages.textStart(i),
                UTF_8);
        lines.add(
            "%s|%s|%s|%s|%s|%s|%s|%s"
                .formatted(
                    messages.sender(i),
                    head.time(),
                    head.host(),
                    head.source(),
                    head.sourcetype(),
                    head.index(),
                    head.fields(),
                    text));
      }
    }
    return lines;
  }
}
