package io.duplog.ingest.publish;

import io.duplog.amqp.BrokerLogin;
import io.duplog.amqp.BrokerSection;
import io.duplog.config.Checks;
import io.duplog.config.Key;
import io.duplog.config.Secret;
import io.duplog.tls.TlsConfig;
import io.duplog.wire.Topology;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The configuration section {@code broker}, which says how the shim connects to its node's
 * RabbitMQ.
 */
public record BrokerSettings(
    @Key(doc = "Host name or address of this node's own RabbitMQ.", defaultValue = "127.0.0.1")
        String host,
    @Key(doc = "Its AMQP port.", defaultValue = "5672") int port,
    @Key(doc = "Its virtual host.", defaultValue = "/") String virtualHost,
    @Key(
            doc = "User, who needs the permission to configure and write the queue.",
            example = "duplog")
        String user,
    @Key(doc = "The user's password.", example = "${file:/etc/duplog/broker.password}")
        Secret password,
    @Key(
            doc =
                "Durable queue that batches are published to; declared where it is missing. The"
                    + " bridges' configuration names the same.",
            defaultValue = Topology.DEFAULT_QUEUE)
        String queue,
    @Key(
            doc =
                "What RabbitMQ keeps the queue in: classic, or quorum. An existing queue can't be"
                    + " changed.",
            defaultValue = "classic")
        Topology.QueueType queueType,
    @Key(
            doc =
                "How many queues share the messages, for a broker with many cores: the one above, and"
                    + " those named like it with .1, .2 and so on behind. A message's text alone says"
                    + " which one it goes to, so that every node's copy goes to the same. As in the"
                    + " bridges' configuration, where it is raised first.",
            defaultValue = "1",
            unit = "queues")
        int queueCount,
    @Key(
            doc =
                "Whether RabbitMQ writes batches to its disk. Without it a restart of the broker"
                    + " loses what it held and had confirmed: for measurements only.",
            defaultValue = "true")
        boolean persistent,
    @Key(
            doc =
                "How often both sides show that they live; a silent broker counts as lost after two.",
            defaultValue = "10s")
        Duration heartbeat,
    @Key(
            doc = "Longest wait for the connection; its opening may take twice as long.",
            defaultValue = "2s")
        Duration connectTimeout,
    @Key(
            doc =
                "RabbitMQ is spoken to in TLS where this section is there, if only as {}. Its port"
                    + " for it is mostly 5671. Every file may be replaced at any time.",
            whereWanted = true)
        @Nullable TlsConfig tls)
    implements BrokerSection {

  private static final int MAX_NAME_BYTES = 200;

  public BrokerSettings {
    Checks.host("host", host, tls != null);
    Checks.port("port", port);
    checkShortString("virtual-host", virtualHost);
    Checks.notBlank("user", user);
    checkShortString("queue", queue);
    Checks.within("queue-count", queueCount, 1, Topology.MOST_QUEUES);
    if (heartbeat.compareTo(Duration.ofSeconds(1)) < 0
        || heartbeat.compareTo(Duration.ofMinutes(10)) > 0) {
      throw Checks.refuse("heartbeat", "must be 1s to 10m");
    }
    Checks.positive("connect-timeout", connectTimeout);
    if (connectTimeout.compareTo(Duration.ofMinutes(1)) > 0) {
      throw Checks.refuse("connect-timeout", "must be at most 1m");
    }
  }

  /**
   * Refuses a text that is too long for AMQP's short strings of 255 bytes. The names of further
   * queues are longer than the name of the first one.
   */
  private static void checkShortString(String key, String value) {
    Checks.notBlank(key, value);
    if (value.getBytes(StandardCharsets.UTF_8).length > MAX_NAME_BYTES) {
      throw Checks.refuse(key, "must have at most " + MAX_NAME_BYTES + " bytes");
    }
  }

  /** Returns the address, credentials and TLS settings for connecting to the broker. */
  BrokerLogin login() {
    return login("broker", connectTimeout, heartbeat);
  }

  /** Returns the names of the queues, in the order of their numbers. */
  List<String> queues() {
    return Topology.queues(queue, queueCount);
  }
}
