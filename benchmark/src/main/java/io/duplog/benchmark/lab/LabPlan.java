package io.duplog.benchmark.lab;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What a lab consists of, and where it lives.
 *
 * @param directory holds everything that it writes; made where it does not exist
 * @param ingest how messages come in
 * @param streams the name of each ingest node's stream; also its Erlang node's name. Of a single
 *     one, see {@link #single}
 * @param bridges how many bridges share the work
 * @param sink where they deliver to
 * @param tuning what differs from the programs' own defaults
 * @param cores how much of the machine's processors all its servers get together, such as 0.5; 0
 *     for no limit. See {@link CpuLimit}
 * @param proxied whether the first bridge reaches everything through a {@link FaultyProxy}
 * @param clockOffset how far the clock of the first ingest node is from the others'; needs
 *     libfaketime where it is not zero
 * @param redundancy what takes the place of a lost Redis
 */
public record LabPlan(
    Path directory,
    LabJars jars,
    Ingest ingest,
    List<String> streams,
    int bridges,
    Sink sink,
    Tuning tuning,
    double cores,
    boolean proxied,
    Duration clockOffset,
    Redundancy redundancy) {

  /** How messages come in. */
  public enum Ingest {
    /** By rsyslog, and its shim confirms every transaction once the broker has. */
    RSYSLOG,
    /** By rsyslog, and its shim answers nothing (omprog with transactions, unconfirmed). */
    RSYSLOG_UNCONFIRMED,
    /** There is no rsyslog: the scenario starts shims and feeds them, see {@link Lab#startShim}. */
    STDIN
  }

  /** What takes the place of a lost Redis. */
  public enum Redundancy {
    /** Nothing: there is one. */
    NONE,
    /** A second one, by sentinels. */
    SENTINELS,
    /** A replica, in a Redis Cluster. */
    CLUSTER
  }

  /** Where the merged stream goes. */
  public enum Sink {
    /** A file of each bridge. */
    FILE,
    /** The standard output of each bridge, which the lab leads into a file. */
    STDOUT,
    /** A {@link HecStandIn} that all bridges deliver to. */
    HEC,
    /** The same, and a message counts as delivered once an indexer has acknowledged it. */
    HEC_ACKNOWLEDGED;

    boolean isHec() {
      return this == HEC || this == HEC_ACKNOWLEDGED;
    }
  }

  public LabPlan {
    streams = List.copyOf(streams);
    if (streams.isEmpty()) {
      throw new IllegalArgumentException("a lab needs one stream at least");
    }
    if (bridges < 1) {
      throw new IllegalArgumentException("a lab needs one bridge at least, was " + bridges);
    }
    if (!(cores >= 0)) {
      throw new IllegalArgumentException("cores must not be negative, was " + cores);
    }
  }

  /** What most sites run: two ingest nodes, two bridges. */
  public static LabPlan pair(Path directory, LabJars jars) {
    return of(directory, jars, List.of("syslog-a", "syslog-b"), 2);
  }

  /**
   * One ingest node and one bridge: what a site has while its other hosts are away. A bridge merges
   * two streams at least, so its configuration names a second one, which is a queue of the same
   * broker that nobody writes to. No second broker takes part, or costs anything.
   *
   * <p>Every digest then waits for a copy that never comes, so Redis remembers all of them until
   * the window ends or its memory is full, when it forgets the oldest.
   */
  public static LabPlan single(Path directory, LabJars jars) {
    return of(directory, jars, List.of("syslog-a"), 1);
  }

  private static LabPlan of(Path directory, LabJars jars, List<String> streams, int bridges) {
    return new LabPlan(
        directory,
        jars,
        Ingest.RSYSLOG,
        streams,
        bridges,
        Sink.FILE,
        Tuning.NONE,
        0,
        false,
        Duration.ZERO,
        Redundancy.NONE);
  }

  /** The same with another way in. */
  public LabPlan withIngest(Ingest chosen) {
    return new LabPlan(
        directory,
        jars,
        chosen,
        streams,
        bridges,
        sink,
        tuning,
        cores,
        proxied,
        clockOffset,
        redundancy);
  }

  /**
   * The same with other ingest nodes.
   *
   * @param names of their streams
   */
  public LabPlan withStreams(List<String> names) {
    return new LabPlan(
        directory,
        jars,
        ingest,
        names,
        bridges,
        sink,
        tuning,
        cores,
        proxied,
        clockOffset,
        redundancy);
  }

  /** The same with another number of bridges. */
  public LabPlan withBridges(int number) {
    return new LabPlan(
        directory,
        jars,
        ingest,
        streams,
        number,
        sink,
        tuning,
        cores,
        proxied,
        clockOffset,
        redundancy);
  }

  /** The same with another sink. */
  public LabPlan withSink(Sink chosen) {
    return new LabPlan(
        directory,
        jars,
        ingest,
        streams,
        bridges,
        chosen,
        tuning,
        cores,
        proxied,
        clockOffset,
        redundancy);
  }

  /** The same with other settings of its programs. */
  public LabPlan withTuning(Tuning chosen) {
    return new LabPlan(
        directory,
        jars,
        ingest,
        streams,
        bridges,
        sink,
        chosen,
        cores,
        proxied,
        clockOffset,
        redundancy);
  }

  /** The same with all servers held to this much of the processors. */
  public LabPlan withCores(double limit) {
    return new LabPlan(
        directory,
        jars,
        ingest,
        streams,
        bridges,
        sink,
        tuning,
        limit,
        proxied,
        clockOffset,
        redundancy);
  }

  /** The same with a network between the first bridge and the rest that can be disturbed. */
  public LabPlan withProxies() {
    return new LabPlan(
        directory,
        jars,
        ingest,
        streams,
        bridges,
        sink,
        tuning,
        cores,
        true,
        clockOffset,
        redundancy);
  }

  /** The same with an ingest node whose clock is wrong. */
  public LabPlan withClockOffset(Duration offset) {
    return new LabPlan(
        directory,
        jars,
        ingest,
        streams,
        bridges,
        sink,
        tuning,
        cores,
        proxied,
        offset,
        redundancy);
  }

  /** The same with Redis servers of which one takes another's place. */
  public LabPlan withRedundancy(Redundancy chosen) {
    return new LabPlan(
        directory,
        jars,
        ingest,
        streams,
        bridges,
        sink,
        tuning,
        cores,
        proxied,
        clockOffset,
        chosen);
  }
}
