package io.duplog.receive;

import io.duplog.amqp.BrokerLogin;
import io.duplog.config.ByteSize;
import io.duplog.config.Checks;
import io.duplog.config.Key;
import io.duplog.wire.Topology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The configuration section {@code receive}, which limits how much the bridge takes from RabbitMQ
 * at once.
 */
public record ReceiveConfig(
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

  private static final Duration MAX_HEARTBEAT = Duration.ofMinutes(10);

  public ReceiveConfig {
    Checks.within("prefetch", prefetch, 1, 65_535);
    Checks.within("prefetch-bytes", prefetchBytes, new ByteSize(1 << 20), new ByteSize(1L << 40));
    Checks.positive("connect-timeout", connectTimeout);
    Checks.positive("heartbeat", heartbeat);
    if (heartbeat.toMillis() % 1000 != 0 || heartbeat.compareTo(MAX_HEARTBEAT) > 0) {
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

  /**
   * Returns all queues to read, stream by stream.
   *
   * @param name this bridge's name
   */
  public List<QueueSettings> queues(String name, List<StreamConfig> streams) {
    List<QueueSettings> queues = new ArrayList<>();
    QueuePriority priorities = new QueuePriority(bridges, bridges.indexOf(name));
    for (StreamConfig stream : streams) {
      BrokerLogin login = stream.login("broker " + stream.name(), connectTimeout, heartbeat);
      int siblings = stream.queueCount();
      List<String> names = stream.queueNames();
      Set<String> read = namesAt(stream.broker(), streams);
      for (int i = 0; i < names.size(); i++) {
        queues.add(
            new QueueSettings(
                stream.name(),
                login,
                names.get(i),
                stream.queueType(),
                new QueueShare(
                    siblings,
                    i % siblings,
                    priorities.priority(i),
                    i % siblings == 0 ? beyond(names.get(i), siblings, read) : List.of()),
                Math.max(1, prefetch / siblings),
                retryMin,
                retryMax));
      }
    }
    return queues;
  }

  /** Returns the names of all queues that any stream has at a broker. */
  private static Set<String> namesAt(String broker, List<StreamConfig> streams) {
    return streams.stream()
        .filter(stream -> stream.broker().equals(broker))
        .flatMap(stream -> stream.queueNames().stream())
        .collect(Collectors.toSet());
  }

  private static List<String> beyond(String queue, int count, Set<String> read) {
    return Topology.queuesBeyond(queue, count).stream()
        .filter(name -> !read.contains(name))
        .toList();
  }

  /**
   * Rejects streams whose queues can't be distributed among the bridges.
   *
   * @param name this bridge's name
   */
  public void check(String name, List<StreamConfig> streams) {
    if (bridges.isEmpty()) {
      return;
    }
    if (!bridges.contains(name)) {
      throw Checks.refuse(
          "receive",
          "must list this bridge's name, '%s', among its bridges %s".formatted(name, bridges));
    }
    Set<Integer> counts = new HashSet<>();
    for (StreamConfig stream : streams) {
      int queues = stream.queueNames().size();
      counts.add(queues);
      if (queues < bridges.size()) {
        throw Checks.refuse(
            "streams",
            "must have at least as many queues as receive.bridges has bridges, or some bridges would be idle; %s has %d queues for %d bridges"
                .formatted(stream.name(), queues, bridges.size()));
      }
    }
    if (counts.size() > 1) {
      throw Checks.refuse(
          "streams", "must all have the same number of queues if receive.bridges is set");
    }
  }
}
