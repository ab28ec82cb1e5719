package io.duplog.dedup.memory;

import io.duplog.dedup.Revocation;
import io.duplog.dedup.StreamSet;
import io.duplog.dedup.Tallies;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Stores the bridges' counts of messages and copies in this process's memory instead of in Redis.
 * Follows the Redis scripts {@code tally} and {@code settle} step by step. The lock is the store.
 */
final class MemoryTallies {
  private static final String ERA_MARK = ".";

  private final MemoryStore store;

  private record Bridge(long called, long countedUntil, long number, long volume) {}

  private final Map<String, Bridge> bridges = new HashMap<>();
  private final TreeMap<Long, Map<String, String>> periods = new TreeMap<>();
  private final TreeMap<Long, String> history = new TreeMap<>();
  private final TreeMap<Long, String> hours = new TreeMap<>();
  private long lastSettledPeriod = Tallies.NO_PERIOD;
  private long lastRevocation;
  private long beganMillis;

  /** Number of times that all sums were cleared. Part of the current era's name. */
  private int eraCount;

  MemoryTallies(MemoryStore store) {
    this.store = store;
  }

  /** Returns a view of the shared sums for one bridge. */
  Tallies of(String bridge, long silenceMillis, long periodMillis) {
    return new Tallies() {
      @Override
      public State update(Update update) {
        return store.atomically(
            () -> MemoryTallies.this.update(bridge, silenceMillis, periodMillis, update));
      }

      @Override
      public Map<String, String> read(long period) {
        return store.atomically(() -> Map.copyOf(periods.getOrDefault(period, Map.of())));
      }

      @Override
      public void settle(Settlement settlement) {
        synchronized (store) {
          end(settlement);
        }
      }

      @Override
      public Forgotten forgotten() {
        return store.atomically(() -> store.forgotten);
      }

      @Override
      public List<String> history(long afterPeriod) {
        return store.atomically(() -> List.copyOf(history.tailMap(afterPeriod, false).values()));
      }

      @Override
      public List<String> hours() {
        return store.atomically(() -> List.copyOf(hours.values()));
      }
    };
  }

  void clear(long nowMillis) {
    eraCount++;
    bridges.clear();
    periods.clear();
    history.clear();
    hours.clear();
    lastSettledPeriod = Tallies.NO_PERIOD;
    lastRevocation = 0;
    beganMillis = nowMillis;
  }

  private Tallies.State update(
      String bridge, long silenceMillis, long periodMillis, Tallies.Update update) {
    StreamSet agreed = store.agreed;
    List<String> streams = agreed == null ? List.of() : agreed.merged();
    long now = store.nowMillis();
    long present = Math.floorDiv(now, periodMillis);
    forgetLost(bridge, silenceMillis, now, present);
    for (MemoryStore.Logged logged : store.revocations.values()) {
      Revocation revocation = logged.revocation();
      if (revocation.number() > lastRevocation) {
        doubt(present, revocation.digests().count());
        lastRevocation = revocation.number();
      }
    }
    Bridge known = bridges.getOrDefault(bridge, new Bridge(now, 0, -1, 0));
    if (update.number() > known.number()) {
      long countedUntil = Math.max(known.countedUntil(), update.countedUntil());
      bridges.put(bridge, new Bridge(now, countedUntil, update.number(), update.volume()));
      if (update.leaving()) {
        bridges.remove(bridge);
      }
      write(bridge, update.counts(), update.streams().equals(streams));
    }
    return new Tallies.State(
        era(),
        streams,
        now,
        beganMillis,
        lastSettledPeriod,
        periods.isEmpty() ? Tallies.NO_PERIOD : periods.firstKey(),
        bridges.values().stream().mapToLong(Bridge::countedUntil).min().orElse(now));
  }

  private void write(String bridge, Tallies.OwnCounts counts, boolean ofSameStreams) {
    long period = counts.period();
    if (period == Tallies.NO_PERIOD) {
      return;
    }
    if (period <= lastSettledPeriod) {
      doubt(lastSettledPeriod + 1, counts.unwritten());
      return;
    }
    if (counts.doubtful() > 0) {
      fields(period).put(Tallies.DOUBTFUL + bridge, Long.toString(counts.doubtful()));
    }
    if (ofSameStreams && counts.token().equals(store.token)) {
      fields(period).put(Tallies.COUNTS + bridge, counts.text());
    }
  }

  private String era() {
    return store.token + ERA_MARK + eraCount;
  }

  /**
   * Forgets bridges that have not called for too long, and counts the messages that they may not
   * have written as doubtful.
   */
  private void forgetLost(String caller, long silenceMillis, long now, long present) {
    for (Map.Entry<String, Bridge> each : List.copyOf(bridges.entrySet())) {
      if (!each.getKey().equals(caller) && now - each.getValue().called() > silenceMillis) {
        bridges.remove(each.getKey());
        doubt(present, 2 * each.getValue().volume());
      }
    }
  }

  private void doubt(long period, long messages) {
    if (messages > 0) {
      fields(Math.max(period, lastSettledPeriod + 1))
          .merge(
              Tallies.DOUBTFUL,
              Long.toString(messages),
              (known, more) -> Long.toString(Long.parseLong(known) + Long.parseLong(more)));
    }
  }

  private Map<String, String> fields(long period) {
    return periods.computeIfAbsent(period, begun -> new HashMap<>());
  }

  private void end(Tallies.Settlement settlement) {
    if (!settlement.era().equals(era()) || settlement.settled() != lastSettledPeriod) {
      return;
    }
    lastSettledPeriod = settlement.period().number();
    periods.remove(lastSettledPeriod);
    remember(settlement.period(), history);
    remember(settlement.hour(), hours);
  }

  private static void remember(Tallies.Remembered one, SortedMap<Long, String> all) {
    if (!one.summary().isEmpty()) {
      all.put(one.number(), one.summary());
    }
    all.headMap(one.keepFrom()).clear();
  }
}
