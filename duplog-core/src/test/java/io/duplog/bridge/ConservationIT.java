package io.duplog.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP;
import io.duplog.wire.Envelope;
import io.duplog.wire.Topology;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The law of conservation on real servers. */
class ConservationIT extends BridgeBetweenServers {

  @Test
  void metrics_afterFaults_accountForEveryCopy() throws Exception {
    Bridge bridge = start("one", "");
    publish(numbered(0, 100));
    awaitSettled();

    // What can't be decoded, and what the sink refuses.
    streamA.publish(
        new AMQP.BasicProperties.Builder().contentType(Envelope.CONTENT_TYPE).build(), new byte[9]);
    sink.refuse();
    streamA.publish("bad");
    await().until(() -> sink.waiting() == 1);
    sink.refuseForGood("not to its liking");
    sink.accept();
    awaitSettled();

    // A channel that is lost with batches in flight, and one whose batches were delivered.
    sink.refuse();
    streamA.publish(numbered(200, 250));
    streamB.publish(numbered(200, 260));
    await().until(() -> sink.waiting() == 2);
    brokerB.closeConnections("maintenance");
    streamB.close();
    streamB = new TestPublisher(brokerB, "b");
    sink.accept();
    awaitSettled();

    // A batch that a publisher repeats, and a store that is away.
    String id = streamA.publish("x", "y");
    awaitSettled();
    streamA.publishAs(id, "x", "y");
    awaitSettled();
    redis.pause();
    try {
      publish(numbered(300, 310));
      awaitSettled();
    } finally {
      redis.unpause();
    }

    for (String stream : List.of("a", "b")) {
      String label = "{stream=\"" + stream + "\"}";
      await().until(() -> sum(bridge, "duplog_copies_in_flight" + label) == 0);
      double ended =
          Stream.of("dropped", "repeated", "refused", "dead_lettered", "given_back")
              .mapToDouble(end -> sum(bridge, "duplog_copies_" + end + "_total" + label))
              .sum();
      for (String passage : List.of("kept", "bypassed", "released")) {
        ended +=
            sum(
                bridge,
                "duplog_copies_delivered_total{passage=\"%s\",stream=\"%s\"}"
                    .formatted(passage, stream));
      }
      assertThat(ended).isEqualTo(sum(bridge, "duplog_copies_received_total" + label));
    }
    assertThat(sum(bridge, "duplog_copies_delivered_total")).isEqualTo(sink.count());
    assertThat(sum(bridge, "duplog_copies_refused_total")).isEqualTo(1);
    assertThat(sum(bridge, "duplog_copies_dead_lettered_total")).isEqualTo(1);
    assertThat(sum(bridge, "duplog_copies_repeated_total")).isGreaterThanOrEqualTo(2);
    assertThat(sum(bridge, "duplog_copies_given_back_total")).isPositive();
    assertThat(sum(bridge, "duplog_copies_delivered_total{passage=\"bypassed\",stream=\"a\"}"))
        .isPositive();
    assertThat(sum(bridge, "duplog_store_failures_total")).isPositive();
    assertThat(brokerA.depth(Topology.deadLetterQueue(Topology.DEFAULT_QUEUE))).isEqualTo(2);
    assertThat(sink.counts()).containsEntry("x", 1).containsEntry("y", 1);
  }
}
