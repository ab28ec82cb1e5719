package io.duplog.bridge;

import static java.util.stream.Collectors.joining;

import io.duplog.config.ByteSize;
import io.duplog.config.Checks;
import io.duplog.config.Key;
import io.duplog.config.LogConfig;
import io.duplog.config.Secret;
import io.duplog.coverage.CoverageConfig;
import io.duplog.dedup.Identity;
import io.duplog.dedup.StreamSet;
import io.duplog.deliver.hec.HecSinkConfig;
import io.duplog.lag.LagConfig;
import io.duplog.status.StatusConfig;
import io.duplog.tls.TlsConfig;
import io.duplog.wire.BatchLimits;
import io.duplog.wire.Topology;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The bridge's whole configuration file: every key, its default, its unit and its meaning. */
record BridgeConfig(
    @Key(
            doc = "Name of this bridge, in logs, metrics and Redis. No two bridges may share it.",
            defaultValue = "${hostname}")
        String name,
    @Key(
            doc =
                "The streams to merge, two to eight; every bridge reads all of them. One more is"
                    + " merged as soon as a bridge begins with it; `duplog streams remove` ends"
                    + " one.")
        List<Stream> streams,
    @Key(doc = "How deliveries are taken from the brokers.") Receive receive,
    @Key(doc = "When a settled batch is acknowledged to its broker.") Settle settle,
    @Key(doc = "How copies of a message are recognised.") Dedup dedup,
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
  private static final ByteSize LARGEST_BATCH = new ByteSize(1L << 30);
  private static final Duration LONGEST_HOLD = Duration.ofMinutes(25);
  private static final Duration LONGEST_HEARTBEAT = Duration.ofMinutes(10);

  BridgeConfig {
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
    @Nullable HecSinkConfig hec = sink.hec();
    if (hec != null && hec.acknowledge() && hec.ackTimeout().compareTo(settle.holdLimit()) >= 0) {
      throw Checks.refuse(
          "sink",
          "must have an hec.ack-timeout shorter than settle.hold-limit, or what waits for its"
              + " acknowledgement is given to other bridges too");
    }
    Set<String> names = new HashSet<>();
    Map<String, String> readBy = new HashMap<>();
    for (Stream stream : streams) {
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
    Preference.check(name, receive, streams);
    checkParts(dedup, streams);
  }

  /** In a cluster a message's queue is its part, so that its copies meet in one. */
  private static void checkParts(Dedup dedup, List<Stream> streams) {
    boolean same = streams.stream().mapToInt(Stream::queueCount).distinct().count() == 1;
    if (dedup.redis().cluster() != null && !same) {
      throw Checks.refuse(
          "streams",
          "must all have the same queue-count where dedup.redis.cluster is there, or a message's"
              + " copies are counted apart");
    }
  }

  /** An element of {@code streams}: an ingest node's broker and the queues to read there. */
  record Stream(
      @Key(
              doc =
                  "Name of the stream. It must be the one that the shim of that node has, and"
                      + " the same in every bridge.",
              example = "syslog-a")
          String name,
      @Key(doc = "The broker's host name or address.", defaultValue = "127.0.0.1") String host,
      @Key(doc = "The broker's AMQP port.", defaultValue = "5672", unit = "port") int port,
      @Key(doc = "The broker's virtual host.", defaultValue = "/") String virtualHost,
      @Key(doc = "User at the broker.", defaultValue = "guest") String user,
      @Key(
              doc =
                  "The user's password: literally, or better as ${env:NAME} or ${file:/path},"
                      + " as is possible for every value.",
              defaultValue = "guest")
          Secret password,
      @Key(
              doc = "Queues to read. Whichever of shim and bridge comes first declares them.",
              defaultValue = Topology.DEFAULT_QUEUE)
          List<String> queues,
      @Key(doc = "Type of these queues; the shim must have the same.", defaultValue = "classic")
          Topology.QueueType queueType,
      @Key(
              doc =
                  "How many queues share the messages of each of these: the one named, and those"
                      + " named like it with .1, .2 and so on behind. As the shim has it, but raised"
                      + " here first and lowered here last: what nobody reads is not delivered.",
              defaultValue = "1",
              unit = "queues")
          int queueCount,
      @Key(
              doc =
                  "The broker is spoken to in TLS where this section is there, if only as {}. The"
                      + " broker's port for it is mostly 5671. Every file may be replaced at any"
                      + " time.",
              whereWanted = true)
          @Nullable TlsConfig tls) {

    Stream {
      if (!Topology.isStreamName(name)) {
        throw Checks.refuse(
            "name",
            "must be lower-case letters, digits, '.', '_' and '-', beginning with a letter or"
                + " digit,"
                + " not '"
                + name
                + "'");
      }
      Checks.notBlank("host", host);
      Checks.port("port", port);
      Checks.notBlank("virtual-host", virtualHost);
      Checks.notBlank("user", user);
      Checks.distinctNames("queues", queues);
      Checks.within("queue-count", queueCount, 1, Topology.MOST_QUEUES);
    }

    /** Every queue to read, in the order of their numbers. */
    List<String> queueNames() {
      return queues.stream().flatMap(queue -> Topology.queues(queue, queueCount).stream()).toList();
    }

    /** Where it is, for a log. */
    String broker() {
      return host + ":" + port + (virtualHost.equals("/") ? "" : " " + virtualHost);
    }
  }

  /** The section {@code receive}. */
  record Receive(
      @Key(
              doc =
                  "Most unacknowledged deliveries of one queue that the bridge holds; of several"
                      + " that share a stream's messages, together.",
              defaultValue = "1024",
              unit = "deliveries")
          int prefetch,
      @Key(
              doc =
                  "Most bytes of batches that the bridge holds at once, over all streams. When"
                      + " they are reached, the queues are left alone until something was settled.",
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

    Receive {
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

  /** The section {@code settle}. */
  record Settle(
      @Key(
              doc =
                  "each: as soon as a batch may be settled. count: when acknowledge-count of"
                      + " them may. interval: every acknowledge-interval. One acknowledgement"
                      + " always covers all batches up to the first that may not be settled yet.",
              defaultValue = "each")
          Acknowledge acknowledge,
      @Key(doc = "How many, where acknowledge is count.", defaultValue = "50", unit = "batches")
          int acknowledgeCount,
      @Key(
              doc =
                  "How often, where acknowledge is interval; and how long at most, where it is"
                      + " count.",
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

    /** When settled batches are acknowledged. */
    enum Acknowledge {
      EACH,
      COUNT,
      INTERVAL
    }

    Settle {
      Checks.within("acknowledge-count", acknowledgeCount, 1, 65_535);
      Checks.positive("acknowledge-interval", acknowledgeInterval);
      Checks.positive("hold-limit", holdLimit);
      if (holdLimit.compareTo(LONGEST_HOLD) > 0) {
        throw Checks.refuse("hold-limit", "must not be longer than 25m");
      }
    }
  }

  /** The section {@code dedup}. */
  record Dedup(
      @Key(
              doc =
                  "enforce: the copies that other streams have brought already are dropped."
                      + " observe: they are counted, and delivered all the same, into HEC with the"
                      + " field dedup=observed: a trial that changes nothing for whoever searches.",
              defaultValue = "enforce")
          Mode mode,
      @Key(
              doc =
                  "Where digests are remembered. redis: shared by all bridges. memory: in this"
                      + " process, for a single bridge.",
              defaultValue = "redis")
          Store store,
      @Key(
              doc =
                  "How long a message that only some streams have brought is remembered: how"
                      + " far one stream may lag behind another and still be matched.",
              defaultValue = "10m")
          Duration window,
      @Key(
              doc =
                  "A bridge that Redis has not heard of for this long is taken for dead, and"
                      + " others deliver what it held back. At most half of the window.",
              defaultValue = "10s")
          Duration lease,
      @Key(
              doc =
                  "What makes two messages the same: the sender's address and the message, or"
                      + " the message alone.",
              defaultValue = "sender-and-message")
          Identity identity,
      @Key(
              doc =
                  "What to do while Redis, and dedup.spare where there is one, is unavailable."
                      + " pass-through: deliver everything undeduplicated. local: deduplicate in"
                      + " this process. That knows nothing of what other bridges take, so it serves"
                      + " where one bridge reads both copies of a message.",
              defaultValue = "pass-through")
          WhenUnavailable whenUnavailable,
      @Key(
              doc =
                  "Where when-unavailable is local: most digests to remember then, at about 150"
                      + " bytes each. Past that the oldest are forgotten, which can cost a"
                      + " duplicate.",
              defaultValue = "1000000",
              unit = "digests")
          int localLimit,
      @Key(doc = "Where store is redis.") Redis redis,
      @Key(
              doc =
                  "Another Redis, on another host, that is asked only while dedup.redis is"
                      + " unavailable. It knows nothing of what the first has counted: switching"
                      + " costs the duplicates of what was under way, and loses nothing. The same"
                      + " for all bridges.",
              whereWanted = true)
          @Nullable Redis spare,
      @Key(doc = "Where store is memory.") Memory memory) {

    /** What becomes of a copy too many. */
    enum Mode {
      ENFORCE,
      OBSERVE
    }

    /** Where digests are remembered. */
    enum Store {
      REDIS,
      MEMORY
    }

    /** What to do without Redis. */
    enum WhenUnavailable {
      PASS_THROUGH,
      LOCAL
    }

    Dedup {
      Checks.within("local-limit", localLimit, 1000, 1_000_000_000);
      if (spare != null && spare.isAt(redis)) {
        throw Checks.refuse("spare", "must be another Redis than dedup.redis");
      }
      if (spare != null && spare.cluster() != null) {
        throw Checks.refuse(
            "spare", "must not be a cluster: one server is asked while a part is unavailable");
      }
      Checks.positive("window", window);
      Checks.positive("lease", lease);
      if (window.compareTo(lease.multipliedBy(2)) < 0) {
        throw Checks.refuse("window", "must be at least twice the lease");
      }
    }
  }

  /** The section {@code dedup.redis}. */
  record Redis(
      @Key(doc = "Host name or address.", defaultValue = HOST) String host,
      @Key(doc = "Port.", defaultValue = "" + PORT, unit = "port") int port,
      @Key(doc = "User, where Redis has users.", example = "duplog") @Nullable String user,
      @Key(doc = "Password.", example = "${file:/etc/duplog/redis.password}")
          @Nullable Secret password,
      @Key(doc = "Number of the database.", defaultValue = "0") int database,
      @Key(
              doc =
                  "What the names of all keys begin with. The same for all bridges that merge"
                      + " the same streams.",
              defaultValue = "duplog")
          String prefix,
      @Key(
              doc =
                  "How long connecting or a call may take. After that everything passes"
                      + " through undeduplicated until Redis is back.",
              defaultValue = "500ms")
          Duration timeout,
      @Key(
              doc =
                  "Redis is spoken to in TLS where this section is there, if only as {}. Every file"
                      + " may be replaced at any time.",
              whereWanted = true)
          @Nullable TlsConfig tls,
      @Key(
              doc =
                  "Redis is where sentinels say that the master is, where this section is there;"
                      + " host and port stay away then. User, password and tls above are for every"
                      + " server that may be the master.",
              whereWanted = true)
          @Nullable SentinelConfig sentinel,
      @Key(
              doc =
                  "Redis is a cluster where this section is there; host, port, database and"
                      + " sentinel stay away then. User, password and tls above are for every"
                      + " node. The ledger is divided into as many parts as each stream has queues"
                      + " (streams.queue-count), and the parts among the cluster's masters. Not in"
                      + " dedup.spare.",
              whereWanted = true)
          @Nullable ClusterConfig cluster) {

    private static final String HOST = "127.0.0.1";
    private static final int PORT = 6379;

    Redis {
      Checks.notBlank("host", host);
      Checks.port("port", port);
      Checks.within("database", database, 0, 1_000_000);
      Checks.notBlank("prefix", prefix);
      Checks.positive("timeout", timeout);
      if (user != null && password == null) {
        throw Checks.refuse("password", "is missing; a user needs one");
      }
      if (sentinel != null && !(host.equals(HOST) && port == PORT)) {
        throw Checks.refuse(
            "sentinel", "excludes host and port: the sentinels say where the master is");
      }
      if (cluster != null) {
        checkCluster(host.equals(HOST) && port == PORT, sentinel, database, prefix);
      }
    }

    private static void checkCluster(
        boolean nowhere, @Nullable SentinelConfig sentinel, int database, String prefix) {
      if (!nowhere) {
        throw Checks.refuse(
            "cluster", "excludes host and port: its nodes say where the others are");
      }
      if (sentinel != null) {
        throw Checks.refuse("cluster", "excludes sentinel: a cluster replaces its masters itself");
      }
      if (database != 0) {
        throw Checks.refuse("database", "must be 0 in a cluster, not " + database);
      }
      if (prefix.contains("{") || prefix.contains("}")) {
        throw Checks.refuse(
            "prefix", "must not have braces in a cluster, where they choose the server");
      }
    }

    boolean isAt(Redis other) {
      return host.equals(other.host)
          && port == other.port
          && Objects.equals(sentinel, other.sentinel)
          && Objects.equals(cluster, other.cluster);
    }
  }

  /** The section {@code dedup.memory}. */
  record Memory(
      @Key(
              doc =
                  "Most digests to remember, at about 150 bytes each. Past that the oldest are"
                      + " forgotten, which can cost a duplicate.",
              defaultValue = "2000000",
              unit = "digests")
          int maxDigests) {

    Memory {
      Checks.within("max-digests", maxDigests, 1000, 1_000_000_000);
    }
  }

  /** The section {@code limits}. */
  record Limits(
      @Key(doc = "Largest AMQP body.", defaultValue = "16MiB") ByteSize maxBody,
      @Key(doc = "Largest batch after decompression.", defaultValue = "32MiB") ByteSize maxBatch,
      @Key(doc = "Most messages of a batch.", defaultValue = "100000", unit = "messages")
          int maxMessages,
      @Key(doc = "Longest message.", defaultValue = "1MiB") ByteSize maxMessage) {

    Limits {
      Checks.within("max-body", maxBody, ONE_BYTE, LARGEST_BATCH);
      Checks.within("max-batch", maxBatch, ONE_BYTE, LARGEST_BATCH);
      Checks.within("max-messages", maxMessages, 1, 100_000_000);
      Checks.within("max-message", maxMessage, ONE_BYTE, LARGEST_BATCH);
    }

    /** The same, for the decoder. */
    BatchLimits toBatchLimits() {
      return new BatchLimits(
          maxBody.toIntExact(), maxBatch.toIntExact(), maxMessages, maxMessage.toIntExact());
    }
  }

  /** The streams' names, for a log: {@code syslog-a, syslog-b}. */
  String streamNames() {
    return streams.stream().map(Stream::name).collect(joining(", "));
  }
}
