package io.duplog.benchmark.plan;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.duplog.benchmark.plan.Costs.Traffic;

/**
 * Hosts of one size that together meet a demand. The senders are split into groups that share
 * nothing. A group has an ingest host for each stream, at least two bridges, and a Redis, for which
 * two cores suffice; if any one host is lost, the others still do the work. Redis, a shim, the
 * rsyslog worker that feeds it, and a queue have one thread each. So each of these processes counts
 * as limited to one processor, which is cautious for rsyslog and the broker.
 *
 * @param cores cores of each host
 * @param groupRate messages a second of each group
 * @param ingestHosts number of ingest hosts in all groups
 * @param bridgeHosts number of bridge hosts in all groups; 0 if each ingest host has a bridge
 * @param busiest greatest share in use of a host's processors, or of the one processor that a
 *     process with one thread can use
 * @param limit what keeps a group from being larger
 */
record Layout(
    int cores,
    long groups,
    double groupRate,
    long ingestHosts,
    long bridgeHosts,
    double busiest,
    String limit) {
  static final double MICROS_A_SECOND = 1e6;
  private static final int LEAST_BRIDGE_HOSTS = 2;

  /**
   * Calculates the hosts for a demand.
   *
   * @param busy share of a processor that may be used
   */
  static Layout of(Demand demand, Costs costs, double busy, int cores) {
    Traffic traffic = demand.traffic();
    int streams = demand.streams();
    double bridge = costs.of(Costs.BRIDGE, traffic);
    double ingest = 0;
    double longest = costs.of(Costs.REDIS, traffic);
    String slowest = Costs.REDIS;
    for (String process : Costs.INGEST) {
      double ofStream = costs.of(process, traffic) / streams;
      ingest += ofStream;
      if (ofStream > longest) {
        longest = ofStream;
        slowest = process;
      }
    }
    double usable = busy * MICROS_A_SECOND;
    boolean byThread = usable / longest <= usable * cores / ingest;
    double most = byThread ? usable / longest : usable * cores / ingest;
    long groups = (long) Math.ceil(demand.rate() / most);
    double rate = demand.rate() / groups;
    double share = rate / MICROS_A_SECOND / cores; // of a host, for each µs that a message costs
    long bridgeHosts = 0;
    double ofIngest = share * (ingest + bridge / streams);
    double ofBridges = 0;
    if (share * (ingest + bridge / (streams - 1)) > busy) {
      bridgeHosts = Math.max(LEAST_BRIDGE_HOSTS, (long) Math.ceil(share * bridge / busy) + 1);
      ofIngest = share * ingest;
      ofBridges = share * bridge / bridgeHosts;
    }
    return new Layout(
        cores,
        groups,
        rate,
        groups * streams,
        groups * bridgeHosts,
        Math.max(share * cores * longest, Math.max(ofIngest, ofBridges)),
        byThread ? "one thread of " + slowest : "an ingest host's processors");
  }

  /** Returns the number of all hosts, including a Redis host for each group. */
  @JsonProperty("hosts")
  long hosts() {
    return ingestHosts + bridgeHosts + groups;
  }

  /** Returns how many seconds it takes to process the backlog of one second of an outage. */
  double catchingUp() {
    return busiest >= 1 ? Double.POSITIVE_INFINITY : busiest / (1 - busiest);
  }

  /** Formats the layout as a line for a terminal. */
  String words(Demand demand) {
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
            PlanFigure.time(catchingUp() * demand.outageSeconds()));
  }
}
