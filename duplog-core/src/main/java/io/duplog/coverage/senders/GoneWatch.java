package io.duplog.coverage.senders;

import com.google.common.collect.Sets;
import io.duplog.observe.RecurringWarning;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices who is silent on all paths for longer than can be by chance, and warns. One thread looks;
 * {@link #gone} may be called from any thread.
 */
final class GoneWatch {
  private static final Logger log = LoggerFactory.getLogger(GoneWatch.class);

  /** Shortest silence; and for each sender as much longer as handing over and reading take. */
  private static final Duration SHORTEST = Duration.ofMinutes(1);

  private static final int MILLIS_A_SENDER = 3;

  /** Most senders that a line of the log names. */
  private static final int NAMED = 3;

  /**
   * Since when a stream has been up to date.
   *
   * @param wasAway whether it was not before, so that silence from before is its own
   */
  private record Since(long millis, boolean wasAway) {}

  private final List<String> streams;
  private final Predicate<String> current;
  private final RecurringWarning warning =
      new RecurringWarning(log, "senders on all paths", System::nanoTime);

  // Used only by the thread that looks.

  /** Entries for streams that are up to date. */
  private final Map<String, Since> currentSince = new HashMap<>();

  private final Set<String> everCurrent = new HashSet<>();
  private Set<String> suspected = Set.of();
  private long lookedMillis;

  private volatile SortedMap<String, SenderReport.Gone> gone = Collections.emptySortedMap();

  /**
   * @param current says of a stream's name whether the stream has brought everything that it can by
   *     now
   */
  GoneWatch(List<String> streams, Predicate<String> current) {
    this.streams = streams;
    this.current = current;
  }

  /**
   * Looks for senders that are gone. Only who is suspected at two looks is gone, because another
   * bridge may have seen messages that it has not handed over yet.
   */
  void look(Map<String, SenderRecord> known, SenderList list, long nowMillis) {
    long shortest = SHORTEST.toMillis() + (long) MILLIS_A_SENDER * known.size();
    if (nowMillis - lookedMillis > shortest) {
      currentSince.clear(); // what was not read meanwhile is nobody's silence
    }
    lookedMillis = nowMillis;
    for (String stream : streams) {
      if (!current.test(stream)) {
        currentSince.remove(stream);
      } else if (!currentSince.containsKey(stream)) {
        currentSince.put(stream, new Since(nowMillis, !everCurrent.add(stream)));
      }
    }
    Set<String> suspects = new HashSet<>();
    known.forEach(
        (sender, record) -> {
          if (!list.isMuted(sender, nowMillis)
              && isSuspect(record, list.every(sender), nowMillis, shortest)) {
            suspects.add(sender);
          }
        });
    SortedMap<String, SenderReport.Gone> now = new TreeMap<>();
    Sets.intersection(suspects, suspected)
        .forEach(
            sender ->
                now.put(
                    sender,
                    SenderReport.Gone.of(Objects.requireNonNull(known.get(sender)), nowMillis)));
    gone = now;
    suspected = suspects;
    warn(now);
  }

  /**
   * @param every time after which it is gone; null if that is learned
   */
  private boolean isSuspect(
      SenderRecord record, @Nullable Duration every, long nowMillis, long shortest) {
    long last = record.lastMillis();
    if (nowMillis - last < shortest
        || (every == null && nowMillis - last > SenderReport.GIVEN_UP_AFTER.toMillis())) {
      return false;
    }
    return streams.stream()
        .anyMatch(
            stream -> {
              Since since = currentSince.get(stream);
              if (since == null
                  || nowMillis - since.millis() < shortest
                  || !record.wasBroughtLastBy(stream)) {
                return false;
              }
              long from = since.wasAway() ? Math.max(last, since.millis()) : last;
              if (every != null) {
                return nowMillis - from >= every.toMillis();
              }
              Rhythm rhythm = record.rhythm();
              return rhythm.isImprobable(rhythm.expected(from, nowMillis));
            });
  }

  private void warn(SortedMap<String, SenderReport.Gone> now) {
    if (now.isEmpty()) {
      warning.recovered();
      return;
    }
    String some =
        now.entrySet().stream()
            .limit(NAMED)
            .map(each -> each.getValue().line(each.getKey()))
            .collect(Collectors.joining("; "));
    warning.occurred(
        String.join(" ", now.keySet()),
        "%d senders are silent on all paths, for longer than by chance: %s%s"
            .formatted(now.size(), some, now.size() > NAMED ? "; …" : ""));
  }

  /** Returns who was gone at the last look, by the sender. */
  SortedMap<String, SenderReport.Gone> gone() {
    return Collections.unmodifiableSortedMap(gone);
  }
}
