package io.duplog.status;

import io.duplog.observe.Condition;
import io.duplog.observe.JsonObject;
import io.duplog.observe.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the times when a part of the bridge was not well, for the status page. The parts are
 * looked at several times a second, so a shorter time may go unseen. May be used from any thread.
 */
final class DegradedPeriods {
  static final int MOST = 50;

  /** Grace period after the first {@link #look} for parts that have never been healthy. */
  private static final Duration BEGINNING = Duration.ofSeconds(5);

  /**
   * A time in which a part was not well.
   *
   * @param to null while the part is still unwell
   */
  record Period(String part, Instant from, @Nullable Instant to, String cause) {
    private JsonObject json() {
      return new JsonObject()
          .put("part", part)
          .put("from", from.toString())
          .put("to", to == null ? null : to.toString())
          .put("cause", cause);
    }
  }

  private final Health health;
  private final Set<String> everWell = new HashSet<>();
  private @Nullable Instant firstLook;
  private final Map<String, Period> openPeriods = new LinkedHashMap<>();

  /** Periods that have ended, the newest first. */
  private final Deque<Period> pastPeriods = new ArrayDeque<>();

  DegradedPeriods(Health health) {
    this.health = health;
  }

  /** Reads the state of each part, and records parts that become degraded or healthy again. */
  void look(Instant now) {
    List<Condition> conditions = health.conditions();
    synchronized (this) {
      firstLook = firstLook == null ? now : firstLook;
      boolean beginning = now.isBefore(firstLook.plus(BEGINNING));
      Set<String> unwell = new HashSet<>();
      for (Condition condition : conditions) {
        if (condition.level().compareTo(Level.DEGRADED) < 0) {
          everWell.add(condition.subject());
        } else if (!beginning || everWell.contains(condition.subject())) {
          unwell.add(condition.subject());
          Period known = openPeriods.get(condition.subject());
          Instant from = known == null ? now : known.from();
          openPeriods.put(
              condition.subject(),
              new Period(condition.subject(), from, null, condition.sentence()));
        }
      }
      for (Period period : List.copyOf(openPeriods.values())) {
        if (!unwell.contains(period.part())) {
          openPeriods.remove(period.part());
          pastPeriods.addFirst(new Period(period.part(), period.from(), now, period.cause()));
        }
      }
      while (pastPeriods.size() > MOST) {
        pastPeriods.removeLast();
      }
    }
  }

  /** Returns the periods that still last, followed by those that have ended, newest first. */
  synchronized List<Period> periods() {
    List<Period> all = new ArrayList<>(openPeriods.values());
    all.addAll(pastPeriods);
    return all;
  }

  /** Returns the value of the section {@code degraded} of the state document. */
  List<JsonObject> json() {
    return periods().stream().map(Period::json).toList();
  }
}
