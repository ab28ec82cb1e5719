package io.duplog.benchmark.fault;

import io.duplog.benchmark.lab.LabPlan;
import io.duplog.benchmark.lab.LabRedisCluster;
import io.duplog.benchmark.lab.Tuning;
import java.time.Duration;
import java.util.List;

/** What lab a fault needs. */
public enum Setup {
  /** Two ingest nodes, Redis, two bridges that write files. */
  PLAIN,
  /** One ingest node and one bridge: no other path makes up for what is lost. */
  SINGLE,
  /** The same as plain, and the first bridge reaches everything through proxies. */
  PROXIED,
  /** The same as plain, with one HTTP Event Collector that both bridges deliver to. */
  HEC,
  /** The same as with a collector, which bridges reach by an HTTP proxy. Needs tinyproxy. */
  HEC_BY_PROXY,
  /** The same as with a collector, which acknowledges. */
  HEC_ACKNOWLEDGED,
  /** The same as with a collector, and the first bridge reaches everything through proxies. */
  HEC_PROXIED,
  /** The same as plain with one bridge, which deduplicates by itself while Redis is away. */
  LOCAL,
  /** The same as plain, with the first bridge's file on a disk of a few megabytes. Needs root. */
  SMALL_DISK,
  /** The same as plain, with a second Redis that sentinels have take the first one's place. */
  STANDBY,
  /** The same as plain with a Redis Cluster, and as many queues a node as it has masters. */
  CLUSTER,
  /** The first ingest node's clock is an hour behind. */
  CLOCK_BEHIND,
  /** The first ingest node's clock is an hour ahead. */
  CLOCK_AHEAD,
  /** The same as plain, with a Redis whose clock can be set. */
  SETTABLE_REDIS_CLOCK;

  /** Makes it of a pair. */
  public LabPlan of(LabPlan pair) {
    return switch (this) {
      case PLAIN, SMALL_DISK -> pair;
      case SINGLE -> pair.withStreams(List.of("syslog-a")).withBridges(1);
      case PROXIED -> pair.withProxies();
      case HEC -> pair.withSink(LabPlan.Sink.HEC);
      case HEC_BY_PROXY -> pair.withSink(LabPlan.Sink.HEC_BY_PROXY);
      case HEC_ACKNOWLEDGED -> pair.withSink(LabPlan.Sink.HEC_ACKNOWLEDGED);
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
