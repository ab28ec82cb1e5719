package io.duplog.ingest;

import io.duplog.config.Checks;
import io.duplog.config.Key;
import io.duplog.config.LogConfig;
import io.duplog.config.Reference;
import io.duplog.ingest.batch.BatchSettings;
import io.duplog.ingest.bulk.ListenSettings;
import io.duplog.ingest.hec.HecSettings;
import io.duplog.ingest.omprog.OmprogSettings;
import io.duplog.ingest.publish.BrokerSettings;
import io.duplog.ingest.publish.HeartbeatSettings;
import io.duplog.wire.Topology;
import org.jspecify.annotations.Nullable;

/** The configuration file of the shim, with every key, its default and its meaning. */
public record IngestConfig(
    @Key(
            doc =
                "Name of this node's stream: different for each node, and the same as"
                    + " streams.name on all bridges.",
            example = "syslog-a")
        String stream,
    @Key(doc = "The RabbitMQ of this node.") BrokerSettings broker,
    @Key(
            doc =
                "How rsyslog's action hands messages over. Most keys here must match that"
                    + " action.")
        OmprogSettings omprog,
    @Key(
            doc =
                "Settings of duplog-ingest.service, to which rsyslog's omelasticsearch"
                    + " sends instead of omprog. Each transaction is one request."
                    + " omprog.sender-prefix, omprog.max-message and omprog.patience apply here,"
                    + " too.",
            whereWanted = true)
        @Nullable ListenSettings listen,
    @Key(
            doc =
                "Accepts events from clients of Splunk's HTTP Event Collector, instead of messages"
                    + " from rsyslog. duplog-ingest.service does that. Don't set listen, too.",
            whereWanted = true)
        @Nullable HecSettings hec,
    @Key(doc = "How the shim gathers messages into batches.") BatchSettings batch,
    @Key(doc = "Heartbeats, which tell the bridges that this path works.")
        HeartbeatSettings heartbeat,
    @Key(doc = "The log.") LogConfig log) {

  private static final String ABOUT =
      """
      Every key of /etc/duplog/duplog-ingest.yaml, the configuration of a node's shim.

      Place:  /etc/duplog/duplog-ingest.yaml on each ingest node, owner root, group duplog-ingest, mode
              0640. Only stream differs between the nodes.
      Check:  duplog-ingest --config /etc/duplog/duplog-ingest.yaml --check
      Change: pkill -TERM -u duplog-ingest java (Ubuntu: -u syslog). rsyslog starts the shim again with the
              next message. If the shim listens: systemctl restart duplog-ingest. TLS files: no restart.
      """;

  public IngestConfig {
    if (!Topology.isStreamName(stream)) {
      throw Checks.refuse("stream", Topology.STREAM_NAME_RULE + ", not '" + stream + "'");
    }
    if (hec != null && listen != null) {
      throw Checks.refuse("hec", "must not stand beside listen: run a second duplog-ingest for it");
    }
    if (!omprog.keepsAlive(batch.linger())) {
      throw Checks.refuse("omprog", "must have a longer keep-alive, because batch.linger is long");
    }
  }

  /** Returns the documentation of the file, with every key. */
  public static String reference() {
    return Reference.of(IngestConfig.class, ABOUT);
  }
}
