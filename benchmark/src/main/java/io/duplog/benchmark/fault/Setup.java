package io.duplog.benchmark.fault;

import io.duplog.benchmark.lab.LabPlan;
import io.duplog.benchmark.lab.LabRedisCluster;
import io.duplog.benchmark.lab.Tuning;
import java.time.Duration;
import java.util.List;

/** The lab that a fault needs. */
public enum Setup {
  /** Two ingest nodes, Redis, and two bridges that write files. */
  PLAIN,
  /** One ingest node and one bridge, so no other path makes up for what is lost. */
  SINGLE,
  /** Like {@link #PLAIN}, but the first bridge reaches everything through proxies. */
  PROXIED,
  /** Like {@link #PLAIN}, with one HTTP Event Collector that both bridges deliver to. */
  HEC,
  /** Like {@link #HEC}, but the bridges reach the collector through tinyproxy. */
  HEC_BY_PROXY,
  /** Like {@link #HEC}, with a collector that acknowledges. */
  HEC_ACKNOWLEDGED,
  /** Like {@link #HEC}, but the first bridge reaches everything through proxies. */
  HEC_PROXIED,
  /** Like {@link #PLAIN} with one bridge, whose own memory stands in while Redis is away. */
  LOCAL,
  /** Like {@link #PLAIN}, with the first bridge's file on a disk of 96 MiB. Needs root. */
  SMALL_DISK,
  /** Like {@link #PLAIN}, with a second Redis that sentinels promote if the first one fails. */
  STANDBY,
  /**
   * Like {@link #PLAIN} with a Redis Cluster, and as many queues a node as the cluster has masters.
   */
  CLUSTER,
  /** Like {@link #PLAIN}, but the first ingest node's clock is an hour behind. */
  CLOCK_BEHIND,
  /** Like {@link #PLAIN}, but the first ingest node's clock is an hour ahead. */
  CLOCK_AHEAD,
  /** Like {@link #PLAIN}, with a Redis whose clock can be set. */
  SETTABLE_REDIS_CLOCK;

  /** Returns the plan of this lab, made from the plan of a pair. */
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
