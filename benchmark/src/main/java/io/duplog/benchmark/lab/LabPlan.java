package io.duplog.benchmark.lab;

import static com.google.common.base.Preconditions.checkArgument;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a lab consists of, and where it lives. Each {@code with…} changes it, and returns it. */
public final class LabPlan {
  /** How messages come in. */
  public enum Ingest {
    /** By rsyslog, and its shim confirms every transaction once the broker has. */
    RSYSLOG,
    /** By rsyslog, and its shim answers nothing (omprog with transactions, unconfirmed). */
    RSYSLOG_UNCONFIRMED,
    /** By rsyslog, which gives its shim one line a message (omprog without transactions). */
    RSYSLOG_LINES,
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
    /** The same, which they reach by an HTTP proxy; needs tinyproxy. */
    HEC_BY_PROXY,
    /** The same as HEC, and a message counts as delivered once an indexer has acknowledged it. */
    HEC_ACKNOWLEDGED;

    boolean isHec() {
      return this == HEC || this == HEC_BY_PROXY || this == HEC_ACKNOWLEDGED;
    }
  }

  final Path directory;
  final LabJars jars;
  List<String> streams;
  int bridges;
  Ingest ingest = Ingest.RSYSLOG;
  Sink sink = Sink.FILE;
  Tuning tuning = Tuning.NONE;
  boolean proxied;
  Duration clockOffset = Duration.ZERO;
  boolean settableRedisClock;
  Redundancy redundancy = Redundancy.NONE;
  @Nullable Class<?> publisher;
  @Nullable Class<?> merger;

  private LabPlan(Path directory, LabJars jars, List<String> streams, int bridges) {
    this.directory = directory;
    this.jars = jars;
    this.streams = streams;
    this.bridges = bridges;
  }

  /**
   * What most sites run: two ingest nodes, two bridges.
   *
   * @param directory holds everything that the lab writes; made where it does not exist
   */
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

  /** Another way in than by rsyslogs that wait for confirmation. */
  public LabPlan withIngest(Ingest chosen) {
    ingest = chosen;
    return this;
  }

  /**
   * Other ingest nodes.
   *
   * @param names of their streams, one at least; also those of their Erlang nodes
   */
  public LabPlan withStreams(List<String> names) {
    checkArgument(!names.isEmpty(), "a lab needs one stream at least");
    streams = List.copyOf(names);
    return this;
  }

  /** Another number of bridges that share the work, one at least. */
  public LabPlan withBridges(int number) {
    checkArgument(number > 0, "a lab needs one bridge at least, was %s", number);
    bridges = number;
    return this;
  }

  /** Another sink than files. */
  public LabPlan withSink(Sink chosen) {
    sink = chosen;
    return this;
  }

  /** What differs from the programs' own defaults. */
  public LabPlan withTuning(Tuning chosen) {
    tuning = chosen;
    return this;
  }

  /** A network between the first bridge and the rest that can be disturbed. */
  public LabPlan withProxies() {
    proxied = true;
    return this;
  }

  /** A first ingest node whose clock is wrong by this; needs libfaketime. */
  public LabPlan withClockOffset(Duration offset) {
    clockOffset = offset;
    return this;
  }

  /** One Redis whose clock can be set; needs gcc. */
  public LabPlan withSettableRedisClock() {
    settableRedisClock = true;
    return this;
  }

  /**
   * Programs of this class path in place of shims and bridges. They use the queue that is Duplog's
   * by default, and are not configured otherwise.
   *
   * @param publishing its {@code main} gets the port of its broker
   * @param merging its {@code main} gets the port of Redis, and those of all brokers
   */
  public LabPlan withPrograms(Class<?> publishing, Class<?> merging) {
    publisher = publishing;
    merger = merging;
    return this;
  }

  /** Redis servers of which one takes another's place. */
  public LabPlan withRedundancy(Redundancy chosen) {
    redundancy = chosen;
    return this;
  }
}
