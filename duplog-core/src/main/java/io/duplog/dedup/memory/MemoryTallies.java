package io.duplog.dedup.memory;

import io.duplog.dedup.Revocation;
import io.duplog.dedup.Tallies;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The tallies in this process. Does step by step what the scripts {@code tally} and {@code settle}
 * do in Redis; the store is the lock.
 */
final class MemoryTallies {
  private static final String NUMBER_OF_SENDERS = "n";
  private static final String ERA_MARK = ".";

  private record Bridge(long called, long countedUntil, long sequence, long volume) {}

  private final Map<String, Bridge> bridges = new HashMap<>();
  private final TreeMap<Long, Map<String, String>> periods = new TreeMap<>();
  private final TreeMap<Long, String> history = new TreeMap<>();
  private final TreeMap<Long, String> hours = new TreeMap<>();
  private final Set<String> regulars = new HashSet<>();
  private long settled = Tallies.NO_PERIOD;
  private long revoked;
  private long since;

  /** How often all began anew. */
  private int eras;

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

  Tallies.Added add(
      String bridge,
      long silenceMillis,
      Tallies.Bounds bounds,
      Tallies.Addition addition,
      String token,
      List<String> streams,
      long now,
      Iterable<Revocation> revocations) {
    long present = Math.floorDiv(now, bounds.periodMillis());
    Bridge known = bridges.get(bridge);
    forgetLost(bridge, silenceMillis, now, present);
    for (Revocation revocation : revocations) {
      if (revocation.number() > revoked) {
        doubt(present, revocation.digests().size());
        revoked = revocation.number();
      }
    }
    long countedUntil = Math.max(known == null ? 0 : known.countedUntil(), addition.countedUntil());
    if (addition.leaving()) {
      bridges.remove(bridge);
    } else {
      bridges.put(bridge, new Bridge(now, countedUntil, addition.sequence(), addition.volume()));
    }
    boolean fresh = known == null || addition.sequence() > known.sequence();
    boolean sameEpoch = tokenOf(addition.epoch()).equals(token);
    boolean addable = sameEpoch && addition.streams().equals(streams);
    Map<String, String> fields = Map.of();
    if (addition.period() >= 0) {
      if (fresh) {
        doubt(addition.period(), addition.doubtful());
      }
      if (addition.period() <= settled) {
        if (fresh && sameEpoch && !addition.totals().isEmpty()) {
          doubt(present, numbers(addition.totals())[0]);
        }
      } else if (addable) {
        fields = fields(addition.period());
        if (fresh) {
          count(fields, addition, bounds.senders());
        }
      }
    }
    boolean closed = fields.containsKey(Tallies.CLOSED);
    return new Tallies.Added(
        era(token),
        streams,
        now,
        since,
        settled,
        periods.isEmpty() ? Tallies.NO_PERIOD : periods.firstKey(),
        bridges.values().stream().mapToLong(Bridge::countedUntil).min().orElse(now),
        closed,
        closed && addition.wantsNames() ? names(fields) : List.of());
  }

  private String era(String token) {
    return token + ERA_MARK + eras;
  }

  private static String tokenOf(String epoch) {
    int mark = epoch.indexOf(ERA_MARK);
    return mark < 0 ? epoch : epoch.substring(0, mark);
  }

  /** What lost bridges had counted and not added is not known, but how much it may be. */
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

  /** The regular senders have their place in a period before anybody else. */
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

  private static void count(Map<String, String> fields, Tallies.Addition addition, int senders) {
    if (!addition.totals().isEmpty()) {
      fields.merge(Tallies.TOTALS, addition.totals(), MemoryTallies::plus);
    }
    boolean closed = fields.containsKey(Tallies.CLOSED);
    long taken = numbers(fields.getOrDefault(NUMBER_OF_SENDERS, "0"))[0];
    for (Map.Entry<String, String> sender : addition.senders().entrySet()) {
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
    if (closed || addition.overflowed()) {
      fields.put(Tallies.CLOSED, "1");
    }
  }

  private static List<String> names(Map<String, String> fields) {
    return fields.keySet().stream()
        .filter(field -> field.startsWith(Tallies.SENDER))
        .map(field -> field.substring(1))
        .toList();
  }

  Map<String, String> read(long period) {
    Map<String, String> fields = periods.get(period);
    return fields == null ? Map.of() : Map.copyOf(fields);
  }

  void settle(Tallies.Settlement settlement, String token) {
    if (!settlement.epoch().equals(era(token)) || settlement.settled() != settled) {
      return;
    }
    settled = settlement.period();
    periods.remove(settled);
    if (!settlement.summary().isEmpty()) {
      history.put(settled, settlement.summary());
    }
    history.headMap(settlement.keepFrom()).clear();
    if (!settlement.hourSummary().isEmpty()) {
      hours.put(settlement.hour(), settlement.hourSummary());
    }
    hours.headMap(settlement.keepHoursFrom()).clear();
    regulars.clear();
    regulars.addAll(settlement.regulars());
  }

  List<String> history(long afterPeriod) {
    return List.copyOf(history.tailMap(afterPeriod, false).values());
  }

  List<String> hours() {
    return new ArrayList<>(hours.values());
  }

  /** Adds two vectors; an empty one is one of zeros. */
  private static String plus(String known, String added) {
    if (known.isEmpty()) {
      return added;
    }
    long[] sum = numbers(known);
    long[] more = numbers(added);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < sum.length; i++) {
      text.append(i == 0 ? "" : " ").append(sum[i] + more[i]);
    }
    return text.toString();
  }

  private static long[] numbers(String vector) {
    String[] words = vector.split(" ", -1);
    long[] numbers = new long[words.length];
    for (int i = 0; i < words.length; i++) {
      numbers[i] = Long.parseLong(words[i]);
    }
    return numbers;
  }
}
