package io.duplog.benchmark.plan;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.duplog.benchmark.plan.Costs.Traffic;

/**
 * The hosts of one size that a planned installation needs, and what each of them does.
 *
 * <p>The senders are split into independent groups. A group has an ingest host for each stream, at
 * least two bridges, and a Redis, for which two cores suffice. If any one host is lost, the others
 * still do the work. Redis, a shim, the rsyslog worker that writes to it, and a queue have one
 * thread each. So each of these processes counts as limited to one processor, which is cautious for
 * rsyslog and the broker.
 *
 * @param cores cores of each host
 * @param groupRate messages per second of each group
 * @param ingestHosts number of ingest hosts in all groups
 * @param bridgeHosts number of bridge hosts in all groups; 0 if each ingest host has a bridge
 * @param busiest maximum used fraction of a host's processors, or of the one processor that a
 *     process with one thread can use
 * @param limit the part that limits the size of a group
 */
record Layout(
    int cores,
    long groups,
    double groupRate,
    long ingestHosts,
    long bridgeHosts,
    double busiest,
    String limit) {
  static final double MICROS_PER_SECOND = 1e6;
  private static final int MIN_BRIDGE_HOSTS = 2;

  /**
   * Calculates the hosts for a demand.
   *
   * @param busy fraction of a processor that may be used
   */
  static Layout of(Demand demand, Costs costs, double busy, int cores) {
    Traffic traffic = demand.traffic();
    int streams = demand.streams();
    double bridgeMicros = costs.micros(Costs.BRIDGE, traffic);
    double ingestMicros = 0;
    double slowestMicros = costs.micros(Costs.REDIS, traffic);
    String slowestProcess = Costs.REDIS;
    for (String process : Costs.INGEST_PROCESSES) {
      double streamMicros = costs.micros(process, traffic) / streams;
      ingestMicros += streamMicros;
      if (streamMicros > slowestMicros) {
        slowestMicros = streamMicros;
        slowestProcess = process;
      }
    }
    double usableMicros = busy * MICROS_PER_SECOND;
    boolean isThreadLimited = usableMicros / slowestMicros <= usableMicros * cores / ingestMicros;
    double maxGroupRate =
        isThreadLimited ? usableMicros / slowestMicros : usableMicros * cores / ingestMicros;
    long groups = (long) Math.ceil(demand.rate() / maxGroupRate);
    double rate = demand.rate() / groups;
    double hostFractionPerMicro =
        rate
            / MICROS_PER_SECOND
            / cores; // Used fraction of a host for each µs that a message costs.
    long bridgeHosts = 0;
    double ingestHostUse = hostFractionPerMicro * (ingestMicros + bridgeMicros / streams);
    double bridgeHostUse = 0;
    if (hostFractionPerMicro * (ingestMicros + bridgeMicros / (streams - 1)) > busy) {
      bridgeHosts =
          Math.max(
              MIN_BRIDGE_HOSTS, (long) Math.ceil(hostFractionPerMicro * bridgeMicros / busy) + 1);
      ingestHostUse = hostFractionPerMicro * ingestMicros;
      bridgeHostUse = hostFractionPerMicro * bridgeMicros / bridgeHosts;
    }
    return new Layout(
        cores,
        groups,
        rate,
        groups * streams,
        groups * bridgeHosts,
        Math.max(
            hostFractionPerMicro * cores * slowestMicros, Math.max(ingestHostUse, bridgeHostUse)),
        isThreadLimited ? "one thread of " + slowestProcess : "an ingest host's processors");
  }

  /** Returns the number of all hosts, including a Redis host for each group. */
  @JsonProperty("hosts")
  long hosts() {
    return ingestHosts + bridgeHosts + groups;
  }

  /** Returns how many seconds it takes to process the backlog of one second of an outage. */
  double secondsToCatchUp() {
    return busiest >= 1 ? Double.POSITIVE_INFINITY : busiest / (1 - busiest);
  }

  /** Formats the layout as a line for a terminal. */
  String text(Demand demand) {
    return ("  %,6d of %2d cores: %,d group%s of %,.0f messages/s (limit: %s), %,d ingest %s, %,d"
            + " for Redis (2 cores); busiest %.0f %%; backlog of %s gone in %s")
        .formatted(
            hosts(),
            cores,
            groups,
            groups == 1 ? "" : "s",
            groupRate,
            limit,
            ingestHosts,
            bridgeHosts == 0 ? "with a bridge each" : "+ %,d for bridges".formatted(bridgeHosts),
            groups,
            100 * busiest,
            PlanFigure.time(demand.outageSeconds()),
            PlanFigure.time(secondsToCatchUp() * demand.outageSeconds()));
  }
}
