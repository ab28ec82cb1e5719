package io.duplog.dedup.redis;

import static java.util.stream.Collectors.joining;

import com.google.common.collect.Maps;
import com.google.common.collect.Sets;
import io.duplog.dedup.LedgerUnavailableException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.HostAndPort;

/**
 * The servers of a cluster, as far as the parts of a ledger need them. A thread of its own asks a
 * node where the slots are, twice a second and at once after a failed call: the first one that sees
 * the cluster at work, knows a server for every part and has heard of every change that was heard
 * of before, or the one that comes closest. A node that was emptied or is cut off from the others
 * is passed over by that. So nobody who judges waits, except before the first answer.
 *
 * <p>Who still speaks with a server that has lost a slot and does not know it yet counts apart from
 * the others: that duplicates, and loses nothing.
 *
 * <p>Any thread. {@code nodes} is held while nodes are asked, {@code this} only for a moment.
 */
final class RedisCluster {
  private static final Logger log = LoggerFactory.getLogger(RedisCluster.class);

  /** The rank of a node that sees the cluster at work, and a server for every part. */
  private static final int SOUND = 2;

  private final RedisSettings settings;
  private final Set<HostAndPort> configured;

  /** In the order in which they are asked: one that does not answer comes last from then on. */
  private final Map<HostAndPort, RedisLocator> nodes = new LinkedHashMap<>(); // guarded by itself

  private long epoch; // guarded by nodes

  private final List<RedisClusterSlot> parts = new ArrayList<>(); // guarded by this
  private final Map<HostAndPort, RedisServer> servers = new HashMap<>(); // guarded by this
  private boolean mapped; // guarded by this

  private final RedisWatch watch =
      new RedisWatch(
          "redis-cluster", "the cluster", RedisWatch.OFTEN, this::ask, this::askWhoIsCutOff);
  private volatile boolean begun; // written while nodes is held

  RedisCluster(RedisSettings settings, RedisClusterSettings cluster) {
    this.settings = settings;
    this.configured = new LinkedHashSet<>(cluster.nodes());
    configured.forEach(place -> nodes.put(place, RedisLocator.node(place, settings)));
  }

  /**
   * The way to one part's server. The cluster is closed with the last one of them.
   *
   * @param prefix of all its keys, with a hash tag
   */
  synchronized RedisServers part(String prefix) {
    RedisClusterSlot part = new RedisClusterSlot(this, prefix);
    parts.add(part);
    return part;
  }

  /** Asks for the first time; afterwards the watch does. */
  void begin() {
    if (begun) {
      return;
    }
    synchronized (nodes) {
      if (!begun && !watch.isClosed()) {
        ask();
        begun = true;
        watch.start();
      }
    }
  }

  /** Something is not where it was. */
  void hurry() {
    watch.hurry();
  }

  private void ask() {
    synchronized (nodes) {
      RedisClusterMap best = null;
      for (HostAndPort place : List.copyOf(nodes.keySet())) {
        RedisLocator node = node(place);
        RedisClusterMap word =
            watch.isClosed() ? null : node.ask(redis -> RedisClusterMap.of(redis, place));
        if (word == null) {
          nodes.remove(place);
          nodes.put(place, node);
          continue;
        }
        if (best == null
            || rank(word) > rank(best)
            || (rank(word) == rank(best) && word.epoch() > best.epoch())) {
          best = word;
        }
        if (rank(best) == SOUND && best.epoch() >= epoch) {
          break;
        }
      }
      if (best != null) {
        epoch = best.epoch();
        keepNodes(best.nodes());
        learn(best);
      }
    }
  }

  /** How far a node is to be believed, whatever its epoch. */
  private synchronized int rank(RedisClusterMap word) {
    boolean whole = parts.stream().allMatch(part -> word.master(part.slot) != null);
    return whole ? (word.isWell() ? SOUND : SOUND - 1) : 0;
  }

  private RedisLocator node(HostAndPort place) {
    return nodes.computeIfAbsent(place, found -> RedisLocator.node(found, settings));
  }

  private void keepNodes(Set<HostAndPort> found) {
    if (found.isEmpty()) {
      return; // the word of a node that was emptied
    }
    found.forEach(this::node);
    closeAllBut(Sets.union(configured, found), nodes, RedisLocator::close);
  }

  private static <T> void closeAllBut(
      Set<HostAndPort> used, Map<HostAndPort, T> all, Consumer<T> close) {
    Map<HostAndPort, T> unused = Maps.filterKeys(all, place -> !used.contains(place));
    unused.values().forEach(close);
    unused.clear();
  }

  private void learn(RedisClusterMap map) {
    List<RedisClusterSlot> moved = new ArrayList<>();
    synchronized (this) {
      if (watch.isClosed()) {
        return;
      }
      for (RedisClusterSlot part : parts) {
        HostAndPort master = map.master(part.slot);
        // Who had a slot that nobody is said to have answers that for itself.
        if (master != null && move(part, master)) {
          moved.add(part);
        }
      }
      if (!mapped) {
        mapped = true;
        log.info(
            "the Redis cluster has {}",
            parts.stream().map(part -> part + " " + part.whereabouts()).collect(joining(", ")));
      }
      dropUnused();
    }
    moved.forEach(part -> part.told.run());
  }

  /**
   * A server has answered that it has not this slot any more, and another has.
   *
   * @return that one
   */
  RedisServer moved(RedisClusterSlot part, HostAndPort place) {
    synchronized (this) {
      hurry();
      RedisServer target = serverAt(place);
      if (move(part, place)) {
        dropUnused();
      }
      return target;
    }
  }

  /** Whether it was somewhere else. */
  private synchronized boolean move(RedisClusterSlot part, HostAndPort place) {
    RedisServer before = part.server;
    String whereabouts = part.whereabouts();
    if (before != null && before.place().equals(place)) {
      return false;
    }
    part.server = serverAt(place);
    if (mapped) {
      log.warn(
          "{} is at {} now, and was {}: what that had counted is not known any more, which costs"
              + " duplicates and no message",
          part,
          place,
          whereabouts);
    }
    return true;
  }

  private synchronized RedisServer serverAt(HostAndPort place) {
    return servers.computeIfAbsent(place, found -> new RedisServer(settings, found));
  }

  private synchronized void dropUnused() {
    Set<HostAndPort> used = new HashSet<>();
    for (RedisClusterSlot part : parts) {
      RedisServer server = part.server;
      if (server != null) {
        used.add(server.place());
      }
    }
    closeAllBut(used, servers, RedisServer::close);
  }

  /** Lets those be asked again that answer. */
  private void askWhoIsCutOff() {
    List<RedisServer> away;
    synchronized (this) {
      away = servers.values().stream().filter(RedisServer::isCutOff).toList();
    }
    for (RedisServer server : away) {
      if (server.answersPing()) {
        List<RedisClusterSlot> there;
        synchronized (this) {
          there = parts.stream().filter(part -> part.server == server).toList();
        }
        there.forEach(part -> part.told.run());
      }
    }
  }

  /** Why a slot's server is not known. */
  synchronized LedgerUnavailableException unavailable(int slot) {
    return new LedgerUnavailableException(
        mapped
            ? "Redis unavailable (no server of the cluster has slot " + slot + ")"
            : "Redis unavailable (none of the nodes of the "
                + settings.address()
                + " says where slot "
                + slot
                + " is)",
        null,
        false);
  }

  /** Waits, for the last part, for a node that is being asked, a timeout each at most. */
  void leave(RedisClusterSlot part) {
    synchronized (this) {
      parts.remove(part);
      if (!parts.isEmpty() || watch.isClosed()) {
        return;
      }
      watch.close();
    }
    synchronized (nodes) {
      nodes.values().forEach(RedisLocator::close);
    }
    synchronized (this) {
      servers.values().forEach(RedisServer::close);
    }
  }
}
