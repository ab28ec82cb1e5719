package io.duplog.benchmark.lab;

import static com.google.common.base.Preconditions.checkArgument;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** What a lab consists of, and where it lives. Never changed: each {@code with…} makes another. */
public final class LabPlan {
  /** How messages come in. */
  public enum Ingest {
    /** By rsyslog, and its shim confirms every transaction once the broker has. */
    RSYSLOG,
    /** By rsyslog, and its shim answers nothing (omprog with transactions, unconfirmed). */
    RSYSLOG_UNCONFIRMED,
    /** There is no rsyslog: the scenario starts shims and feeds them, see {@link Lab#startShim}. */
    STDIN
  }

  /** Whether the clock of a lone Redis can be set; needs gcc. */
  boolean settableRedisClock() {
    return settableRedisClock;
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

  private final Path directory;
  private final LabJars jars;
  private List<String> streams;
  private int bridges;
  private Ingest ingest = Ingest.RSYSLOG;
  private Sink sink = Sink.FILE;
  private Tuning tuning = Tuning.NONE;
  private double cores;
  private boolean proxied;
  private Duration clockOffset = Duration.ZERO;
  private boolean settableRedisClock;
  private Redundancy redundancy = Redundancy.NONE;

  private LabPlan(Path directory, LabJars jars, List<String> streams, int bridges) {
    this.directory = directory;
    this.jars = jars;
    this.streams = streams;
    this.bridges = bridges;
  }

  /** What most sites run: two ingest nodes, two bridges. */
  public static LabPlan pair(Path directory, LabJars jars) {
    return new LabPlan(directory, jars, List.of("syslog-a", "syslog-b"), 2);
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
    return new LabPlan(directory, jars, List.of("syslog-a"), 1);
  }

  private LabPlan changed(Consumer<LabPlan> change) {
    LabPlan other = new LabPlan(directory, jars, streams, bridges);
    other.ingest = ingest;
    other.sink = sink;
    other.tuning = tuning;
    other.cores = cores;
    other.proxied = proxied;
    other.clockOffset = clockOffset;
    other.settableRedisClock = settableRedisClock;
    other.redundancy = redundancy;
    change.accept(other);
    return other;
  }

  /** The same with another way in. */
  public LabPlan withIngest(Ingest chosen) {
    return changed(plan -> plan.ingest = chosen);
  }

  /**
   * The same with other ingest nodes.
   *
   * @param names of their streams, one at least
   */
  public LabPlan withStreams(List<String> names) {
    checkArgument(!names.isEmpty(), "a lab needs one stream at least");
    return changed(plan -> plan.streams = List.copyOf(names));
  }

  /** The same with another number of bridges, one at least. */
  public LabPlan withBridges(int number) {
    checkArgument(number > 0, "a lab needs one bridge at least, was %s", number);
    return changed(plan -> plan.bridges = number);
  }

  /** The same with another sink. */
  public LabPlan withSink(Sink chosen) {
    return changed(plan -> plan.sink = chosen);
  }

  /** The same with other settings of its programs. */
  public LabPlan withTuning(Tuning chosen) {
    return changed(plan -> plan.tuning = chosen);
  }

  /** The same with all servers held to this much of the processors. */
  public LabPlan withCores(double limit) {
    checkArgument(limit >= 0, "cores must not be negative, was %s", limit);
    return changed(plan -> plan.cores = limit);
  }

  /** The same with a network between the first bridge and the rest that can be disturbed. */
  public LabPlan withProxies() {
    return changed(plan -> plan.proxied = true);
  }

  /** The same with an ingest node whose clock is wrong. */
  public LabPlan withClockOffset(Duration offset) {
    return changed(plan -> plan.clockOffset = offset);
  }

  /** The same with one Redis whose clock can be set. */
  public LabPlan withSettableRedisClock() {
    return changed(plan -> plan.settableRedisClock = true);
  }

  /** The same with Redis servers of which one takes another's place. */
  public LabPlan withRedundancy(Redundancy chosen) {
    return changed(plan -> plan.redundancy = chosen);
  }

  /** Holds everything that the lab writes; made where it does not exist. */
  Path directory() {
    return directory;
  }

  LabJars jars() {
    return jars;
  }

  /** How messages come in. */
  Ingest ingest() {
    return ingest;
  }

  /**
   * The name of each ingest node's stream; also its Erlang node's name. Of a single one, see {@link
   * #single}.
   */
  List<String> streams() {
    return streams;
  }

  /** How many bridges share the work. */
  int bridges() {
    return bridges;
  }

  /** Where the bridges deliver to. */
  Sink sink() {
    return sink;
  }

  /** What differs from the programs' own defaults. */
  Tuning tuning() {
    return tuning;
  }

  /**
   * How much of the machine's processors all its servers get together, such as 0.5; 0 for no limit.
   * See {@link CpuLimit}.
   */
  double cores() {
    return cores;
  }

  /** Whether the first bridge reaches everything through a {@link FaultyProxy}. */
  boolean proxied() {
    return proxied;
  }

  /**
   * How far the clock of the first ingest node is from the others'; needs libfaketime where it is
   * not zero.
   */
  Duration clockOffset() {
    return clockOffset;
  }

  /** What takes the place of a lost Redis. */
  Redundancy redundancy() {
    return redundancy;
  }
}
