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
                "Maximum number of unacknowledged deliveries from a queue. If several"
                    + " queues share a stream's messages, they share this number.",
            defaultValue = "1024",
            unit = "deliveries")
        int prefetch,
    @Key(
            doc =
                "Maximum size of all batches that the bridge holds. At this limit, the"
                    + " bridge stops requesting deliveries until it holds less than half. Deliveries that"
                    + " are already on their way may exceed it by half.",
            defaultValue = "64MiB")
        ByteSize prefetchBytes,
    @Key(doc = "Maximum time to connect to a broker.", defaultValue = "2s") Duration connectTimeout,
    @Key(
            doc =
                "Interval of AMQP's heartbeats, in whole seconds. A broker that is silent"
                    + " for two intervals counts as lost.",
            defaultValue = "5s")
        Duration heartbeat,
    @Key(
            doc =
                "Minimum pause before the bridge connects again. Pauses grow and are"
                    + " jittered.",
            defaultValue = "1s")
        Duration retryMin,
    @Key(doc = "Maximum pause before the bridge connects again.", defaultValue = "5s")
        Duration retryMax,
    @Key(
            doc = "Number of threads that decode, deduplicate and deliver.",
            defaultValue = "2",
            unit = "threads")
        int workers,
    @Key(
            doc =
                "Names of all bridges, in the same order on all of them. The first bridge then"
                    + " prefers the first queue of every stream, the second bridge the second"
                    + " queue, and so on. Both copies of a message then usually meet in one bridge."
                    + " Each stream needs at least as many queues as there are bridges. Without"
                    + " names, every queue serves all bridges in turn. The same on all bridges;"
                    + " you may restart them one after another.",
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
