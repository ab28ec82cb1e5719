package io.duplog.deliver.kafka;

import io.duplog.parts.CertificateIssuer;
import io.duplog.rig.LabDirectory;
import io.duplog.rig.LoneServer;
import io.duplog.rig.Probe;
import io.duplog.rig.Programs;
import io.duplog.rig.Server;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Runs a single broker of Kafka, which is its own controller, in a process of its own. It serves
 * clients without encryption, and on another port users with TLS.
 */
final class KafkaBroker extends LoneServer {
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
  KafkaBroker(CertificateIssuer issuer, String certificate) {
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
    Path file = LabDirectory.write(home.resolve("server.properties"), settings);
    String formatAndRun =
        """
        test -e data/meta.properties || "$0" -cp "$1" kafka.tools.StorageTool format \
            --cluster-id "$2" --config "$3" --add-scram "SCRAM-SHA-512=[name=$4,password=$5]"
        exec "$0" -Xmx256m -XX:TieredStopAtLevel=1 -cp "$1" kafka.Kafka "$3"
        """;
    List<String> command =
        List.of(
            "sh",
            "-ec",
            formatAndRun,
            Programs.java().toString(),
            System.getProperty("java.class.path"),
            CLUSTER,
            file.toString(),
            USER,
            PASSWORD);
    Server.Launch launch = new Server.Launch("kafka", command, Map.of(), home);
    return new Server(launch, directory(), () -> Probe.accepts(port) && Probe.accepts(securePort));
  }

  /** Returns the address for clients without encryption. */
  String address() {
    return host() + ":" + port;
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
