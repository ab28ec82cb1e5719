package io.duplog.dedup;

import io.duplog.wire.StreamBroker;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Detects that two deployments share a store by mistake, because their bridges read different
 * RabbitMQs. This class serves a store in this process, and implements the same rule as {@code
 * advance.lua}. Bridges that share a store read the same broker for each stream, and have at least
 * one broker in common. Otherwise two deployments share the store, and each would drop messages
 * that only the other one has. Not thread-safe.
 *
 * @see "docs/decisions/dedup.md#broker-identity"
 */
public final class BrokerAgreement {
  /**
   * A living bridge that reads other brokers.
   *
   * @param place the place at which the two bridges read different brokers, or one place of this
   *     bridge
   * @param bridge the other bridge's name
   * @param broker the broker that the other bridge reads there, or empty if it reads none
   */
  public record Conflict(String place, String bridge, String broker) {}

  private static final String RENAMED_REMEDY =
      "After 'rabbitmqctl set_cluster_name', run 'rabbitmqctl close_all_connections renamed' on that"
          + " node, because bridges read the name when they connect. If one broker's disk is a copy of"
          + " the other's, give each deployment its own dedup.redis.prefix";

  /** Remedy for an operator if bridges read different brokers. */
  public static final String REMEDY =
      "Give each deployment its own dedup.redis.prefix, such as duplog:NAME. If these bridges belong to one deployment,"
          + " correct their hosts under streams. If a broker was rebuilt, wait until all bridges are"
          + " connected to it. After 'rabbitmqctl set_cluster_name', run 'rabbitmqctl"
          + " close_all_connections renamed' on that node";

  /**
   * The random text at the end of a broker's identity. Some identities have a virtual host instead.
   */
  private static final Pattern RANDOM_TEXT =
      Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$");

  /** The broker that was last agreed on, by place. */
  private final Map<String, String> agreedBrokers = new HashMap<>();

  /** The brokers that each bridge reads, by the bridge's name. */
  private final Map<String, List<StreamBroker>> brokersByBridge = new HashMap<>();

  /**
   * Compares a bridge's brokers with those of the other bridges.
   *
   * @param lives returns whether the bridge with this name lives
   * @return a living bridge that reads other brokers, or null if there is none
   */
  public @Nullable Conflict compare(
      String bridge, List<StreamBroker> own, Predicate<String> lives) {
    Map<String, String> reads = connected(own);
    boolean apart = !reads.isEmpty() && !hasCommon(own);
    for (Map.Entry<String, List<StreamBroker>> other : brokersByBridge.entrySet()) {
      List<StreamBroker> theirs = other.getValue();
      if (other.getKey().equals(bridge) || theirs.isEmpty() || !lives.test(other.getKey())) {
        continue;
      }
      for (StreamBroker each : theirs) {
        if (each.connected() && !each.id().equals(reads.getOrDefault(each.place(), each.id()))) {
          return new Conflict(each.place(), other.getKey(), each.id());
        }
      }
      if (apart) {
        return new Conflict(reads.keySet().iterator().next(), other.getKey(), "");
      }
    }
    return null;
  }

  /**
   * Whether the existing counts may belong to another deployment, because none of this bridge's
   * brokers was agreed on.
   */
  public boolean isForeign(List<StreamBroker> own) {
    return !agreedBrokers.isEmpty() && !connected(own).isEmpty() && !hasCommon(own);
  }

  private boolean hasCommon(List<StreamBroker> own) {
    return own.stream().anyMatch(each -> each.id().equals(agreedBrokers.get(each.place())));
  }

  private static Map<String, String> connected(List<StreamBroker> own) {
    Map<String, String> reads = new TreeMap<>();
    own.stream()
        .filter(StreamBroker::connected)
        .forEach(each -> reads.put(each.place(), each.id()));
    return reads;
  }

  /** Stores the brokers of a bridge that {@link #compare} accepted. */
  public void take(String bridge, List<StreamBroker> own) {
    brokersByBridge.put(bridge, own);
    own.stream()
        .filter(StreamBroker::connected)
        .forEach(each -> agreedBrokers.put(each.place(), each.id()));
  }

  /** Adds a broker that was agreed on. */
  public void agreeOn(String place, String id) {
    agreedBrokers.put(place, id);
  }

  /** Removes the brokers of a bridge, so that they don't block others. */
  public void drop(String bridge) {
    brokersByBridge.remove(bridge);
  }

  /** Removes the bridges that no longer live. */
  public void keep(Predicate<String> lives) {
    brokersByBridge.keySet().removeIf(lives.negate());
  }

  /** Removes everything, at the end of an epoch. */
  public void clear() {
    agreedBrokers.clear();
    brokersByBridge.clear();
  }

  /** Clause for an operator that says what a {@link Conflict} means. */
  public static final String CONSEQUENCE =
      "the bridges that started later deduplicate nothing, so most messages are delivered"
          + " twice. If both counted, each deployment would lose messages that only the other one has";

  /** Describes for an operator why a bridge must not count, what that means, and what to do. */
  public static String refusal(
      Collection<StreamBroker> own, Conflict conflict, @Nullable String prefix) {
    return difference(own, conflict, prefix)
        + ". This bridge must not deduplicate with these keys of Redis, because messages would be lost. "
        + remedy(own, conflict);
  }

  /** Returns the remedy for a conflict. */
  public static String remedy(Collection<StreamBroker> own, Conflict conflict) {
    return isRenamed(own, conflict) ? RENAMED_REMEDY : REMEDY;
  }

  /** Whether both brokers have the same random text, so that only their clusters' names differ. */
  private static boolean isRenamed(Collection<StreamBroker> own, Conflict conflict) {
    Matcher theirs = RANDOM_TEXT.matcher(conflict.broker());
    return theirs.find()
        && own.stream()
            .anyMatch(
                each ->
                    each.place().equals(conflict.place())
                        && each.id().endsWith(" " + theirs.group()));
  }

  /**
   * Describes for an operator how a bridge's brokers differ from another bridge's.
   *
   * @param own the brokers that the bridge reads
   * @param prefix the prefix of the keys in Redis that both deployments use
   */
  public static String difference(
      Collection<StreamBroker> own, Conflict conflict, @Nullable String prefix) {
    String here =
        own.stream()
            .filter(each -> each.place().equals(conflict.place()))
            .map(StreamBroker::id)
            .findFirst()
            .orElse("another broker");
    String shared = prefix == null ? "a store" : "dedup.redis.prefix " + prefix;
    return "stream %s comes from broker %s here, but bridge %s %s: %s"
        .formatted(
            StreamBroker.streamOf(conflict.place()),
            here,
            BridgeNotes.configuredName(conflict.bridge()),
            conflict.broker().isEmpty()
                ? "reads other brokers"
                : "reads it from " + conflict.broker(),
            isRenamed(own, conflict)
                ? "the broker's cluster name has changed, and not all bridges know the new one"
                : "two deployments share " + shared);
  }

  /** Returns the state as text, by which the tests' explorer recognises equal states. */
  @Override
  public String toString() {
    return "" + new TreeMap<>(agreedBrokers) + new TreeMap<>(brokersByBridge);
  }
}
