package io.duplog.benchmark.lab;

import io.duplog.rig.LabDirectory;
import io.duplog.rig.LabException;
import io.duplog.rig.Ports;
import io.duplog.rig.Probe;
import io.duplog.rig.Programs;
import io.duplog.rig.Server;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Runs a lab's single broker of Kafka, which is its own controller and creates its topic. */
final class KafkaProcess {
  private static final String TOPIC = "syslog";
  private static final int PARTITIONS = 4;
  private static final String CLUSTER = "MkU3OEVBNTcwNTJENDM2Qg";

  private static final String FORMAT_AND_RUN =
      """
      test -e data/meta.properties ||
        "$0" -cp "$1" kafka.tools.StorageTool format --cluster-id "$2" --config "$3"
      exec "$0" -Xmx512m -cp "$1" kafka.Kafka "$3"
      """;

  private final int port;
  private final Server server;

  /**
   * Writes the configuration. Starts nothing.
   *
   * @param jars folder with the broker's jars
   */
  KafkaProcess(LabDirectory directory, Ports ports, Path jars) throws LabException {
    this.port = ports.next();
    Path home = directory.make("kafka");
    String settings =
        """
        process.roles=broker,controller
        node.id=1
        controller.quorum.voters=1@127.0.0.1:%1$d
        listeners=PLAINTEXT://127.0.0.1:%2$d,CONTROLLER://127.0.0.1:%1$d
        listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
        controller.listener.names=CONTROLLER
        log.dirs=%3$s/data
        auto.create.topics.enable=true
        num.partitions=%4$d
        offsets.topic.replication.factor=1
        transaction.state.log.replication.factor=1
        transaction.state.log.min.isr=1
        """
            .formatted(ports.next(), port, home, PARTITIONS);
    Path file = LabDirectory.write(home.resolve("server.properties"), settings);
    List<String> command =
        List.of(
            "sh",
            "-ec",
            FORMAT_AND_RUN,
            Programs.java().toString(),
            jars.resolve("*").toString(),
            CLUSTER,
            file.toString());
    this.server =
        new Server(
            new Server.Launch("kafka", command, Map.of(), home),
            directory,
            () -> Probe.accepts(port));
  }

  Server server() {
    return server;
  }

  /** Returns the keys and values of a bridge's configuration for this sink. */
  Map<String, String> settings() {
    return Map.of(
        "type",
        "kafka",
        "kafka.servers",
        "[\"127.0.0.1:%d\"]".formatted(port),
        "kafka.topic",
        TOPIC);
  }
}
