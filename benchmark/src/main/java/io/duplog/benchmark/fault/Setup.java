package io.duplog.benchmark.fault;

import io.duplog.benchmark.lab.LabPlan;
import io.duplog.benchmark.lab.LabRedisCluster;
import io.duplog.benchmark.lab.Tuning;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/** What lab a fault needs. */
public enum Setup {
  /** Two ingest nodes, Redis, two bridges that write files. */
  PLAIN(pair -> pair),
  /** One ingest node and one bridge: no other path makes up for what is lost. */
  SINGLE(pair -> pair.withStreams(List.of("syslog-a")).withBridges(1)),
  /** The same as plain, and the first bridge reaches everything through proxies. */
  PROXIED(LabPlan::withProxies),
  /** The same as plain, with one HTTP Event Collector that both bridges deliver to. */
  HEC(pair -> pair.withSink(LabPlan.Sink.HEC)),
  /** The same as with a collector, which acknowledges. */
  HEC_ACKNOWLEDGED(pair -> pair.withSink(LabPlan.Sink.HEC_ACKNOWLEDGED)),
  /** The same as with a collector, and the first bridge reaches everything through proxies. */
  HEC_PROXIED(pair -> pair.withSink(LabPlan.Sink.HEC).withProxies()),
  /** The same as plain with one bridge, which deduplicates by itself while Redis is away. */
  LOCAL(
      pair ->
          pair.withBridges(1)
              .withTuning(Tuning.NONE.withBridge("dedup.when-unavailable", "local"))),
  /** The same as plain, with the first bridge's file on a disk of a few megabytes. Needs root. */
  SMALL_DISK(pair -> pair),
  /** The same as plain, with a second Redis that sentinels have take the first one's place. */
  STANDBY(pair -> pair.withRedundancy(LabPlan.Redundancy.SENTINELS)),
  /** The same as plain with a Redis Cluster, and as many queues a node as it has masters. */
  CLUSTER(
      pair ->
          pair.withRedundancy(LabPlan.Redundancy.CLUSTER)
              .withTuning(Tuning.NONE.withQueues(LabRedisCluster.MASTERS))),
  /** The first ingest node's clock is an hour behind. */
  CLOCK_BEHIND(pair -> pair.withClockOffset(Duration.ofHours(-1))),
  /** The first ingest node's clock is an hour ahead. */
  CLOCK_AHEAD(pair -> pair.withClockOffset(Duration.ofHours(1))),
  /** The same as plain, with a Redis whose clock can be set. */
  SETTABLE_REDIS_CLOCK(LabPlan::withSettableRedisClock);

  private final UnaryOperator<LabPlan> change;

  Setup(UnaryOperator<LabPlan> change) {
    this.change = change;
  }

  /** Makes it of a pair. */
  public LabPlan of(LabPlan pair) {
    return change.apply(pair);
  }
}
