package io.duplog.simulate;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.duplog.amqp.BatchProperties;
import io.duplog.wire.BatchEncoder;
import io.duplog.wire.EncodedBatch;
import io.duplog.wire.Envelope;
import io.duplog.wire.MessageForm;
import io.duplog.wire.Topology;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Simulates the shims of all nodes: gathers messages into batches and publishes them to the
 * simulated brokers.
 */
final class Shims {
  private static final int LINGER = 50_000_000;
  private static final String ANEW = "-anew";
  private static final long AGAIN = TimeUnit.MILLISECONDS.toNanos(500);

  private record Batch(String host, String id, List<Message> messages, EncodedBatch encoded) {}

  private final World world;
  private final BatchEncoder encoder = new BatchEncoder(MessageForm.SENDER_AND_TEXT, false);
  private final Map<String, List<Message>> gathered = new LinkedHashMap<>();
  private int batches;
  private int unpublished;

  Shims(World world) {
    this.world = world;
  }

  /**
   * Whether a message is in a batch that rsyslog has sent as another one.
   *
   * @param place the message's place in a batch, which begins with the batch's id
   */
  static boolean isSentAnew(String place) {
    return place.contains(ANEW);
  }

  /** Whether no shim has a message left to publish. */
  boolean areIdle() {
    return unpublished == 0;
  }

  void send(Scenario.Sending sending) {
    send(sending, world.scenario.lagNanos[0], world.scenario.lagNanos[1]);
  }

  /** Sends a message, which each stream brings after its own lag. */
  void send(Scenario.Sending sending, long firstLagNanos, long secondLagNanos) {
    world.arrivals.expect(sending.message());
    if (sending.reachesFirst()) {
      gather("a", firstLagNanos, sending.message());
    }
    if (sending.reachesSecond()) {
      gather("b", secondLagNanos, sending.message());
    }
    if (world.scenario.names == Scenario.Names.SHARED_PREFIX) {
      gather(SimulatedBroker.FOREIGN + "a", secondLagNanos, sending.message());
      gather(SimulatedBroker.FOREIGN + "b", firstLagNanos, sending.message());
    }
  }

  private void gather(String host, long lagNanos, Message message) {
    List<Message> batch = gathered.computeIfAbsent(host, none -> new ArrayList<>());
    batch.add(message);
    unpublished++;
    if (batch.size() >= world.scenario.batchSize) {
      flush(host);
    } else if (batch.size() == 1) {
      world.timeline.after(lagNanos + world.random.nextInt(LINGER), () -> flush(host));
    }
  }

  private void flush(String host) {
    List<Message> messages = gathered.remove(host);
    if (messages == null) {
      return;
    }
    for (Message message : messages) {
      byte[] bytes = (message.sender() + " " + message.text()).getBytes(US_ASCII);
      encoder.add(bytes, 0, bytes.length);
    }
    EncodedBatch encoded = encoder.encode();
    encoder.clear();
    publish(new Batch(host, "batch-" + host + "-" + batches++, messages, encoded));
  }

  private void publish(Batch batch) {
    SimulatedBroker broker = world.broker(batch.host());
    if (broker.burned) {
      unpublished -= batch.messages().size(); // the shim is lost, too
    } else if (!broker.takesFromShims()) {
      world.timeline.after(AGAIN, () -> publish(batch));
    } else {
      world.note(batch.host(), "confirms", batch.id(), batch.messages());
      unpublished -= batch.messages().size();
      if (broker.isForeign()) {
        store(broker, batch, batch.id());
        return;
      }
      long now = world.timeline.nanos();
      batch.messages().forEach(message -> message.confirmed(batch.host(), now));
      store(broker, batch, batch.id());
      if (world.takes(Fault.BATCH_REPEATED)) {
        repeat(batch, batch.id());
      }
      if (world.takes(Fault.BATCH_SENT_ANEW)) {
        batch.messages().forEach(message -> message.sentAnew++);
        repeat(batch, batch.id() + ANEW);
      }
    }
  }

  private void repeat(Batch batch, String id) {
    SimulatedBroker broker = world.broker(batch.host());
    world.timeline.after(
        world.latency(),
        () -> {
          if (broker.takesFromShims()) {
            store(broker, batch, id);
          }
        });
  }

  private void store(SimulatedBroker broker, Batch batch, String id) {
    EncodedBatch encoded = batch.encoded();
    String stream = batch.host().replace(SimulatedBroker.FOREIGN, "");
    Envelope envelope =
        new Envelope(id, stream, encoded.count(), world.wallMillis(), encoded.encoding());
    broker.store(Topology.DEFAULT_QUEUE, BatchProperties.of(envelope, true), encoded.body());
  }

  void close() {
    encoder.close();
  }
}
