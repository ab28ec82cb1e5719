package io.duplog.senders;

import io.duplog.observe.Level;
import io.duplog.observe.RecurringWarning;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the senders with each problem, such as silence, and logs when an urgent one begins and
 * ends.
 *
 * <p>{@link #update} may be called from one thread only. {@link #counts} may be called from any
 * thread.
 */
final class ConcernWatch {
  private static final Logger log = LoggerFactory.getLogger(ConcernWatch.class);

  /** Maximum number of senders to remember for each concern. */
  private static final int MAX_SENDERS = 20;

  // Used only by the thread that calls update.
  private final Map<Concern, RecurringWarning> warnings = new EnumMap<>(Concern.class);

  /** For each urgent concern, its senders and the number of the update that found them first. */
  private final Map<Concern, Map<String, Integer>> firstFound = new EnumMap<>(Concern.class);

  private int updateCount;

  private volatile ConcernCounts counts = ConcernCounts.NONE;

  ConcernWatch() {
    for (Concern concern : Concern.values()) {
      if (concern.level() != Level.OK) {
        String name = "senders (" + concern.word() + ")";
        warnings.put(concern, new RecurringWarning(log, name, System::nanoTime));
        firstFound.put(concern, Map.of());
      }
    }
  }

  /**
   * @param knownSenders number of known senders
   */
  void update(int knownSenders, Stream<SenderReport> senders) {
    updateCount++;
    Map<Concern, List<SenderReport>> found = new EnumMap<>(Concern.class);
    senders.forEach(
        sender ->
            sender
                .concerns()
                .forEach(
                    concern ->
                        found.computeIfAbsent(concern, added -> new ArrayList<>()).add(sender)));
    List<ConcernCount> all = new ArrayList<>();
    for (Concern concern : Concern.values()) {
      all.add(count(concern, found.getOrDefault(concern, List.of())));
    }
    counts = new ConcernCounts(true, knownSenders, List.copyOf(all));
  }

  private ConcernCount count(Concern concern, List<SenderReport> senders) {
    Comparator<SenderReport> order = Comparator.comparing(SenderReport::sender);
    Map<String, Integer> before = firstFound.get(concern);
    if (before == null) {
      return new ConcernCount(
          concern, senders.size(), senders.stream().sorted(order).limit(MAX_SENDERS).toList());
    }
    Map<String, Integer> now = new TreeMap<>();
    senders.forEach(
        each -> now.put(each.sender(), before.getOrDefault(each.sender(), updateCount)));
    firstFound.put(concern, now);
    Comparator<SenderReport> latest =
        Comparator.<SenderReport>comparingInt(
                each -> -Objects.requireNonNull(now.get(each.sender())))
            .thenComparing(order);
    ConcernCount count =
        new ConcernCount(
            concern, senders.size(), senders.stream().sorted(latest).limit(MAX_SENDERS).toList());
    RecurringWarning warning = Objects.requireNonNull(warnings.get(concern));
    if (senders.isEmpty()) {
      warning.recovered();
    } else {
      warning.occurred(String.join(" ", now.keySet()), count.sentence());
    }
    return count;
  }

  /** Returns the counts of the last update. */
  ConcernCounts counts() {
    return counts;
  }
}
