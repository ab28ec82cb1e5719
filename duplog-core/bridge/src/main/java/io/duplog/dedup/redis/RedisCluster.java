package io.duplog.dedup.redis;

import static java.util.stream.Collectors.joining;

import com.google.common.collect.Maps;
import com.google.common.collect.Sets;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.observe.PollingThread;
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
 * The servers of a Redis Cluster, as far as the ledger's parts need them. A thread asks the nodes
 * where the slots are, twice a second and at once after a failed call. It believes the first node
 * that sees the cluster at work, knows a server for every part, and has heard of every change known
 * so far. If there is none, it believes the node that comes closest. So a node that was emptied, or
 * is cut off from the others, is passed over. Judging does not wait for any of this, except for the
 * first answer.
 *
 * <p>A bridge that still asks a server which has lost the slot counts apart from the others. That
 * causes duplicates, but no losses.
 *
 * <p>May be used from any thread. The lock {@code nodes} is held while nodes are asked, the lock
 * {@code this} only for a moment.
 *
 * @see "docs/decisions/cluster.md#cluster-parts"
 */
final class RedisCluster {
  private static final Logger log = LoggerFactory.getLogger(RedisCluster.class);

  /**
   * Highest {@link #rank}: the node reports {@code cluster_state:ok}, and names a server for the
   * slot of every part.
   */
  private static final int SOUND = 2;

  private final RedisSettings settings;
  private final Set<HostAndPort> configured;

  /**
   * Cluster nodes in the order in which they are asked; nodes that do not answer move to the end.
   */
  private final Map<HostAndPort, RedisLocator> nodes = new LinkedHashMap<>(); // guarded by itself

  private long epoch; // guarded by nodes

  private final List<RedisClusterSlot> parts = new ArrayList<>(); // guarded by this
  private final Map<HostAndPort, RedisServer> servers = new HashMap<>(); // guarded by this
  private boolean mapped; // guarded by this

  private final PollingThread watch =
      new PollingThread("redis-cluster", RedisAccess.LOOK_EVERY, this::look);
  private volatile boolean begun; // written while nodes is held

  RedisCluster(RedisSettings settings, RedisClusterSettings cluster) {
    this.settings = settings;
    this.configured = new LinkedHashSet<>(cluster.nodes());
    configured.forEach(place -> nodes.put(place, RedisLocator.node(place, settings)));
  }

  /**
   * Returns access to the server of one part. Closing the last part closes the cluster.
   *
   * @param prefix beginning of all keys of the part, with a hash tag
   */
  synchronized RedisAccess part(String prefix) {
    RedisClusterSlot part = new RedisClusterSlot(this, prefix);
    parts.add(part);
    return part;
  }

  /** Asks the nodes where the slots are, and starts the thread that keeps asking. */
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

  /** Called when a slot may have moved to another server; has the nodes asked again at once. */
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

  /** Returns how far to trust a node's answer, leaving its epoch aside; higher is better. */
  private synchronized int rank(RedisClusterMap word) {
    boolean whole = parts.stream().allMatch(part -> word.master(part.slot) != null);
    return whole ? (word.isWell() ? SOUND : SOUND - 1) : 0;
  }

  private RedisLocator node(HostAndPort place) {
    return nodes.computeIfAbsent(place, found -> RedisLocator.node(found, settings));
  }

  private void keepNodes(Set<HostAndPort> found) {
    if (found.isEmpty()) {
      return; // the answer of a node that was emptied
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
        // If the map names no server for a slot, the part stays where it was. That server says
        // itself whether it still has the slot.
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
   * Called when a server has answered that another server has this slot now.
   *
   * @return the server that has the slot now
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

  /** Records which server has the slot of a part, and returns whether the server has changed. */
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

  /**
   * Asks the nodes where the slots are, and pings the servers that are cut off, so that those that
   * answer are used again.
   */
  private void look() {
    try {
      ask();
    } finally {
      askWhoIsCutOff();
    }
  }

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

  /** Creates the exception to throw if no server is known for a slot. */
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

  /**
   * Removes a part. The last part closes the cluster, after waiting for the node that is being
   * asked.
   */
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
