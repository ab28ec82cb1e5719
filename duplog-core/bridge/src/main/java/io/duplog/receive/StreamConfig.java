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
                "Name of the stream. It must be the one that the shim of that node has, and"
                    + " the same in every bridge.",
            example = "syslog-a")
        String name,
    @Key(doc = "The broker's host name or address.", defaultValue = "127.0.0.1") String host,
    @Key(doc = "The broker's AMQP port.", defaultValue = "5672", unit = "port") int port,
    @Key(doc = "The broker's virtual host.", defaultValue = "/") String virtualHost,
    @Key(doc = "User at the broker.", defaultValue = "guest") String user,
    @Key(
            doc =
                "The user's password: literally, or better as ${env:NAME} or ${file:/path},"
                    + " as is possible for every value.",
            defaultValue = "guest")
        Secret password,
    @Key(
            doc = "Queues to read. Whichever of shim and bridge comes first declares them.",
            defaultValue = Topology.DEFAULT_QUEUE)
        List<String> queues,
    @Key(doc = "Type of these queues; the shim must have the same.", defaultValue = "classic")
        Topology.QueueType queueType,
    @Key(
            doc =
                "Number of queues that share the messages of each queue under queues: duplog,"
                    + " duplog.1, duplog.2 and so on. Must equal the shim's broker.queue-count. To"
                    + " raise it, change the bridges first; to lower it, change the shims first."
                    + " Messages in a queue that no bridge reads are not delivered.",
            defaultValue = "1",
            unit = "queues")
        int queueCount,
    @Key(
            doc =
                "The broker is spoken to in TLS where this section is there, if only as {}. The"
                    + " broker's port for it is mostly 5671. Every file may be replaced at any"
                    + " time.",
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
   * Returns the names of all queues to read: first those that share the first queue's messages, in
   * the order of their numbers, then those of the second queue, and so on.
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
