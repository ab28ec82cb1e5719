package io.duplog.ingest;

import io.duplog.config.Checks;
import io.duplog.config.Key;
import io.duplog.config.LogConfig;
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
                "This node's stream. The bridges' configuration names the same, and no other node"
                    + " has it.",
            example = "syslog-a")
        String stream,
    @Key(doc = "This node's RabbitMQ.") BrokerSettings broker,
    @Key(doc = "What was agreed with rsyslog.") OmprogSettings omprog,
    @Key(
            doc =
                "For duplog-ingest.service, which rsyslog's omelasticsearch sends to in place of"
                    + " omprog: a transaction is one request. omprog.sender-prefix, max-message and"
                    + " patience hold there, too.",
            whereWanted = true)
        @Nullable ListenSettings listen,
    @Key(
            doc =
                "Clients of Splunk's HTTP Event Collector that duplog-ingest.service accepts events"
                    + " from, in place of rsyslog. Excludes the section listen.",
            whereWanted = true)
        @Nullable HecSettings hec,
    @Key(doc = "How messages are gathered.") BatchSettings batch,
    @Key(doc = "How the shim shows that it lives.") HeartbeatSettings heartbeat,
    @Key(doc = "The log.") LogConfig log) {

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
}
