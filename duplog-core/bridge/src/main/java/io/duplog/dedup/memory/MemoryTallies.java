package io.duplog.dedup.memory;

import static java.util.stream.Collectors.joining;

import io.duplog.dedup.Revocation;
import io.duplog.dedup.StreamSet;
import io.duplog.dedup.Tallies;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The tallies in this process. Does step by step what the scripts {@code tally} and {@code settle}
 * do in Redis. The lock is the store.
 */
final class MemoryTallies {
  private static final String NUMBER_OF_SENDERS = "n";
  private static final String ERA_MARK = ".";

  private final MemoryStore store;

  private record Bridge(long called, long countedUntil, long sequence, long volume) {}

  private final Map<String, Bridge> bridges = new HashMap<>();
  private final TreeMap<Long, Map<String, String>> periods = new TreeMap<>();
  private final TreeMap<Long, String> history = new TreeMap<>();
  private final TreeMap<Long, String> hours = new TreeMap<>();
  private final Set<String> regulars = new HashSet<>();
  private long settled = Tallies.NO_PERIOD;
  private long revoked;
  private long since;

  /** Number of times that all sums were cleared; part of the current era's name. */
  private int eras;

  MemoryTallies(MemoryStore store) {
    this.store = store;
  }

  /** Returns a view of the shared sums for one bridge. */
  Tallies of(String bridge, long silenceMillis, Tallies.Bounds bounds) {
    return new Tallies() {
      @Override
      public Added add(Addition addition) {
        return store.atomically(
            () -> MemoryTallies.this.add(bridge, silenceMillis, bounds, addition));
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
    eras++;
    bridges.clear();
    periods.clear();
    history.clear();
    hours.clear();
    regulars.clear();
    settled = Tallies.NO_PERIOD;
    revoked = 0;
    since = nowMillis;
  }

  private Tallies.Added add(
      String bridge, long silenceMillis, Tallies.Bounds bounds, Tallies.Addition addition) {
    StreamSet agreed = store.agreed;
    List<String> streams = agreed == null ? List.of() : agreed.merged();
    long now = store.nowMillis();
    long present = Math.floorDiv(now, bounds.periodMillis());
    Bridge known = bridges.get(bridge);
    forgetLost(bridge, silenceMillis, now, present);
    for (MemoryStore.Logged logged : store.revocations.values()) {
      Revocation revocation = logged.revocation();
      if (revocation.number() > revoked) {
        doubt(present, revocation.digests().count());
        revoked = revocation.number();
      }
    }
    long countedUntil = Math.max(known == null ? 0 : known.countedUntil(), addition.countedUntil());
    if (addition.leaving()) {
      bridges.remove(bridge);
    } else {
      bridges.put(bridge, new Bridge(now, countedUntil, addition.sequence(), addition.volume()));
    }
    Tallies.Portion portion = addition.portion();
    boolean fresh = known == null || addition.sequence() > known.sequence();
    boolean sameEpoch = (portion.token() + ERA_MARK).startsWith(store.token + ERA_MARK);
    boolean addable = sameEpoch && addition.streams().equals(streams);
    Map<String, String> fields = Map.of();
    if (portion.period() >= 0) {
      if (fresh) {
        doubt(portion.period(), portion.doubtful());
      }
      if (portion.period() <= settled) {
        if (fresh && sameEpoch && !portion.totals().isEmpty()) {
          doubt(present, numbers(portion.totals())[0]);
        }
      } else if (addable) {
        fields = fields(portion.period());
        if (fresh) {
          count(fields, portion, bounds.senders());
        }
      }
    }
    boolean namesMembers = portion.wantsNames() && fields.containsKey(Tallies.CLOSED);
    return new Tallies.Added(
        era(),
        streams,
        now,
        since,
        settled,
        periods.isEmpty() ? Tallies.NO_PERIOD : periods.firstKey(),
        bridges.values().stream().mapToLong(Bridge::countedUntil).min().orElse(now),
        namesMembers ? names(fields) : null);
  }

  private String era() {
    return store.token + ERA_MARK + eras;
  }

  /**
   * Forgets bridges that have not called for too long, and counts what they may not have added as
   * doubtful.
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
      fields(Math.max(period, settled + 1))
          .merge(Tallies.DOUBTFUL, Long.toString(messages), MemoryTallies::plus);
    }
  }

  /**
   * Returns the stored fields of a period. A new period starts with a field for each of the {@link
   * #regulars}.
   */
  private Map<String, String> fields(long period) {
    return periods.computeIfAbsent(
        period,
        begun -> {
          Map<String, String> fields = new HashMap<>();
          regulars.forEach(name -> fields.put(Tallies.SENDER + name, ""));
          fields.put(NUMBER_OF_SENDERS, Integer.toString(regulars.size()));
          return fields;
        });
  }

  private static void count(Map<String, String> fields, Tallies.Portion portion, int senders) {
    if (!portion.totals().isEmpty()) {
      fields.merge(Tallies.TOTALS, portion.totals(), MemoryTallies::plus);
    }
    boolean closed = fields.containsKey(Tallies.CLOSED);
    long taken = numbers(fields.getOrDefault(NUMBER_OF_SENDERS, "0"))[0];
    for (Map.Entry<String, String> sender : portion.senders().entrySet()) {
      String field = Tallies.SENDER + sender.getKey();
      if (!fields.containsKey(field)) {
        closed = closed || taken >= senders;
        if (closed) {
          continue;
        }
        taken++;
      }
      fields.merge(field, sender.getValue(), MemoryTallies::plus);
    }
    fields.put(NUMBER_OF_SENDERS, Long.toString(taken));
    if (closed || portion.overflowed()) {
      fields.put(Tallies.CLOSED, "1");
    }
  }

  private static List<String> names(Map<String, String> fields) {
    return fields.keySet().stream()
        .filter(field -> field.startsWith(Tallies.SENDER))
        .map(field -> field.substring(1))
        .toList();
  }

  private void end(Tallies.Settlement settlement) {
    if (!settlement.era().equals(era()) || settlement.settled() != settled) {
      return;
    }
    settled = settlement.period().number();
    periods.remove(settled);
    remember(settlement.period(), history);
    remember(settlement.hour(), hours);
    regulars.clear();
    regulars.addAll(settlement.regulars());
  }

  private static void remember(Tallies.Remembered one, SortedMap<Long, String> all) {
    if (!one.summary().isEmpty()) {
      all.put(one.number(), one.summary());
    }
    all.headMap(one.keepFrom()).clear();
  }

  /** Adds vectors of numbers separated by spaces; an empty {@code known} counts as all zeros. */
  private static String plus(String known, String added) {
    if (known.isEmpty()) {
      return added;
    }
    long[] sum = numbers(known);
    long[] more = numbers(added);
    return IntStream.range(0, sum.length)
        .mapToObj(i -> Long.toString(sum[i] + more[i]))
        .collect(joining(" "));
  }

  private static long[] numbers(String vector) {
    return Stream.of(vector.split(" ", -1)).mapToLong(Long::parseLong).toArray();
  }
}
