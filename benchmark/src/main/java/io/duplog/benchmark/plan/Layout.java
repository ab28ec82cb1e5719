package io.duplog.benchmark.plan;

/**
 * Hosts of one size that together do what is demanded.
 *
 * @param cores of each host
 * @param groups that the senders are split into, each a Duplog of its own; nothing is shared
 * @param groupRate messages a second of each
 * @param bridgesBeside whether the bridges are on the ingest hosts
 * @param ingestHosts of all groups
 * @param bridgeHosts the same; 0 where they are on the ingest hosts
 * @param redisHosts the same; two cores suffice for each, whatever the size of the others
 * @param busiest the greatest share that is used of a host's processors, or of the one processor
 *     that a process with one thread can use
 * @param limit what keeps a group from being larger
 */
record Layout(
    int cores,
    long groups,
    double groupRate,
    boolean bridgesBeside,
    long ingestHosts,
    long bridgeHosts,
    long redisHosts,
    double busiest,
    String limit) {

  long hosts() {
    return ingestHosts + bridgeHosts + redisHosts;
  }

  /** How long a backlog takes that came in within a second. */
  double catchingUp() {
    return busiest >= 1 ? Double.POSITIVE_INFINITY : busiest / (1 - busiest);
  }
}
