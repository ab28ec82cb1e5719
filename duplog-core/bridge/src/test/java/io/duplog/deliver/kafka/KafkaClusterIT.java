package io.duplog.deliver.kafka;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duplog.deliver.DeliveryRequests;
import io.duplog.deliver.Sink;
import io.duplog.deliver.SinkContext;
import io.duplog.observe.Conditions;
import io.duplog.rig.LoneServer;
import io.duplog.rig.Probe;
import io.duplog.rig.Server;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;

/** Tests the sink with a real cluster of three brokers, one of which is killed. */
class KafkaClusterIT {
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final int REQUESTS = 300;

  /** Three brokers, which are also the controllers. {@link #kill} kills the first one. */
  private static final class Cluster extends LoneServer {
    private final List<Integer> ports = IntStream.range(0, 3).mapToObj(i -> freePort()).toList();
    private final List<Integer> controlPorts =
        IntStream.range(0, 3).mapToObj(i -> freePort()).toList();
    private final List<Server> brokers = new ArrayList<>();

    Cluster() {
      for (int id = 0; id < 3; id++) {
        int broker = id;
        brokers.add(unchecked(() -> broker(broker)));
      }
      startAll(brokers.toArray(Server[]::new));
    }

    private Server broker(int id) throws Exception {
      Path home = directory().make("kafka-" + id);
      String settings =
          """
          process.roles=broker,controller
          node.id=%1$d
          controller.quorum.voters=%2$s
          listeners=OPEN://127.0.0.1:%3$d,CONTROL://127.0.0.1:%4$d
          listener.security.protocol.map=OPEN:PLAINTEXT,CONTROL:PLAINTEXT
          controller.listener.names=CONTROL
          inter.broker.listener.name=OPEN
          log.dirs=%5$s/data
          auto.create.topics.enable=false
          broker.session.timeout.ms=6000
          broker.heartbeat.interval.ms=1000
          """
              .formatted(
                  id,
                  IntStream.range(0, 3)
                      .mapToObj(i -> i + "@127.0.0.1:" + controlPorts.get(i))
                      .collect(Collectors.joining(",")),
                  ports.get(id),
                  controlPorts.get(id),
                  home);
      Server.Launch launch = KafkaBroker.launch("kafka-" + id, home, settings);
      // A broker serves clients only when two of the controllers run.
      boolean isLast = id == 2;
      return new Server(launch, directory(), () -> !isLast || areAllReady());
    }

    private boolean areAllReady() throws IOException {
      for (int port : ports) {
        if (!Probe.accepts(port)) {
          return false;
        }
      }
      return true;
    }

    List<String> addresses() {
      return ports.stream().map(port -> host() + ":" + port).toList();
    }

    Map<String, Object> client() {
      return Map.of(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, String.join(",", addresses()));
    }

    @Override
    protected Server server() {
      return brokers.get(0);
    }
  }

  private static KafkaSinkConfig config(List<String> servers) {
    return new KafkaSinkConfig(
        servers,
        "replicated",
        KafkaSinkConfig.Compression.NONE,
        null,
        null,
        null,
        KafkaSinkConfig.Mechanism.PLAIN);
  }

  @Test
  void oneOfThreeBrokersKilledUnderLoad_losesNothing_andCausesNoDuplicate() throws Exception {
    DeliveryRequests deliveries = new DeliveryRequests();
    List<String> expected = new ArrayList<>();
    try (Cluster cluster = new Cluster()) {
      try (Admin admin = Admin.create(cluster.client())) {
        NewTopic topic = new NewTopic("replicated", 6, (short) 3);
        topic.configs(Map.of("min.insync.replicas", "2"));
        admin.createTopics(List.of(topic)).all().get();
      }
      SinkContext context = SinkContext.ofOnly(line -> {}, Conditions.ofSystem());
      try (Sink sink = KafkaSink.open(config(cluster.addresses()), null, context)) {
        for (int i = 0; i < REQUESTS; i++) {
          List<String> messages = new ArrayList<>();
          for (int j = 0; j < 50; j++) {
            messages.add("10.0.0." + j + " <13>" + i + "-" + j);
            expected.add("<13>" + i + "-" + j);
          }
          sink.deliver(deliveries.ofSenders("p" + i, messages.toArray(String[]::new)));
          if (i == REQUESTS / 2) {
            await().atMost(PATIENCE).until(() -> !deliveries.accepted().isEmpty());
            cluster.kill();
          }
        }
        await().atMost(PATIENCE).until(() -> deliveries.accepted().size() == REQUESTS);
        await().atMost(PATIENCE).until(sink::isAvailable);
      }
      assertThat(KafkaBroker.records(cluster.client(), "replicated"))
          .extracting(record -> new String(record.value(), ISO_8859_1))
          .containsExactlyInAnyOrderElementsOf(expected);
    }
  }
}
