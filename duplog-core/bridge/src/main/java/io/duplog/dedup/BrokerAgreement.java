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
 * The brokers that living bridges read, in a store of this process. Does what {@code advance.lua}
 * does: bridges that share a store read the same broker for each stream, and have one in common.
 * Otherwise two deployments share the store, and each would drop what only the other one had. Not
 * safe for threads.
 *
 * @see "docs/decisions/dedup.md#broker-identity"
 */
public final class BrokerAgreement {
  /**
   * A living bridge that reads other brokers.
   *
   * @param place where this bridge reads another broker than the other one, or one of its places
   * @param bridge the other bridge's name
   * @param broker the broker that the other bridge reads there; empty if it reads none there
   */
  public record Conflict(String place, String bridge, String broker) {}

  private static final String RENAMED_REMEDY =
      "After 'rabbitmqctl set_cluster_name', run 'rabbitmqctl close_all_connections renamed' on that"
          + " node: bridges learn the name when they connect. If one broker's disk is a copy of the"
          + " other's, give each deployment a dedup.redis.prefix of its own";

  /** What to do if bridges read different brokers. */
  public static final String REMEDY =
      "Give each deployment a dedup.redis.prefix of its own, such as duplog:NAME. If these are bridges of one deployment,"
          + " correct their hosts under streams. After a broker was rebuilt, wait until all bridges are"
          + " connected to it. After 'rabbitmqctl set_cluster_name', run 'rabbitmqctl"
          + " close_all_connections renamed' on that node";

  /** The text at the end of a broker's identity. A virtual host may stand in its place. */
  private static final Pattern RANDOM_TEXT =
      Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$");

  /** The broker of each place that was agreed on last. */
  private final Map<String, String> agreedBrokers = new HashMap<>();

  /** The brokers that each bridge reads, by the bridge's name. */
  private final Map<String, List<StreamBroker>> brokersByBridge = new HashMap<>();

  /**
   * Compares what a bridge reads with what the others read.
   *
   * @param lives whether a bridge of this name lives
   * @return a living bridge that reads other brokers; null if there is none
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
   * Whether what was counted so far may be another deployment's, because no broker is known that
   * this bridge reads.
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

  /** Takes what a bridge reads, which {@link #compare} has found to be agreed on. */
  public void take(String bridge, List<StreamBroker> own) {
    brokersByBridge.put(bridge, own);
    own.stream()
        .filter(StreamBroker::connected)
        .forEach(each -> agreedBrokers.put(each.place(), each.id()));
  }

  /** Adds a broker that was agreed on, whoever reads it. */
  public void agreeOn(String place, String id) {
    agreedBrokers.put(place, id);
  }

  /** Forgets what a bridge reads, which must not hold up others. */
  public void drop(String bridge) {
    brokersByBridge.remove(bridge);
  }

  /** Forgets the bridges that don't live any more. */
  public void keep(Predicate<String> lives) {
    brokersByBridge.keySet().removeIf(lives.negate());
  }

  /** Forgets everything, with the epoch. */
  public void clear() {
    agreedBrokers.clear();
    brokersByBridge.clear();
  }

  /** What a {@link Conflict} means. */
  public static final String CONSEQUENCE =
      "the bridges that came later count nothing, and deliver all that they read: most messages"
          + " twice. If both counted, each deployment would lose messages that the other one had";

  /** Returns in words why a bridge must not count, what that means, and what to change. */
  public static String refusal(
      Collection<StreamBroker> own, Conflict conflict, @Nullable String prefix) {
    return difference(own, conflict, prefix)
        + ". It must not count, or messages would be lost. "
        + remedy(own, conflict);
  }

  /** Returns in words what to do about a conflict. */
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
   * Returns in words how a bridge's brokers differ from another bridge's.
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
    return "stream %s comes from broker %s here, and bridge %s %s: %s"
        .formatted(
            StreamBroker.streamOf(conflict.place()),
            here,
            BridgeNotes.configuredName(conflict.bridge()),
            conflict.broker().isEmpty()
                ? "reads other brokers"
                : "reads it from " + conflict.broker(),
            isRenamed(own, conflict)
                ? "the broker has another cluster name now, and not all bridges know it"
                : "two deployments share " + shared);
  }

  /** Returns the agreement as text, by which the explorer in the tests recognises equal states. */
  @Override
  public String toString() {
    return "" + new TreeMap<>(agreedBrokers) + new TreeMap<>(brokersByBridge);
  }
}
