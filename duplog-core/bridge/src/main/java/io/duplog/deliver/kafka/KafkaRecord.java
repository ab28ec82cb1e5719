package io.duplog.deliver.kafka;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.duplog.deliver.DeliveryRequest;
import io.duplog.deliver.Payload;
import java.util.Locale;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * A message on its way as a record.
 *
 * @param producer the producer that sends the record
 * @param suspect null unless the record belongs to a trial of suspects
 */
record KafkaRecord(
    Producer<byte[], byte[]> producer,
    PendingRequest request,
    int message,
    String topic,
    Suspects.@Nullable Suspect suspect) {
  private static final byte[] REDELIVERED = "redelivered".getBytes(UTF_8);
  private static final byte[] UNACKNOWLEDGED = "unacknowledged".getBytes(UTF_8);

  /** Returns the record with its key, value and headers. */
  ProducerRecord<byte[], byte[]> withContent(Payload payload) {
    DeliveryRequest delivery = request.delivery();
    String sender = delivery.batch().sender(message);
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(
            topic,
            sender == null ? null : sender.getBytes(ISO_8859_1),
            payload.of(delivery, message));
    Headers headers = record.headers();
    headers.add("stream", delivery.stream().getBytes(UTF_8));
    headers.add("digest", delivery.digests().apply(message).getBytes(UTF_8));
    headers.add("dedup", delivery.passage().name().toLowerCase(Locale.ROOT).getBytes(UTF_8));
    if (request.isResent(message)) {
      headers.add("resent", UNACKNOWLEDGED);
    } else if (delivery.origin().isRedelivered()) {
      headers.add("resent", REDELIVERED);
    }
    return record;
  }
}
