package io.duplog.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP;
import io.duplog.wire.Envelope;
import io.duplog.wire.Topology;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The law of conservation on real servers, read where Prometheus reads it. */
class ConservationIT extends BridgeBetweenServers {

  @Test
  void metrics_afterFaults_accountForEveryCopy() throws Exception {
    Bridge bridge = start("one", "status: {listen: \"127.0.0.1:0\"}");
    String url = bridge.status().open();
    streamA.publish(numbered(0, 100));
    streamB.publish(numbered(0, 100));
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
      streamA.publish(numbered(300, 310));
      streamB.publish(numbered(300, 310));
      awaitSettled();
    } finally {
      redis.unpause();
    }

    for (String stream : new String[] {"a", "b"}) {
      await().until(() -> value(url, "duplog_copies_in_flight{stream=\"" + stream + "\"}") == 0);
      Map<String, Double> metrics = metrics(url);
      double received = metrics.get("duplog_copies_received_total{stream=\"" + stream + "\"}");
      double ended = 0;
      for (String end :
          new String[] {"dropped", "repeated", "refused", "dead_lettered", "given_back"}) {
        ended += metrics.get("duplog_copies_" + end + "_total{stream=\"" + stream + "\"}");
      }
      for (String passage : new String[] {"kept", "bypassed", "released"}) {
        ended +=
            metrics.get(
                "duplog_copies_delivered_total{passage=\"%s\",stream=\"%s\"}"
                    .formatted(passage, stream));
      }
      assertThat(ended).isEqualTo(received);
    }
    Map<String, Double> metrics = metrics(url);
    assertThat(sum(metrics, "duplog_copies_delivered_total")).isEqualTo(sink.count());
    assertThat(sum(metrics, "duplog_copies_refused_total")).isEqualTo(1);
    assertThat(sum(metrics, "duplog_copies_dead_lettered_total")).isEqualTo(1);
    assertThat(sum(metrics, "duplog_copies_repeated_total")).isGreaterThanOrEqualTo(2);
    assertThat(sum(metrics, "duplog_copies_given_back_total")).isPositive();
    assertThat(metrics.get("duplog_copies_delivered_total{passage=\"bypassed\",stream=\"a\"}"))
        .isPositive();
    assertThat(sum(metrics, "duplog_store_failures_total")).isPositive();
    assertThat(brokerA.depth(Topology.deadLetterQueue(Topology.DEFAULT_QUEUE))).isEqualTo(2);
  }

  private static double sum(Map<String, Double> metrics, String name) {
    return metrics.entrySet().stream()
        .filter(each -> each.getKey().equals(name) || each.getKey().startsWith(name + "{"))
        .mapToDouble(Map.Entry::getValue)
        .sum();
  }

  private static double value(String url, String name) throws Exception {
    return metrics(url).get(name);
  }

  private static Map<String, Double> metrics(String url) throws Exception {
    String text =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create(url + "/metrics")).build(),
                HttpResponse.BodyHandlers.ofString())
            .body();
    Map<String, Double> values = new TreeMap<>();
    text.lines()
        .filter(line -> line.startsWith("duplog_"))
        .forEach(
            line -> {
              int space = line.lastIndexOf(' ');
              values.put(line.substring(0, space), Double.valueOf(line.substring(space + 1)));
            });
    return values;
  }
}
