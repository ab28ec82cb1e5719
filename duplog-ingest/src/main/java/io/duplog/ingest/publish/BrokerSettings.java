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
    @Key(doc = "AMQP port of RabbitMQ.", defaultValue = "5672") int port,
    @Key(doc = "Virtual host.", defaultValue = "/") String virtualHost,
    @Key(
            doc =
                "User name. The user must be allowed to configure and write the queue."
                    + " `duplog init` makes duplog-ingest.",
            example = "duplog-ingest")
        String user,
    @Key(
            doc = "Password of the user; prefer ${file:/path} to the literal password.",
            example = "${file:/etc/duplog/ingest.password}")
        Secret password,
    @Key(
            doc =
                "Durable queue to publish to. The shim declares it if it is missing. All"
                    + " bridges name the same queue for this stream.",
            defaultValue = Topology.DEFAULT_QUEUE)
        String queue,
    @Key(
            doc =
                "Type of the queue. RabbitMQ can't change the type of an existing queue."
                    + " All bridges name the same type for this stream.",
            defaultValue = "classic")
        Topology.QueueType queueType,
    @Key(
            doc =
                "Number of queues that share the messages, if one core of RabbitMQ can't"
                    + " carry them. The others are called duplog.1, duplog.2 and so on, after the"
                    + " key queue. The same as queue-count of this stream on all bridges. To"
                    + " raise it, change the bridges first.",
            defaultValue = "1",
            unit = "queues")
        int queueCount,
    @Key(
            doc =
                "Whether RabbitMQ writes batches to disk. If false, a restart of RabbitMQ"
                    + " loses confirmed messages: use that only for measurements.",
            defaultValue = "true")
        boolean persistent,
    @Key(
            doc =
                "Interval of AMQP's heartbeats. A broker that is silent for two intervals"
                    + " counts as lost.",
            defaultValue = "10s")
        Duration heartbeat,
    @Key(doc = "Maximum time to connect. The login may take twice as long.", defaultValue = "2s")
        Duration connectTimeout,
    @Key(
            doc =
                "Turns on TLS, even if the section is empty ({}). RabbitMQ's TLS port is"
                    + " usually 5671. You may replace each file at any time, without a restart.",
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
