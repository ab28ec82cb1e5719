package io.duplog.benchmark.fault;

import io.duplog.benchmark.lab.LabPlan;
import io.duplog.benchmark.lab.LabRedisCluster;
import io.duplog.benchmark.lab.Tuning;
import java.time.Duration;
import java.util.List;

/** The kind of lab that a chaos fault needs: which servers it has, and how they are set up. */
public enum Setup {
  /** Two ingest nodes, Redis, and two bridges that write files. */
  PLAIN,
  /** One ingest node and one bridge, so no second path delivers a message that this path loses. */
  SINGLE,
  /** Like {@link #PLAIN}, but each rsyslog sends its transactions to a shim that listens. */
  BULK,
  /** Like {@link #SINGLE}, with a shim that listens. */
  BULK_SINGLE,
  /** Like {@link #PLAIN}, but clients of HTTP Event Collector send to shims that listen. */
  HEC_IN,
  /** Like {@link #SINGLE}, with a client of HTTP Event Collector. */
  HEC_IN_SINGLE,
  /** Like {@link #HEC_IN_SINGLE}, but the client connects by TLS. */
  HEC_IN_TLS,
  /**
   * Like {@link #SINGLE}, but rsyslog keeps every message on disk until the broker has it. Needs
   * rsyslog 8.2608.
   */
  DURABLE,
  /** Like {@link #DURABLE}, with a shim that listens. */
  DURABLE_BULK,
  /** Like {@link #DURABLE}, with a queue on disk that 15 seconds of messages fill. */
  DURABLE_SMALL,
  /** Like {@link #PLAIN}, but the first bridge connects to all servers through faulty proxies. */
  PROXIED,
  /** Like {@link #PLAIN}, but both bridges deliver to one HTTP Event Collector. */
  HEC,
  /** Like {@link #HEC}, but the bridges reach the collector through tinyproxy. */
  HEC_BY_PROXY,
  /** Like {@link #HEC}, but the collector uses indexer acknowledgement. */
  HEC_ACKNOWLEDGED,
  /** Like {@link #HEC}, but the first bridge connects to all servers through faulty proxies. */
  HEC_PROXIED,
  /** Like {@link #HEC}, but each bridge also writes a file. Both sinks are required. */
  SINKS,
  /** Like {@link #HEC}, but with a second HTTP Event Collector. Both are required. */
  SINKS_HEC,
  /** Like {@link #SINKS}, but the first bridge's file is on a disk of 96 MiB, which needs root. */
  SINKS_SMALL_DISK,
  /** Like {@link #HEC}, with a sink that is not required, whose syslog server reads nothing. */
  SINKS_HUNG,
  /**
   * Like {@link #PLAIN}, but with one bridge, which uses its own memory while Redis is unavailable.
   */
  LOCAL,
  /** Like {@link #PLAIN}, but the first bridge writes to a disk of 96 MiB, which needs root. */
  SMALL_DISK,
  /** Like {@link #PLAIN}, but sentinels promote a second Redis if the first one fails. */
  STANDBY,
  /**
   * Like {@link #PLAIN} with a Redis Cluster. Each node has as many queues as the cluster has
   * masters.
   */
  CLUSTER,
  /** Like {@link #PLAIN}, but the first ingest node's clock is an hour behind. */
  CLOCK_BEHIND,
  /** Like {@link #PLAIN}, but the first ingest node's clock is an hour ahead. */
  CLOCK_AHEAD,
  /** Like {@link #PLAIN}, but the clock of Redis can be set. */
  SETTABLE_REDIS_CLOCK;

  /** Changes the plan of a pair into the plan of this kind of lab, and returns it. */
  public LabPlan of(LabPlan pair) {
    return switch (this) {
      case PLAIN, SMALL_DISK -> pair;
      case SINGLE -> pair.withStreams(List.of("syslog-a")).withBridges(1);
      case BULK -> pair.withIngest(LabPlan.Ingest.RSYSLOG_BULK);
      case BULK_SINGLE -> SINGLE.of(BULK.of(pair));
      case HEC_IN -> pair.withIngest(LabPlan.Ingest.HEC);
      case HEC_IN_SINGLE -> SINGLE.of(HEC_IN.of(pair));
      case HEC_IN_TLS -> HEC_IN_SINGLE.of(pair).withEncryptedClients();
      case DURABLE -> SINGLE.of(pair).withDurableQueue("1g");
      case DURABLE_BULK -> BULK_SINGLE.of(pair).withDurableQueue("1g");
      case DURABLE_SMALL -> SINGLE.of(pair).withDurableQueue("16m");
      case PROXIED -> pair.withProxies();
      case HEC -> pair.withSink(LabPlan.Sink.HEC);
      case HEC_BY_PROXY -> pair.withSink(LabPlan.Sink.HEC_BY_PROXY);
      case HEC_ACKNOWLEDGED -> pair.withSink(LabPlan.Sink.HEC_ACKNOWLEDGED);
      case SINKS, SINKS_SMALL_DISK -> pair.withSink(LabPlan.Sink.HEC_AND_FILE);
      case SINKS_HEC -> pair.withSink(LabPlan.Sink.TWO_HECS);
      case SINKS_HUNG -> pair.withSink(LabPlan.Sink.HEC_AND_HUNG_SYSLOG);
      case HEC_PROXIED -> pair.withSink(LabPlan.Sink.HEC).withProxies();
      case LOCAL ->
          pair.withBridges(1).withTuning(Tuning.NONE.withBridge("dedup.when-unavailable", "local"));
      case STANDBY -> pair.withRedundancy(LabPlan.Redundancy.SENTINELS);
      case CLUSTER ->
          pair.withRedundancy(LabPlan.Redundancy.CLUSTER)
              .withTuning(Tuning.NONE.withQueues(LabRedisCluster.MASTERS));
      case CLOCK_BEHIND -> pair.withClockOffset(Duration.ofHours(-1));
      case CLOCK_AHEAD -> pair.withClockOffset(Duration.ofHours(1));
      case SETTABLE_REDIS_CLOCK -> pair.withSettableRedisClock();
    };
  }
}
