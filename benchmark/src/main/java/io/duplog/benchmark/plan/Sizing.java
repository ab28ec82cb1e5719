package io.duplog.benchmark.plan;

/**
 * Counts hosts. A group has an ingest host for each stream, at least two bridges, and a Redis;
 * whatever one host is gone, the others still do the work. Redis has one thread, and so have a
 * shim, the worker of rsyslog that feeds it, and a queue: each is held to one processor, which is
 * cautious for rsyslog and the broker.
 */
final class Sizing {
  private static final double MICROS_A_SECOND = 1e6;
  private static final int LEAST_BRIDGE_HOSTS = 2;

  private final Demand demand;
  private final double ingest;
  private final double bridge;
  private final double longest;
  private final String slowest;

  Sizing(Demand demand, Costs costs) {
    this.demand = demand;
    Traffic traffic = demand.traffic();
    double sum = 0;
    double most = costs.of(Station.REDIS).of(traffic);
    Station slow = Station.REDIS;
    for (Station station : new Station[] {Station.RSYSLOG, Station.SHIM, Station.BROKER}) {
      double ofStream = costs.of(station).of(traffic) / demand.streams();
      sum += ofStream;
      if (ofStream > most) {
        most = ofStream;
        slow = station;
      }
    }
    this.ingest = sum;
    this.bridge = costs.of(Station.BRIDGE).of(traffic);
    this.longest = most;
    this.slowest = slow.toString();
  }

  /**
   * @param cores of each host
   */
  Layout of(int cores) {
    double usable = demand.busy() * MICROS_A_SECOND;
    double byThread = usable / longest;
    double byHost = usable * cores / ingest;
    long groups = (long) Math.ceil(demand.rate() / Math.min(byThread, byHost));
    double rate = demand.rate() / groups;
    double share = rate / MICROS_A_SECOND;
    double left = demand.busy() * cores;
    boolean beside = share * (ingest + bridge / (demand.streams() - 1)) <= left;
    long bridgeHosts = 0;
    double busiest = share * longest;
    if (beside) {
      busiest = Math.max(busiest, share * (ingest + bridge / demand.streams()) / cores);
    } else {
      long needed = (long) Math.ceil(share * bridge / left);
      bridgeHosts = Math.max(LEAST_BRIDGE_HOSTS, needed + 1);
      busiest = Math.max(busiest, share * ingest / cores);
      busiest = Math.max(busiest, share * bridge / bridgeHosts / cores);
    }
    return new Layout(
        cores,
        groups,
        rate,
        beside,
        groups * demand.streams(),
        groups * bridgeHosts,
        groups,
        busiest,
        byThread <= byHost ? "one thread of " + slowest : "an ingest host's processors");
  }
}
