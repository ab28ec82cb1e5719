package io.duplog.deliver.kafka;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.duplog.config.ConfigException;
import io.duplog.config.ConfigLoader;
import io.duplog.deliver.DeliveryRequests;
import io.duplog.deliver.SinkContext;
import io.duplog.deliver.route.Routing;
import io.duplog.deliver.route.RoutingConfig;
import io.duplog.observe.Boards;
import io.duplog.observe.Conditions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A sink whose thread, clock and producers are the test's. */
final class KafkaStage {
  final DeliveryRequests deliveries = new DeliveryRequests();
  final List<MockProducer<byte[], byte[]>> producers = new CopyOnWriteArrayList<>();
  private final AtomicLong nanos = new AtomicLong(1);
  final Conditions board = Boards.at(nanos::get);
  final KafkaSink sink;

  /**
   * @param rules rules in YAML, one after another, or an empty text
   */
  KafkaStage(String rules) {
    sink =
        new KafkaSink(
            config(),
            rules.isEmpty() ? null : rules(rules),
            this::open,
            SinkContext.ofOnly(line -> {}, board));
  }

  static KafkaSinkConfig config() {
    return new KafkaSinkConfig(
        List.of("127.0.0.1:1"),
        "t",
        KafkaSinkConfig.Compression.NONE,
        null,
        null,
        null,
        KafkaSinkConfig.Mechanism.PLAIN);
  }

  static Routing rules(String rules) {
    try {
      return new Routing(
          ConfigLoader.of(Map.of(), "h")
              .parse("rules.yaml", "rules: [" + rules + "]", RoutingConfig.class));
    } catch (ConfigException e) {
      throw new AssertionError(e);
    }
  }

  private MockProducer<byte[], byte[]> open() {
    MockProducer<byte[], byte[]> producer =
        new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer()) {
          @Override
          public void close(Duration timeout) {
            super.close(timeout);
            if (Thread.interrupted()) { // as the real one, which waits for its thread
              throw new InterruptException("interrupted");
            }
          }
        };
    producers.add(producer);
    return producer;
  }

  /** Returns the current producer. */
  MockProducer<byte[], byte[]> producer() {
    return producers.get(producers.size() - 1);
  }

  /** Lets the sender send until it would pause. */
  void run() {
    while (sink.runOnce() == 0) {
      // the next request
    }
  }

  void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  /** Returns the values of all records that the current producer was given. */
  List<String> sent() {
    return producer().history().stream().map(KafkaStage::value).toList();
  }

  static String value(ProducerRecord<byte[], byte[]> record) {
    return new String(record.value(), ISO_8859_1);
  }

  static List<String> headers(ProducerRecord<byte[], byte[]> record) {
    List<String> headers = new ArrayList<>();
    for (Header header : record.headers()) {
      headers.add(header.key() + "=" + new String(header.value(), ISO_8859_1));
    }
    return headers;
  }
}
