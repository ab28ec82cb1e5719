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
 * Sums up which senders each {@link Concern} is about, and logs which of the urgent concerns begin
 * and end. One thread looks; {@link #findings} may be called from any thread.
 */
final class ConcernWatch {
  private static final Logger log = LoggerFactory.getLogger(ConcernWatch.class);

  /** Most senders of a concern that are kept. */
  private static final int KEPT = 20;

  // Used only by the thread that looks.
  private final Map<Concern, RecurringWarning> warnings = new EnumMap<>(Concern.class);

  /** For each urgent concern, its senders and the number of the look that found them first. */
  private final Map<Concern, Map<String, Integer>> firstFound = new EnumMap<>(Concern.class);

  private int looks;

  private volatile ConcernCounts findings = ConcernCounts.NONE;

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
   * @param known number of senders that are known
   */
  void look(int known, Stream<SenderReport> senders) {
    looks++;
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
      all.add(finding(concern, found.getOrDefault(concern, List.of())));
    }
    findings = new ConcernCounts(true, known, List.copyOf(all));
  }

  private ConcernCount finding(Concern concern, List<SenderReport> senders) {
    Comparator<SenderReport> order = Comparator.comparing(SenderReport::sender);
    Map<String, Integer> before = firstFound.get(concern);
    if (before == null) {
      return new ConcernCount(
          concern, senders.size(), senders.stream().sorted(order).limit(KEPT).toList());
    }
    Map<String, Integer> now = new TreeMap<>();
    senders.forEach(each -> now.put(each.sender(), before.getOrDefault(each.sender(), looks)));
    firstFound.put(concern, now);
    Comparator<SenderReport> latest =
        Comparator.<SenderReport>comparingInt(
                each -> -Objects.requireNonNull(now.get(each.sender())))
            .thenComparing(order);
    ConcernCount finding =
        new ConcernCount(
            concern, senders.size(), senders.stream().sorted(latest).limit(KEPT).toList());
    RecurringWarning warning = Objects.requireNonNull(warnings.get(concern));
    if (senders.isEmpty()) {
      warning.recovered();
    } else {
      warning.occurred(String.join(" ", now.keySet()), finding.sentence());
    }
    return finding;
  }

  /** Returns what the last look found. */
  ConcernCounts findings() {
    return findings;
  }
}
