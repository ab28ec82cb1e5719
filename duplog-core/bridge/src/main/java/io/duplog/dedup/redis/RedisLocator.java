package io.duplog.dedup.redis;

import static java.util.stream.Collectors.joining;

import com.google.common.collect.Maps;
import com.google.common.collect.Sets;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.observe.PollingThread;
import io.duplog.observe.Trouble;
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
 * Finds the server that has each part of the ledger, by asking the sentinels or the nodes of a
 * Redis Cluster. For sentinels, the ledger is a single part. A thread asks them twice a second, and
 * immediately after a failed call. Judging waits for a guide only until the first answer.
 *
 * <p>The latest change counts, whichever guide reports it. An answer is sound if the guide sees a
 * working cluster and knows a server for every part. A round ends with the first sound answer that
 * includes every known change. A node that was emptied or is cut off is therefore skipped. A
 * sentinel can't tell whether it is cut off, so its answer is never sound, and all sentinels are
 * asked. While some guides are silent, an older unsound answer is not believed. If all guides give
 * older answers, they were set up again and count from zero.
 *
 * <p>A bridge that still uses an old server, for instance in a split network, counts separately
 * from the others. That causes duplicates, but no losses.
 *
 * <p>Thread-safe. The lock {@code guides} is held while guides are asked, which lasts as long as
 * their timeouts. The lock {@code this} is held only for a moment, and never while a server is
 * called. A thread that needs both takes {@code guides} first. Listeners run outside of both.
 *
 * @see "docs/decisions/cluster.md#sentinel-asked"
 * @see "docs/decisions/cluster.md#cluster-parts"
 */
final class RedisLocator {
  private static final Logger log = LoggerFactory.getLogger(RedisLocator.class);

  /** Pause between two rounds of asking the guides. */
  private static final Duration ROUND_PAUSE = Duration.ofMillis(500);

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

  /** Guides in the order in which they are asked. Guides that do not answer move to the end. */
  private final Map<HostAndPort, RedisGuide> guides = new LinkedHashMap<>(); // guarded by itself

  /** Number of the latest believed change: a failover, or a moved slot. */
  private long epoch; // guarded by guides

  private final Trouble staleWarning;
  private final List<RedisSlot> parts = new ArrayList<>(); // guarded by this
  private final Map<HostAndPort, RedisServer> servers = new HashMap<>(); // guarded by this

  /** Whether a guide has ever been believed. */
  private boolean hasMap; // guarded by this

  private final PollingThread roundThread =
      new PollingThread("redis-locator", ROUND_PAUSE, this::runRound);
  private volatile boolean hasBegun; // written while guides is held

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
    this.staleWarning = new Trouble(log, guideNames, System::nanoTime);
    configured.forEach(place -> guides.put(place, new RedisGuide(place, config, guideLogin)));
  }

  /**
   * Returns access to the server of one part. Closing the last part closes the locator.
   *
   * @param prefix beginning of all keys of the part. If Redis is a cluster, the prefix includes a
   *     hash tag.
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
   * Asks the guides for the first time, and starts the thread that keeps asking. Concurrent callers
   * wait, and share the result.
   */
  void begin() {
    if (hasBegun) {
      return;
    }
    synchronized (guides) {
      if (!hasBegun && !roundThread.isClosed()) {
        askGuides(); // the caller uses the server itself, and needs no listener
        hasBegun = true;
        roundThread.start();
      }
    }
  }

  /** Called when a part may have moved to another server. Starts a round immediately. */
  void hurry() {
    roundThread.hurry();
  }

  /**
   * Asks the guides where the parts are.
   *
   * @return parts whose server has changed
   */
  private List<RedisSlot> askGuides() {
    synchronized (guides) {
      Comparator<RedisMap> trust =
          Comparator.<RedisMap>comparingInt(this::rank).thenComparingLong(RedisMap::epoch);
      RedisMap best = null;
      boolean isAnySilent = false;
      for (HostAndPort place : List.copyOf(guides.keySet())) {
        RedisGuide guide = guideAt(place);
        RedisMap map = roundThread.isClosed() ? null : guide.ask();
        if (map == null) {
          isAnySilent = true;
          if (config.sentinel()
              == null) { // all sentinels are asked, and of equal answers the first counts
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
      if (best.epoch() < epoch && rank(best) < SOUND && isAnySilent) {
        staleWarning.occurred(
            "None of the %s that answer knows of the latest failover, so their answers are ignored. Still in use: %s. Check the silent ones."
                .formatted(guideNames, whereabouts()));
        return List.of();
      }
      staleWarning.recovered();
      epoch = best.epoch();
      keepGuides(best.guides());
      return learn(best);
    }
  }

  /** Returns how far to trust an answer, leaving its epoch aside; higher is better. */
  private synchronized int rank(RedisMap map) {
    boolean whole = parts.stream().allMatch(part -> map.master(part.slot) != null);
    return whole ? (map.isHealthy() ? SOUND : SOUND - 1) : 0;
  }

  /** Must be called with {@code guides} locked. */
  private RedisGuide guideAt(HostAndPort place) {
    return guides.computeIfAbsent(place, found -> new RedisGuide(found, config, guideLogin));
  }

  private void keepGuides(Set<HostAndPort> found) {
    if (found.isEmpty()) {
      return; // sentinels are configured, or the node was emptied and knows no others
    }
    Set<HostAndPort> known = Sets.union(configured, found);
    known.forEach(this::guideAt);
    Maps.filterKeys(guides, place -> !known.contains(place)).values().forEach(RedisGuide::close);
    guides.keySet().retainAll(known);
  }

  private synchronized List<RedisSlot> learn(RedisMap map) {
    if (roundThread.isClosed()) {
      return List.of();
    }
    List<RedisSlot> moved = new ArrayList<>();
    for (RedisSlot part : parts) {
      HostAndPort master = map.master(part.slot);
      // If the map names no server for a slot, the part stays on its server. That server reports
      // itself if it no longer has the slot.
      if (master != null && move(part, master)) {
        moved.add(part);
      }
    }
    if (!hasMap) {
      hasMap = true;
      log.info("found {}", whereabouts());
    }
    return moved;
  }

  /** Returns the server of each part, for a log line. */
  private synchronized String whereabouts() {
    return parts.stream().map(part -> part + " " + part.whereabouts()).collect(joining(", "));
  }

  /**
   * Called when a server has answered that another server has this slot.
   *
   * @return the server that has the slot
   */
  synchronized RedisServer redirected(RedisSlot part, HostAndPort place) {
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
    if (hasMap) {
      log.warn(
          "{} moved from {} to {}. Expect some duplicates; no message is lost. No action needed.",
          part,
          before == null ? "no server" : before.place(),
          place);
    }
    return true;
  }

  private synchronized RedisServer serverAt(HostAndPort place) {
    // A master behind sentinels has the whole ledger, so it is called even after failures.
    return servers.computeIfAbsent(
        place,
        found ->
            config.sentinel() == null
                ? RedisServer.ofParts(found, login)
                : new RedisServer(found, login));
  }

  /**
   * Asks the guides, and pings the servers that are cut off. Servers that answer are used again.
   */
  private void runRound() {
    try {
      askGuides().forEach(part -> part.moveListener.run());
    } finally {
      pingCutOffServers();
    }
  }

  private void pingCutOffServers() {
    List<RedisServer> cutOffServers;
    synchronized (this) {
      cutOffServers = servers.values().stream().filter(RedisServer::isCutOff).toList();
    }
    for (RedisServer server : cutOffServers) {
      if (server.answersPing()) {
        List<RedisSlot> partsOnServer;
        synchronized (this) {
          partsOnServer = parts.stream().filter(part -> part.server == server).toList();
        }
        partsOnServer.forEach(part -> part.moveListener.run());
      }
    }
  }

  /** Creates the exception to throw if no server is known for a part. */
  synchronized LedgerUnavailableException unavailable(RedisSlot part) {
    return new LedgerUnavailableException(
        hasMap
            ? "Redis unavailable (no server of the cluster has " + part + ")"
            : "Redis unavailable (none of the " + guideNames + " knows where " + part + " is)",
        null,
        false);
  }

  /** Removes a part. The last part closes the locator, after waiting for a guide's answer. */
  void leave(RedisSlot part) {
    synchronized (this) {
      parts.remove(part);
      if (!parts.isEmpty() || roundThread.isClosed()) {
        return;
      }
      roundThread.close();
    }
    synchronized (guides) {
      guides.values().forEach(RedisGuide::close);
    }
    synchronized (this) {
      servers.values().forEach(RedisServer::close);
    }
  }
}
