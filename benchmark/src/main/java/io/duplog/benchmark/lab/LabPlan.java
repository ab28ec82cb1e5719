package io.duplog.benchmark.lab;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What a lab consists of, and where it lives.
 *
 * @param directory holds everything that it writes; made where it does not exist
 * @param streams the name of each ingest node's stream; also its Erlang node's name
 * @param bridges how many bridges share the work
 * @param sink where they deliver to
 * @param proxied whether the first bridge reaches everything through a {@link FaultyProxy}
 * @param clockOffset how far the clock of the first ingest node is from the others'; needs
 *     libfaketime where it is not zero
 */
public record LabPlan(
    Path directory,
    LabJars jars,
    List<String> streams,
    int bridges,
    Sink sink,
    boolean proxied,
    Duration clockOffset) {

  /** Where the merged stream goes. */
  public enum Sink {
    /** A file of each bridge. */
    FILE,
    /** A {@link HecStandIn} that all bridges deliver to. */
    HEC,
    /** The same, and a message counts as delivered once an indexer has acknowledged it. */
    HEC_ACKNOWLEDGED
  }

  public LabPlan {
    streams = List.copyOf(streams);
    if (streams.size() < 2) {
      throw new IllegalArgumentException("a lab needs two streams at least, was " + streams);
    }
    if (bridges < 1) {
      throw new IllegalArgumentException("a lab needs one bridge at least, was " + bridges);
    }
  }

  /** What most sites run: two ingest nodes, two bridges. */
  public static LabPlan pair(Path directory, LabJars jars) {
    return new LabPlan(
        directory, jars, List.of("syslog-a", "syslog-b"), 2, Sink.FILE, false, Duration.ZERO);
  }

  /** The same with another sink. */
  public LabPlan withSink(Sink chosen) {
    return new LabPlan(directory, jars, streams, bridges, chosen, proxied, clockOffset);
  }

  /** The same with a network between the first bridge and the rest that can be disturbed. */
  public LabPlan withProxies() {
    return new LabPlan(directory, jars, streams, bridges, sink, true, clockOffset);
  }

  /** The same with an ingest node whose clock is wrong. */
  public LabPlan withClockOffset(Duration offset) {
    return new LabPlan(directory, jars, streams, bridges, sink, proxied, offset);
  }
}
