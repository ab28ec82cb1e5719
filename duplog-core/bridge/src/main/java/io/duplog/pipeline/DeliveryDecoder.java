package io.duplog.pipeline;

import io.duplog.dedup.Claim;
import io.duplog.dedup.Digester;
import io.duplog.deliver.DeliveryRequest;
import io.duplog.observe.Counters;
import io.duplog.observe.End;
import io.duplog.observe.StreamCounters;
import io.duplog.observe.Trouble;
import io.duplog.receive.Delivery;
import io.duplog.wire.BatchDecoder;
import io.duplog.wire.ContentEncoding;
import io.duplog.wire.Envelope;
import io.duplog.wire.Heartbeat;
import io.duplog.wire.MalformedBatchException;
import io.duplog.wire.MessageBatch;
import io.duplog.wire.NewerBatchException;
import java.util.List;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decodes a RabbitMQ delivery into a batch of messages, or stores it as a dead letter if that is
 * impossible. The batch is an {@link InFlightBatch}. Thread-safe.
 */
public final class DeliveryDecoder {
  private static final Logger log = LoggerFactory.getLogger(DeliveryDecoder.class);

  private final BatchDecoder decoder;
  private final Digester digester;
  private final List<String> streams;
  private final int parts;
  private final ToLongFunction<String> unmatchedUntilMillis;
  private final Counters counters;
  private final Observer observer;
  private final LongSupplier wallMillis;
  private final Trouble heartbeatWarning = new Trouble(log, "heartbeats", System::nanoTime);

  /**
   * @param streams the streams' names in the bridge's order
   * @param parts number of the ledger's parts, which is one or the number of queues of each stream
   * @param unmatchedUntilMillis returns the time of publication, in milliseconds since the epoch,
   *     up to which a stream's messages can no longer be matched
   */
  public DeliveryDecoder(
      BatchDecoder decoder,
      Digester digester,
      List<String> streams,
      int parts,
      ToLongFunction<String> unmatchedUntilMillis,
      Counters counters,
      Observer observer,
      LongSupplier wallMillis) {
    this.decoder = decoder;
    this.digester = digester;
    this.streams = streams;
    this.parts = parts;
    this.unmatchedUntilMillis = unmatchedUntilMillis;
    this.counters = counters;
    this.observer = observer;
    this.wallMillis = wallMillis;
  }

  /**
   * Processes and settles the delivery if it is a heartbeat. Never waits, because a heartbeat shows
   * that the path works even while this bridge is busy.
   *
   * @return whether it was a heartbeat
   */
  boolean takeHeartbeat(Delivery delivery) {
    if (!Heartbeat.CONTENT_TYPE.equals(delivery.contentType())) {
      return false;
    }
    Heartbeat heartbeat = Heartbeat.decode(delivery.body());
    if (heartbeat == null) {
      counters.of(delivery.stream()).strangeHeartbeats.increment();
      heartbeatWarning.occurred(
          "A body on stream "
              + delivery.stream()
              + " claims to be a heartbeat but is not one. It is ignored. Check what publishes"
              + " to the queue.");
    } else {
      counters.of(delivery.stream()).heartbeats.increment();
      observer.beat(delivery.stream(), heartbeat);
    }
    delivery.settle();
    return true;
  }

  /**
   * Returns the batch to judge, or null if there is none. A delivery that can't be decoded becomes
   * a dead letter. A batch of a newer version goes back to the broker.
   */
  @Nullable InFlightBatch take(Delivery delivery, Pipeline pipeline) {
    String unusableReason = delivery.unusableReason();
    if (unusableReason != null) {
      return deadLetter(delivery, unusableReason);
    }
    try {
      InFlightBatch inFlight =
          Envelope.CONTENT_TYPE.equals(delivery.contentType())
              ? takeBatch(delivery, pipeline)
              : takePlain(delivery, pipeline);
      MessageBatch batch = inFlight.batch();
      delivery.decoded(DeliveryRequest.memoryOf(batch));
      StreamCounters counts = counters.of(delivery.stream());
      counts.receivedBatches.increment();
      counts.received.add(batch.count());
      countLate(delivery, batch, counts);
      observer.arrived(delivery.stream());
      return inFlight;
    } catch (NewerBatchException e) {
      delivery.giveBack(String.valueOf(e.getMessage())); // not received, so that no count has it
      return null;
    } catch (MalformedBatchException e) {
      return deadLetter(delivery, String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      log.error(
          "A body of stream {} could not be decoded. It becomes a dead letter.",
          delivery.stream(),
          e);
      return deadLetter(delivery, "decoder failed: " + e);
    }
  }

  private @Nullable InFlightBatch deadLetter(Delivery delivery, String reason) {
    StreamCounters counts = counters.of(delivery.stream());
    counts.received.increment();
    counts.add(End.DEAD_LETTERED, 1);
    delivery.deadLetter(reason);
    return null;
  }

  private InFlightBatch takeBatch(Delivery delivery, Pipeline pipeline)
      throws MalformedBatchException {
    String id = delivery.messageId();
    if (id == null || !Envelope.isValidId(id)) {
      throw new MalformedBatchException("batch without a usable message-id");
    }
    MessageBatch batch =
        decoder.decode(delivery.body(), ContentEncoding.of(delivery.contentEncoding()));
    long statedStream = delivery.header(Envelope.COUNT_HEADER, batch.count());
    if (statedStream != batch.count()) {
      throw new MalformedBatchException(
          "batch of " + batch.count() + " messages, but its header says " + statedStream);
    }
    return inFlight(delivery, batch, id, namesItsStream(delivery, batch), pipeline);
  }

  /**
   * Whether the batch names the stream that it came on. Otherwise it is not counted, because under
   * two names a sender's repeated messages would count as the copies of two streams.
   */
  private boolean namesItsStream(Delivery delivery, MessageBatch batch) {
    String stream = delivery.stream();
    String statedStream = delivery.statedStream();
    if (statedStream == null || statedStream.equals(stream)) {
      observer.named(stream);
      return true;
    }
    counters.of(stream).misnamed.add(batch.count());
    observer.misnamed(stream, statedStream);
    return false;
  }

  /**
   * Treats a body that no shim published as one message. Such a body has no batch id, so a
   * redelivery can't be distinguished from the first delivery. A redelivered body passes through,
   * because it might otherwise be counted twice.
   */
  private InFlightBatch takePlain(Delivery delivery, Pipeline pipeline)
      throws MalformedBatchException {
    if (ContentEncoding.of(delivery.contentEncoding()) != ContentEncoding.IDENTITY) {
      throw new MalformedBatchException("compressed body that is not a batch");
    }
    MessageBatch batch = decoder.decodePlain(delivery.body());
    return inFlight(
        delivery, batch, "plain-" + UUID.randomUUID(), !delivery.redelivered(), pipeline);
  }

  private InFlightBatch inFlight(
      Delivery delivery, MessageBatch batch, String id, boolean countable, Pipeline pipeline) {
    Claim claim = new Claim(id, streams.indexOf(delivery.stream()), digester.digest(batch));
    long published = delivery.header(Envelope.PUBLISHED_HEADER, wallMillis.getAsLong());
    return new InFlightBatch(
        pipeline,
        delivery,
        counters.of(delivery.stream()),
        batch,
        claim,
        countable && delivery.onlySink() == null,
        published,
        parts == 1 ? 0 : delivery.queue());
  }

  private void countLate(Delivery delivery, MessageBatch batch, StreamCounters counts) {
    long published = delivery.header(Envelope.PUBLISHED_HEADER, Long.MAX_VALUE);
    if (published <= unmatchedUntilMillis.applyAsLong(delivery.stream())) {
      counts.late.add(batch.count());
    }
  }
}
