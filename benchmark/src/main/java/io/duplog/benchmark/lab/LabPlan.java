package io.duplog.benchmark.lab;

import io.duplog.benchmark.lab.proxy.FaultyProxy;
import io.duplog.wire.Topology;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Describes which servers a lab consists of, and how they are configured. Each method {@code with…}
 * changes the plan and returns it.
 */
public final class LabPlan {
  /** The way in which messages enter the lab. */
  public enum Ingest {
    /** Rsyslog, whose shim confirms each transaction after the broker has confirmed it. */
    RSYSLOG,
    /** Rsyslog with omprog's transactions, but without confirmations by its shim. */
    RSYSLOG_UNCONFIRMED,
    /** Rsyslog without omprog's transactions. It writes one line for each message to its shim. */
    RSYSLOG_LINES,
    /** Rsyslog whose omelasticsearch sends each transaction as one request to a listening shim. */
    RSYSLOG_BULK,
    /** No rsyslog: a listening shim takes events from clients of HTTP Event Collector. */
    HEC,
    /** No rsyslog: the scenario starts shims with {@link Lab#startShim} and writes to them. */
    STDIN
  }

  /** The servers that take over from a failed Redis. */
  public enum Redundancy {
    /** A single Redis; no other server takes over if it fails. */
    NONE,
    /** A replica of a single master; sentinels promote the replica if the master fails. */
    SENTINELS,
    /** A Redis Cluster, in which each master has a replica. */
    CLUSTER
  }

  /** The destination of the merged stream. */
  public enum Sink {
    /** Files: each bridge writes its own file. */
    FILE,
    /** The standard output of each bridge, which the lab redirects to a file. */
    STDOUT,
    /** A {@link HecStandIn} to which all bridges deliver. */
    HEC,
    /** A {@link HecStandIn} that bridges reach through an HTTP proxy; needs tinyproxy. */
    HEC_BY_PROXY,
    /** A {@link HecStandIn} with indexer acknowledgement, which bridges wait for. */
    HEC_ACKNOWLEDGED,
    /** A {@link HecStandIn}, and a file of each bridge. Both sinks are required. */
    HEC_AND_FILE,
    /** A {@link HecStandIn}, and an archive of each bridge. Both sinks are required. */
    HEC_AND_ARCHIVE,
    /** Two {@link HecStandIn}s, to each of which all bridges deliver. Both are required. */
    TWO_HECS,
    /** A {@link HecStandIn}, and a broker of Kafka. Both sinks are required. */
    HEC_AND_KAFKA,
    /** A {@link HecStandIn}, and a syslog server that reads nothing and is not required. */
    HEC_AND_HUNG_SYSLOG;

    boolean isHec() {
      return this != FILE && this != STDOUT;
    }

    boolean isSeveral() {
      return switch (this) {
        case FILE, STDOUT, HEC, HEC_BY_PROXY, HEC_ACKNOWLEDGED -> false;
        case HEC_AND_FILE, HEC_AND_ARCHIVE, TWO_HECS, HEC_AND_KAFKA, HEC_AND_HUNG_SYSLOG -> true;
      };
    }
  }

  final Path directory;
  final LabJars jars;
  List<String> streams = List.of("syslog-a", "syslog-b");
  int bridges = 2;
  Ingest ingest = Ingest.RSYSLOG;
  Sink sink = Sink.FILE;
  @Nullable Path kafkaJars;
  Tuning tuning = Tuning.NONE;
  boolean hasProxies;
  Duration clockOffset = Duration.ZERO;
  boolean settableRedisClock;
  Redundancy redundancy = Redundancy.NONE;
  boolean hasDurableQueue;
  String maxDiskSpace = "1g";
  boolean hasEncryptedClients;

  /** The value of {@code queue-type} in the configuration of shims and bridges. */
  String queueType = "classic";

  @Nullable Class<?> publisher;
  @Nullable Class<?> merger;

  private LabPlan(Path directory, LabJars jars) {
    this.directory = directory;
    this.jars = jars;
  }

  /**
   * Plans two ingest nodes and two bridges, as most sites run them.
   *
   * @param directory directory of all files that the lab writes; created if it does not exist
   */
  public static LabPlan pair(Path directory, LabJars jars) {
    return new LabPlan(directory, jars);
  }

  /**
   * Plans one ingest node and one bridge, as a site runs while its other hosts are unavailable. A
   * bridge merges at least two streams, so its configuration names a second stream: an empty queue
   * of the same broker. No second broker takes part, or costs anything.
   *
   * <p>Every digest then waits for a copy that never arrives. So Redis remembers each digest until
   * the window ends, or until its memory is full and it forgets the oldest.
   */
  public static LabPlan single(Path directory, LabJars jars) {
    return pair(directory, jars).withStreams(List.of("syslog-a")).withBridges(1);
  }

  /** Sets how messages enter the lab; {@link Ingest#RSYSLOG} by default. */
  public LabPlan withIngest(Ingest newIngest) {
    ingest = newIngest;
    return this;
  }

  /**
   * Replaces the ingest nodes.
   *
   * @param names at least one name, each of them for a stream and for the Erlang node of its broker
   */
  public LabPlan withStreams(List<String> names) {
    streams = List.copyOf(names);
    return this;
  }

  /** Sets the number of bridges that share the work, at least one. */
  public LabPlan withBridges(int number) {
    bridges = number;
    return this;
  }

  /** Sets the sink; {@link Sink#FILE} by default. Kafka needs {@link #withKafka}. */
  public LabPlan withSink(Sink newSink) {
    sink = newSink;
    return this;
  }

  /**
   * Sets {@link Sink#HEC_AND_KAFKA}.
   *
   * @param jars folder with the jars of Kafka's broker
   */
  public LabPlan withKafka(Path jars) {
    kafkaJars = jars;
    return withSink(Sink.HEC_AND_KAFKA);
  }

  /** Sets configuration values that differ from the programs' defaults. */
  public LabPlan withTuning(Tuning newTuning) {
    tuning = newTuning;
    return this;
  }

  /** Puts a {@link FaultyProxy} between the first bridge and each server that it connects to. */
  public LabPlan withProxies() {
    hasProxies = true;
    return this;
  }

  /**
   * Shifts the clock of the first ingest node's rsyslog and shim by an offset. Needs libfaketime.
   */
  public LabPlan withClockOffset(Duration offset) {
    clockOffset = offset;
    return this;
  }

  /** Gives the single Redis a clock that can be set. Needs gcc. */
  public LabPlan withSettableRedisClock() {
    settableRedisClock = true;
    return this;
  }

  /**
   * Replaces shims and bridges with other programs on this class path. Both use Duplog's default
   * queue. Their only configuration is ports.
   *
   * @param publisherClass replaces the shim; its {@code main} gets the port of its broker
   * @param mergerClass replaces the bridge; its {@code main} gets the port of Redis and those of
   *     all brokers
   */
  public LabPlan withPrograms(Class<?> publisherClass, Class<?> mergerClass) {
    publisher = publisherClass;
    merger = mergerClass;
    return this;
  }

  /** Sets the type of the nodes' queues; {@link Topology.QueueType#CLASSIC} by default. */
  public LabPlan withQueueType(Topology.QueueType newQueueType) {
    queueType = newQueueType.name().toLowerCase(Locale.ROOT);
    return this;
  }

  /**
   * Gives each rsyslog the queue of {@code duplog init --durable-queue}. Needs rsyslog 8.2608.
   *
   * @param limit maximum size of the queue, in rsyslog's units
   */
  public LabPlan withDurableQueue(String limit) {
    hasDurableQueue = true;
    maxDiskSpace = limit;
    return this;
  }

  /** Makes clients of HTTP Event Collector connect to the shims by TLS. */
  public LabPlan withEncryptedClients() {
    hasEncryptedClients = true;
    return this;
  }

  /** Sets the servers that take over if a Redis fails; {@link Redundancy#NONE} by default. */
  public LabPlan withRedundancy(Redundancy newRedundancy) {
    redundancy = newRedundancy;
    return this;
  }
}
