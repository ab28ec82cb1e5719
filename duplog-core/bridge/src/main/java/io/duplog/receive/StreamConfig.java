package io.duplog.receive;

import io.duplog.amqp.BrokerSection;
import io.duplog.config.Checks;
import io.duplog.config.Key;
import io.duplog.config.Secret;
import io.duplog.tls.TlsConfig;
import io.duplog.wire.StreamBroker;
import io.duplog.wire.Topology;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An entry of the configuration's {@code streams}: the name of a stream, and the RabbitMQ and
 * queues to read it from.
 */
public record StreamConfig(
    @Key(
            doc =
                "Name of the stream: the same on all bridges, and the same as stream in"
                    + " that node's duplog-ingest.yaml.",
            example = "syslog-a")
        String name,
    @Key(doc = "Host name or address of the node's RabbitMQ.", defaultValue = "127.0.0.1")
        String host,
    @Key(doc = "AMQP port of RabbitMQ.", defaultValue = "5672", unit = "port") int port,
    @Key(doc = "Virtual host; the same as the shim's broker.virtual-host.", defaultValue = "/")
        String virtualHost,
    @Key(doc = "User name. `duplog init` makes duplog-bridge.", defaultValue = "guest") String user,
    @Key(
            doc =
                "Password of the user; prefer ${file:/path} to the literal password."
                    + " `duplog init` writes it to /etc/duplog/rabbitmq.password.",
            defaultValue = "guest")
        Secret password,
    @Key(
            doc =
                "Queues to read. The shim's broker.queue must be among them. Bridge and"
                    + " shim declare a queue that is missing.",
            defaultValue = Topology.DEFAULT_QUEUE)
        List<String> queues,
    @Key(
            doc =
                "Type of these queues; the same as the shim's broker.queue-type, and on"
                    + " all bridges.",
            defaultValue = "classic")
        Topology.QueueType queueType,
    @Key(
            doc =
                "Number of queues for each name under queues: duplog, duplog.1, duplog.2"
                    + " and so on. The same as the shim's broker.queue-count, and on all bridges."
                    + " To raise it, change the bridges first; to lower it, change the shim"
                    + " first. No bridge delivers messages of a queue that it does not read.",
            defaultValue = "1",
            unit = "queues")
        int queueCount,
    @Key(
            doc =
                "Turns on TLS, even if the section is empty ({}). RabbitMQ's TLS port is"
                    + " usually 5671. You may replace each file at any time, without a restart.",
            whereWanted = true)
        @Nullable TlsConfig tls)
    implements BrokerSection {

  public StreamConfig {
    if (!Topology.isStreamName(name)) {
      throw Checks.refuse("name", Topology.STREAM_NAME_RULE + ", not '" + name + "'");
    }
    Checks.host("host", host, tls != null);
    Checks.port("port", port);
    Checks.notBlank("virtual-host", virtualHost);
    Checks.notBlank("user", user);
    Checks.distinctNames("queues", queues);
    Checks.within("queue-count", queueCount, 1, Topology.MOST_QUEUES);
  }

  /**
   * Returns the names of all queues to read. The queues that share the first queue's messages come
   * first, in the order of their numbers. The second queue's follow, and so on.
   */
  public List<String> queueNames() {
    return queues.stream().flatMap(queue -> Topology.queues(queue, queueCount).stream()).toList();
  }

  /** Returns the number of {@linkplain StreamBroker#place places} that a bridge reads there. */
  public int places() {
    return (int) queueNames().stream().map(Topology::firstQueue).distinct().count();
  }

  /** Returns the broker's address and virtual host, for error messages. */
  public String broker() {
    return host + ":" + port + (virtualHost.equals("/") ? "" : " " + virtualHost);
  }
}
