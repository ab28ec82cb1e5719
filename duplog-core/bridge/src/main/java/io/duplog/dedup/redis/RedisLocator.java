package io.duplog.dedup.redis;

import static java.util.stream.Collectors.joining;

import com.google.common.collect.Maps;
import com.google.common.collect.Sets;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.observe.PollingThread;
import io.duplog.observe.RecurringWarning;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.HostAndPort;

/**
 * Knows which server has each part of the ledger. Its guides say so: the nodes of a Redis Cluster,
 * or the sentinels, for which the ledger is a single part. A thread asks the guides twice a second,
 * and at once after a failed call. Judging does not wait for a guide, except for the first answer.
 *
 * <p>The latest change counts, whichever guide knows of it. An answer is sound if the guide sees
 * the cluster at work and knows a server for every part. A round ends with the first sound answer
 * that knows of every change known so far. So a node that was emptied, or is cut off from the
 * others, is passed over. A sentinel can't tell whether it is cut off, so its answer is never
 * sound, and all sentinels are asked. While some guides are silent, an older answer that is not
 * sound is not believed. If all guides give older answers, they were set up again and count from
 * the beginning.
 *
 * <p>A bridge that still asks an old server, for instance in a split network, counts apart from the
 * others. That causes duplicates, but no losses.
 *
 * <p>May be used from any thread. The lock {@code guides} is held while guides are asked, which
 * lasts as long as their time-outs. The lock {@code this} is held only for a moment, and never
 * while a server is asked. A thread that needs both takes {@code guides} first. Listeners run
 * outside of both.
 *
 * @see "docs/decisions/cluster.md#sentinel-asked"
 * @see "docs/decisions/cluster.md#cluster-parts"
 */
final class RedisLocator {
  private static final Logger log = LoggerFactory.getLogger(RedisLocator.class);

  /** Pause between two rounds of asking the guides. */
  private static final Duration LOOK_EVERY = Duration.ofMillis(500);

  /** Highest {@link #rank}. */
  private static final int SOUND = 2;

  private final RedisConfig config;

  /** Login for each server that may have a part. */
  private final RedisServer.Login login;

  /** Login for each guide. */
  private final RedisServer.Login guideLogin;

  private final Set<HostAndPort> configured;

  /** The configured guides, for messages. */
  private final String guideNames;

  /** Guides in the order in which they are asked; those that do not answer move to the end. */
  private final Map<HostAndPort, RedisGuide> guides = new LinkedHashMap<>(); // guarded by itself

  /** Number of the latest change that is believed: a failover, or a moved slot. */
  private long epoch; // guarded by guides

  private final RecurringWarning stale;
  private final List<RedisSlot> parts = new ArrayList<>(); // guarded by this
  private final Map<HostAndPort, RedisServer> servers = new HashMap<>(); // guarded by this

  /** Whether a guide has ever been believed. */
  private boolean mapped; // guarded by this

  private final PollingThread watch = new PollingThread("redis-locator", LOOK_EVERY, this::look);
  private volatile boolean begun; // written while guides is held

  /**
   * @param config names sentinels or a cluster
   * @param login login for each server that may have a part
   */
  RedisLocator(RedisConfig config, RedisServer.Login login) {
    RedisConfig.Sentinel sentinel = config.sentinel();
    this.config = config;
    this.login = login;
    this.guideLogin = sentinel == null ? login : sentinel.login(config.timeout());
    this.configured = new LinkedHashSet<>(RedisGuide.configured(config));
    this.guideNames =
        sentinel == null ? "nodes of the " + config.address() : "sentinels " + configured;
    this.stale = new RecurringWarning(log, guideNames, System::nanoTime);
    configured.forEach(place -> guides.put(place, new RedisGuide(place, config, guideLogin)));
  }

  /**
   * Returns access to the server of one part. Closing the last part closes the locator.
   *
   * @param prefix beginning of all keys of the part; in a cluster, with a hash tag
   */
  synchronized RedisSlot part(String prefix) {
    int slot = RedisSlot.slotOf(prefix);
    RedisConfig.Sentinel sentinel = config.sentinel();
    String name =
        sentinel == null
            ? "part " + prefix + " (slot " + slot + ")"
            : "the Redis master '" + sentinel.master() + "'";
    RedisSlot part = new RedisSlot(this, slot, name);
    parts.add(part);
    return part;
  }

  /**
   * Asks the guides for the first time, and starts the thread that keeps asking. Other threads wait
   * for the one that asks, and share its result.
   */
  void begin() {
    if (begun) {
      return;
    }
    synchronized (guides) {
      if (!begun && !watch.isClosed()) {
        ask(); // whoever calls finds the server, and needs no listener for that
        begun = true;
        watch.start();
      }
    }
  }

  /** Called when a part may have moved to another server; has the guides asked again at once. */
  void hurry() {
    watch.hurry();
  }

  /**
   * Asks the guides where the parts are.
   *
   * @return parts that have another server now
   */
  private List<RedisSlot> ask() {
    synchronized (guides) {
      Comparator<RedisMap> trust =
          Comparator.<RedisMap>comparingInt(this::rank).thenComparingLong(RedisMap::epoch);
      RedisMap best = null;
      boolean silence = false;
      for (HostAndPort place : List.copyOf(guides.keySet())) {
        RedisGuide guide = guideAt(place);
        RedisMap map = watch.isClosed() ? null : guide.ask();
        if (map == null) {
          silence = true;
          if (config.sentinel()
              == null) { // all sentinels are asked, and the first of equals counts
            guides.remove(place);
            guides.put(place, guide);
          }
        } else if (best == null || trust.compare(map, best) > 0) {
          best = map;
          if (rank(best) == SOUND && best.epoch() >= epoch) {
            break;
          }
        }
      }
      if (best == null) {
        return List.of();
      }
      if (best.epoch() < epoch && rank(best) < SOUND && silence) {
        stale.occurred(
            "none of the %s that answer knows of the latest failover, so they are not believed. Still in use: %s"
                .formatted(guideNames, whereabouts()));
        return List.of();
      }
      stale.recovered();
      epoch = best.epoch();
      keepGuides(best.guides());
      return learn(best);
    }
  }

  /** Returns how far to trust an answer, leaving its epoch aside; higher is better. */
  private synchronized int rank(RedisMap map) {
    boolean whole = parts.stream().allMatch(part -> map.master(part.slot) != null);
    return whole ? (map.isWell() ? SOUND : SOUND - 1) : 0;
  }

  /** Must be called with {@code guides} locked. */
  private RedisGuide guideAt(HostAndPort place) {
    return guides.computeIfAbsent(place, found -> new RedisGuide(found, config, guideLogin));
  }

  private void keepGuides(Set<HostAndPort> found) {
    if (found.isEmpty()) {
      return; // sentinels are configured; a node that was emptied knows no others
    }
    Set<HostAndPort> known = Sets.union(configured, found);
    known.forEach(this::guideAt);
    Maps.filterKeys(guides, place -> !known.contains(place)).values().forEach(RedisGuide::close);
    guides.keySet().retainAll(known);
  }

  private synchronized List<RedisSlot> learn(RedisMap map) {
    if (watch.isClosed()) {
      return List.of();
    }
    List<RedisSlot> moved = new ArrayList<>();
    for (RedisSlot part : parts) {
      HostAndPort master = map.master(part.slot);
      // If the map names no server for a slot, the part stays where it was. That server says itself
      // whether it still has the slot.
      if (master != null && move(part, master)) {
        moved.add(part);
      }
    }
    if (!mapped) {
      mapped = true;
      log.info("found {}", whereabouts());
    }
    return moved;
  }

  /** Returns where each part is, for a log line. */
  private synchronized String whereabouts() {
    return parts.stream().map(part -> part + " " + part.whereabouts()).collect(joining(", "));
  }

  /**
   * Called when a server has answered that another server has this slot now.
   *
   * @return the server that has the slot now
   */
  synchronized RedisServer moved(RedisSlot part, HostAndPort place) {
    hurry();
    move(part, place);
    return serverAt(place);
  }

  /** Records which server has a part, and returns whether the server has changed. */
  private synchronized boolean move(RedisSlot part, HostAndPort place) {
    RedisServer before = part.server;
    if (before != null && before.place().equals(place)) {
      return false;
    }
    part.server = serverAt(place);
    if (before != null && parts.stream().noneMatch(each -> each.server == before)) {
      servers.remove(before.place());
      before.close();
    }
    if (mapped) {
      log.warn(
          "{} moved from {} to {}. Expect some duplicates; no message is lost. No action needed.",
          part,
          before == null ? "no server" : before.place(),
          place);
    }
    return true;
  }

  private synchronized RedisServer serverAt(HostAndPort place) {
    // A master of sentinels has the whole ledger: nothing else waits for it, so it is always asked.
    return servers.computeIfAbsent(
        place,
        found ->
            config.sentinel() == null
                ? RedisServer.ofParts(found, login)
                : new RedisServer(found, login));
  }

  /**
   * Asks the guides, and pings the servers that are cut off, so that those that answer are used
   * again.
   */
  private void look() {
    try {
      ask().forEach(part -> part.told.run());
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
        List<RedisSlot> there;
        synchronized (this) {
          there = parts.stream().filter(part -> part.server == server).toList();
        }
        there.forEach(part -> part.told.run());
      }
    }
  }

  /** Creates the exception to throw if no server is known for a part. */
  synchronized LedgerUnavailableException unavailable(RedisSlot part) {
    return new LedgerUnavailableException(
        mapped
            ? "Redis unavailable (no server of the cluster has " + part + ")"
            : "Redis unavailable (none of the " + guideNames + " says where " + part + " is)",
        null,
        false);
  }

  /**
   * Removes a part. The last part closes the locator, after waiting for the guide that is being
   * asked.
   */
  void leave(RedisSlot part) {
    synchronized (this) {
      parts.remove(part);
      if (!parts.isEmpty() || watch.isClosed()) {
        return;
      }
      watch.close();
    }
    synchronized (guides) {
      guides.values().forEach(RedisGuide::close);
    }
    synchronized (this) {
      servers.values().forEach(RedisServer::close);
    }
  }
}
