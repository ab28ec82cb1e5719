package io.duplog.deliver.kafka;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.duplog.parts.CertificateIssuer;
import io.duplog.rig.LabDirectory;
import io.duplog.rig.LabException;
import io.duplog.rig.LoneServer;
import io.duplog.rig.Probe;
import io.duplog.rig.Programs;
import io.duplog.rig.Server;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Runs a single broker of Kafka, which is its own controller, in a process of its own. It serves
 * clients without encryption, and on another port users with TLS.
 */
public final class KafkaBroker extends LoneServer {
  static final String USER = "duplog";

  /** A password whose characters need escapes in a JAAS configuration. */
  static final String PASSWORD = "s\"e\\c";

  private static final String CLUSTER = "MkU3OEVBNTcwNTJENDM2Qg";

  private final int port = freePort();
  private final int securePort = freePort();
  private final Server server;

  /**
   * Starts the broker.
   *
   * @param issuer issuer of the certificate
   * @param certificate name of the issued certificate for {@code localhost}
   */
  public KafkaBroker(CertificateIssuer issuer, String certificate) {
    server = unchecked(() -> server(issuer, certificate));
    startAll(server);
  }

  private Server server(CertificateIssuer issuer, String certificate) throws Exception {
    Path home = directory().make("kafka");
    Path tls = home.resolve("tls");
    issuer.copyTo(tls, certificate);
    String both =
        Files.readString(tls.resolve("server.key")) + Files.readString(tls.resolve("server.pem"));
    LabDirectory.write(tls.resolve("both.pem"), both);
    String escaped = PASSWORD.replace("\\", "\\\\").replace("\"", "\\\"");
    String plain =
        "org.apache.kafka.common.security.plain.PlainLoginModule required user_%s=\"%s\";"
            .formatted(USER, escaped);
    String settings =
        """
        process.roles=broker,controller
        node.id=1
        controller.quorum.voters=1@127.0.0.1:%1$d
        listeners=OPEN://127.0.0.1:%2$d,SECURE://127.0.0.1:%3$d,CONTROL://127.0.0.1:%1$d
        advertised.listeners=OPEN://127.0.0.1:%2$d,SECURE://localhost:%3$d
        listener.security.protocol.map=OPEN:PLAINTEXT,SECURE:SASL_SSL,CONTROL:PLAINTEXT
        controller.listener.names=CONTROL
        inter.broker.listener.name=OPEN
        log.dirs=%4$s/data
        auto.create.topics.enable=false
        authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
        allow.everyone.if.no.acl.found=true
        offsets.topic.replication.factor=1
        transaction.state.log.replication.factor=1
        transaction.state.log.min.isr=1
        sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-512
        listener.name.secure.ssl.keystore.type=PEM
        listener.name.secure.ssl.keystore.location=%4$s/tls/both.pem
        listener.name.secure.plain.sasl.jaas.config=%5$s
        listener.name.secure.scram-sha-512.sasl.jaas.config=\
        org.apache.kafka.common.security.scram.ScramLoginModule required;
        """
            .formatted(freePort(), port, securePort, home, plain.replace("\\", "\\\\"));
    Server.Launch launch =
        launch(
            "kafka",
            home,
            settings,
            "--add-scram",
            "SCRAM-SHA-512=[name=" + USER + ",password=" + PASSWORD + "]");
    return new Server(launch, directory(), () -> Probe.accepts(port) && Probe.accepts(securePort));
  }

  /**
   * Returns how to start a broker.
   *
   * @param formatOptions further options of the command that formats the data directory
   */
  static Server.Launch launch(String name, Path home, String settings, String... formatOptions)
      throws LabException {
    Path file = LabDirectory.write(home.resolve("server.properties"), settings);
    String formatAndRun =
        """
        java=$1 classes=$2 settings=$3 cluster=$4
        shift 4
        test -e data/meta.properties || "$java" -cp "$classes" kafka.tools.StorageTool format \
            --cluster-id "$cluster" --config "$settings" "$@"
        exec "$java" -Xmx256m -XX:TieredStopAtLevel=1 -cp "$classes" kafka.Kafka "$settings"
        """;
    List<String> command =
        new ArrayList<>(
            List.of(
                "sh",
                "-ec",
                formatAndRun,
                "sh",
                Programs.java().toString(),
                System.getProperty("java.class.path"),
                file.toString(),
                CLUSTER));
    command.addAll(List.of(formatOptions));
    return new Server.Launch(name, command, Map.of(), home);
  }

  /** Returns the address for clients without encryption. */
  public String address() {
    return host() + ":" + port;
  }

  /** Creates a topic of two partitions, unless there is one. */
  public void create(String topic, Map<String, String> settings) throws Exception {
    try (Admin admin = Admin.create(client())) {
      if (!admin.listTopics().names().get().contains(topic)) {
        NewTopic created = new NewTopic(topic, Optional.of(2), Optional.empty()).configs(settings);
        admin.createTopics(List.of(created)).all().get();
      }
    }
  }

  /** Reads a topic from its beginning to its current end. */
  List<ConsumerRecord<byte[], byte[]>> records(String topic) {
    return records(client(), topic);
  }

  /**
   * Reads a topic from its beginning to its current end.
   *
   * @param client settings of the client
   */
  static List<ConsumerRecord<byte[], byte[]>> records(Map<String, Object> client, String topic) {
    ByteArrayDeserializer bytes = new ByteArrayDeserializer();
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(client, bytes, bytes)) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(each -> new TopicPartition(topic, each.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (partitions.stream().anyMatch(each -> consumer.position(each) < ends.get(each))) {
        consumer.poll(Duration.ofSeconds(1)).forEach(records::add);
      }
    }
    return records;
  }

  /** Returns the values of a topic's records. */
  public List<String> values(String topic) {
    return records(topic).stream().map(record -> new String(record.value(), ISO_8859_1)).toList();
  }

  /** Returns the settings of a client without encryption. */
  Map<String, Object> client() {
    return Map.of(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, address());
  }

  /** Returns the address for users with TLS. */
  String secureAddress() {
    return "localhost:" + securePort;
  }

  @Override
  protected Server server() {
    return server;
  }
}
