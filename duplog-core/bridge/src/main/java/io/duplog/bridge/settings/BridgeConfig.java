package io.duplog.bridge.settings;

import static java.util.stream.Collectors.joining;

import io.duplog.config.ByteSize;
import io.duplog.config.Checks;
import io.duplog.config.Key;
import io.duplog.config.LogConfig;
import io.duplog.coverage.CoverageConfig;
import io.duplog.dedup.StreamSet;
import io.duplog.deliver.hec.HecSinkConfig;
import io.duplog.lag.LagConfig;
import io.duplog.status.StatusConfig;
import io.duplog.wire.BatchLimits;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The bridge's whole configuration file: every key, its default, its unit and its meaning. */
public record BridgeConfig(
    @Key(
            doc = "Name of this bridge, in logs, metrics and Redis. No two bridges may share it.",
            defaultValue = "${hostname}")
        String name,
    @Key(
            doc =
                "The streams to merge, two to eight; every bridge reads all of them. One more is"
                    + " merged as soon as a bridge begins with it; `duplog streams remove` ends"
                    + " one.")
        List<StreamConfig> streams,
    @Key(doc = "How deliveries are taken from the brokers.") Receive receive,
    @Key(doc = "When a settled batch is acknowledged to its broker.") Settle settle,
    @Key(doc = "How copies of a message are recognised.") DedupConfig dedup,
    @Key(doc = "What tells that a stream lags, or is dead.") LagConfig lag,
    @Key(doc = "Bounds on a batch; a body that exceeds one goes to the dead-letter queue.")
        Limits limits,
    @Key(doc = "Where the merged stream goes.") SinkConfig sink,
    @Key(doc = "What the bridge shows of itself.") StatusConfig status,
    @Key(doc = "Which stream misses messages, by comparing them.") CoverageConfig coverage,
    @Key(
            doc =
                "How long SIGTERM waits until what is in flight is delivered and settled. What"
                    + " is not by then comes again, to this bridge or another.",
            defaultValue = "30s")
        Duration shutdownGrace,
    @Key(doc = "The log.") LogConfig log) {

  private static final ByteSize ONE_BYTE = new ByteSize(1);

  /** The AMQP client's own limit; the client closes a connection on which a larger body arrives. */
  private static final ByteSize LARGEST_BODY = new ByteSize(64 << 20);

  private static final ByteSize LARGEST_BATCH = new ByteSize(1L << 30);
  private static final Duration LONGEST_HOLD = Duration.ofMinutes(25);
  private static final Duration LONGEST_INTERVAL = Duration.ofMinutes(1);
  private static final Duration LONGEST_HEARTBEAT = Duration.ofMinutes(10);

  public BridgeConfig {
    Checks.notBlank("name", name);
    Checks.positive("shutdown-grace", shutdownGrace);
    if (streams.size() < 2) {
      throw Checks.refuse(
          "streams", "must be at least two; with " + streams.size() + " there is nothing to merge");
    }
    if (streams.size() > StreamSet.MOST) {
      throw Checks.refuse(
          "streams", "must be at most " + StreamSet.MOST + ", not " + streams.size());
    }
    if (coverage.statements() != null && dedup.store() == DedupConfig.Store.MEMORY) {
      throw Checks.refuse(
          "coverage", "must have no statements with dedup.store: memory, which keeps no notes");
    }
    @Nullable HecSinkConfig hec = sink.hec();
    if (hec != null && hec.acknowledge() && hec.ackTimeout().compareTo(settle.holdLimit()) >= 0) {
      throw Checks.refuse(
          "sink",
          "must have an hec.ack-timeout shorter than settle.hold-limit, or what waits for its"
              + " acknowledgement is given to other bridges too");
    }
    if (hec != null && hec.requestTimeout().compareTo(settle.holdLimit()) >= 0) {
      throw Checks.refuse(
          "sink",
          "must have an hec.request-timeout shorter than settle.hold-limit, or a collector that"
              + " hangs is noticed too late");
    }
    Set<String> names = new HashSet<>();
    Map<String, String> readBy = new HashMap<>();
    for (StreamConfig stream : streams) {
      if (!names.add(stream.name())) {
        throw Checks.refuse("streams", "must not have the name '" + stream.name() + "' twice");
      }
      for (String queue : stream.queueNames()) {
        String other = readBy.put(stream.broker() + " " + queue, stream.name());
        if (other != null) {
          throw Checks.refuse(
              "streams",
              "must not read one queue twice, as %s and %s do with '%s' of %s"
                  .formatted(other, stream.name(), queue, stream.broker()));
        }
      }
    }
    QueuePriority.check(name, receive, streams);
    checkParts(dedup, streams);
  }

  /**
   * Refuses different queue counts in a cluster, where a message's queue is its part of the ledger
   * and its copies have to meet in one part.
   */
  private static void checkParts(DedupConfig dedup, List<StreamConfig> streams) {
    boolean same = streams.stream().mapToInt(StreamConfig::queueCount).distinct().count() == 1;
    if (dedup.redis().cluster() != null && !same) {
      throw Checks.refuse(
          "streams",
          "must all have the same queue-count where dedup.redis.cluster is there, or a message's"
              + " copies are counted apart");
    }
  }

  /** The configuration section {@code receive}. */
  public record Receive(
      @Key(
              doc =
                  "Most unacknowledged deliveries of one queue that the bridge holds; of several"
                      + " that share a stream's messages, together.",
              defaultValue = "1024",
              unit = "deliveries")
          int prefetch,
      @Key(
              doc =
                  "Bytes of batches, over all streams, at which the bridge asks for no more until"
                      + " it holds less than half. What is on its way then may add half as much.",
              defaultValue = "64MiB")
          ByteSize prefetchBytes,
      @Key(doc = "How long connecting to a broker may take.", defaultValue = "2s")
          Duration connectTimeout,
      @Key(
              doc = "A broker that is silent for twice this long is taken for lost. Whole seconds.",
              defaultValue = "5s")
          Duration heartbeat,
      @Key(
              doc = "Shortest pause before connecting again; the pauses grow and are jittered.",
              defaultValue = "1s")
          Duration retryMin,
      @Key(doc = "Longest pause before connecting again.", defaultValue = "5s") Duration retryMax,
      @Key(
              doc = "Threads that decode, deduplicate and deliver.",
              defaultValue = "2",
              unit = "threads")
          int workers,
      @Key(
              doc =
                  "The names of all bridges, in the same order for each of them, to share out a"
                      + " stream's queues: the first bridge takes from the first queue of every"
                      + " stream before others do, the second from the second, and so on, so that a"
                      + " message's copies meet in one bridge. Without names every queue serves all"
                      + " bridges in turn.",
              defaultValue = "",
              unit = "names")
          List<String> bridges) {

    public Receive {
      Checks.within("prefetch", prefetch, 1, 65_535);
      Checks.within("prefetch-bytes", prefetchBytes, new ByteSize(1 << 20), new ByteSize(1L << 40));
      Checks.positive("connect-timeout", connectTimeout);
      Checks.positive("heartbeat", heartbeat);
      if (heartbeat.toMillis() % 1000 != 0 || heartbeat.compareTo(LONGEST_HEARTBEAT) > 0) {
        throw Checks.refuse("heartbeat", "must be whole seconds, up to 10m");
      }
      Checks.positive("retry-min", retryMin);
      if (retryMax.compareTo(retryMin) < 0) {
        throw Checks.refuse("retry-max", "must not be shorter than retry-min");
      }
      Checks.within("workers", workers, 1, 256);
      if (!bridges.isEmpty()) {
        Checks.distinctNames("bridges", bridges);
      }
    }
  }

  /** The configuration section {@code settle}. */
  public record Settle(
      @Key(
              doc =
                  "each: as soon as a batch may be settled. count: when acknowledge-count of them"
                      + " may. interval: every acknowledge-interval. The latter two acknowledge at"
                      + " once all batches up to the first that may not be settled yet.",
              defaultValue = "each")
          Acknowledge acknowledge,
      @Key(
              doc = "How many, where acknowledge is count. With 1 it is as with each.",
              defaultValue = "50",
              unit = "batches")
          int acknowledgeCount,
      @Key(
              doc =
                  "How often, where acknowledge is interval; and how long at most, where it is"
                      + " count. At most 1m.",
              defaultValue = "100ms")
          Duration acknowledgeInterval,
      @Key(
              doc =
                  "How long a batch may wait for the sink before what other bridges dropped on"
                      + " its account is given back to them to deliver; and, where the sink"
                      + " accepts nothing at all, before the brokers get back all that is held."
                      + " At most 25m: RabbitMQ closes a channel after 30.",
              defaultValue = "5m")
          Duration holdLimit) {

    /** Says when settled batches are acknowledged to their broker. */
    enum Acknowledge {
      EACH,
      COUNT,
      INTERVAL
    }

    public Settle {
      Checks.within("acknowledge-count", acknowledgeCount, 1, 65_535);
      Checks.positive("acknowledge-interval", acknowledgeInterval);
      if (acknowledgeInterval.compareTo(LONGEST_INTERVAL) > 0) {
        throw Checks.refuse("acknowledge-interval", "must not be longer than 1m");
      }
      Checks.positive("hold-limit", holdLimit);
      if (holdLimit.compareTo(LONGEST_HOLD) > 0) {
        throw Checks.refuse("hold-limit", "must not be longer than 25m");
      }
    }
  }

  /** The configuration section {@code limits}. */
  public record Limits(
      @Key(doc = "Largest AMQP body.", defaultValue = "16MiB") ByteSize maxBody,
      @Key(doc = "Largest batch after decompression.", defaultValue = "32MiB") ByteSize maxBatch,
      @Key(doc = "Most messages of a batch.", defaultValue = "100000", unit = "messages")
          int maxMessages,
      @Key(doc = "Longest message.", defaultValue = "1MiB") ByteSize maxMessage) {

    public Limits {
      Checks.within("max-body", maxBody, ONE_BYTE, LARGEST_BODY);
      Checks.within("max-batch", maxBatch, ONE_BYTE, LARGEST_BATCH);
      Checks.within("max-messages", maxMessages, 1, 100_000_000);
      Checks.within("max-message", maxMessage, ONE_BYTE, LARGEST_BATCH);
    }

    /** Converts the limits to the form that the batch decoder needs. */
    public BatchLimits toBatchLimits() {
      return new BatchLimits(
          maxBody.toIntExact(), maxBatch.toIntExact(), maxMessages, maxMessage.toIntExact());
    }
  }

  /** Returns the streams' names for a log, such as {@code syslog-a, syslog-b}. */
  public String streamNames() {
    return streams.stream().map(StreamConfig::name).collect(joining(", "));
  }
}
