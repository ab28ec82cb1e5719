package io.duplog.observe;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The board of all components: what is wrong with each one now, and what was wrong lately. A
 * component opens, changes and closes conditions by its {@link Trouble}s. If its condition is
 * computed, the class that computes it {@linkplain #report reports} it here. The log, the health,
 * the page and the list of past periods repeat what is on the board.
 *
 * <p>Each change is noted when it happens, so that even the shortest period is known. Troubles are
 * created with their components, and not by events, so the board's size is bounded. Safe for any
 * thread; with its lock held, it calls nobody but the clock.
 *
 * @see "docs/decisions/status.md#conditions"
 */
public final class Conditions {
  static final int MAX_PAST_PERIODS = 50;

  /** Time after the start in which a component that was never healthy has no period. */
  static final Duration STARTING = Duration.ofSeconds(5);

  /** Maximum number of sentences in one condition. */
  static final int MAX_SENTENCES = 3;

  /**
   * A time in which a component was degraded or down.
   *
   * @param to null while it lasts
   * @param sentence the condition's latest sentence
   */
  public record Period(String subject, Instant from, @Nullable Instant to, String sentence) {}

  /** The known state of one component. */
  private static final class Row {
    final List<Trouble> troubles = new CopyOnWriteArrayList<>();
    volatile Supplier<String> work = () -> "";
    volatile @Nullable Condition reported;
  }

  private final LongSupplier nanoClock;
  private final LongSupplier wallMillis;
  private final long startNanos;
  private final Map<String, Row> rows = new ConcurrentHashMap<>();

  /** Subjects of the components that were added, in that order. */
  private final List<String> subjects = new CopyOnWriteArrayList<>();

  // Guarded by this.
  private final Set<String> everHealthy = new HashSet<>();
  private final Map<String, Period> openPeriods = new LinkedHashMap<>();

  /** Periods that have ended, the newest first. */
  private final Deque<Period> pastPeriods = new ArrayDeque<>();

  /**
   * @param nanoClock {@code System::nanoTime}, or a test's clock
   * @param wallMillis milliseconds since the epoch
   */
  public Conditions(LongSupplier nanoClock, LongSupplier wallMillis) {
    this.nanoClock = nanoClock;
    this.wallMillis = wallMillis;
    this.startNanos = nanoClock.getAsLong();
  }

  /** Returns a board with the system's clocks. */
  public static Conditions ofSystem() {
    return new Conditions(System::nanoTime, System::currentTimeMillis);
  }

  /** Returns the monotonic clock, which the components use as well. */
  public LongSupplier nanoClock() {
    return nanoClock;
  }

  /** Returns the clock for the time of day, which the components use as well. */
  public LongSupplier wallMillis() {
    return wallMillis;
  }

  /**
   * Adds a component to {@link #conditions}. Its troubles may have been created before.
   *
   * @param work what the component does while nothing is wrong; called from any thread, often
   */
  public void add(String subject, Supplier<String> work) {
    row(subject).work = work;
    subjects.add(subject);
    changed(subject);
  }

  /**
   * Creates a trouble of a component: a condition that the component has from the trouble's start
   * to its end.
   *
   * @param name the trouble's name in the line of recovery
   * @param level the component's level while the trouble lasts, if nothing worse is wrong
   */
  public Trouble trouble(Logger log, String name, String subject, Level level, Runbook runbook) {
    Trouble trouble =
        new Trouble(log, name, nanoClock, this, new Condition(subject, level, "", runbook));
    row(subject).troubles.add(trouble);
    return trouble;
  }

  /** Replaces the condition of a component whose condition is computed. */
  public void report(Condition condition) {
    row(condition.subject()).reported = condition;
    changed(condition.subject());
  }

  private Row row(String subject) {
    return rows.computeIfAbsent(subject, added -> new Row());
  }

  /** Returns the current condition of each component, in the order in which they were added. */
  public List<Condition> conditions() {
    return subjects.stream().map(this::condition).toList();
  }

  /**
   * Returns the current condition of a component. The condition has the worst level of everything
   * that is wrong, and the sentences about it, the worst first. If nothing is wrong, it says what
   * the component does.
   */
  public Condition condition(String subject) {
    Row row = row(subject);
    Condition wrong = wrong(subject, row);
    if (wrong != null) {
      return wrong;
    }
    Condition reported = row.reported;
    return reported != null && reported.isOk() ? reported : Condition.ok(subject, row.work.get());
  }

  /** Whether anything that this section explains is wrong with a component. */
  public boolean has(String subject, Runbook runbook) {
    return row(subject).troubles.stream()
        .map(Trouble::open)
        .anyMatch(open -> open != null && open.condition().runbook() == runbook);
  }

  private static @Nullable Condition wrong(String subject, Row row) {
    List<Condition> told = new ArrayList<>();
    List<Condition> expected = new ArrayList<>();
    Condition reported = row.reported;
    if (reported != null && !reported.isOk()) {
      told.add(reported);
    }
    for (Trouble trouble : row.troubles) {
      Trouble.Open open = trouble.open();
      if (open != null) {
        (open.isTold() ? told : expected).add(open.condition());
      }
    }
    if (told.isEmpty() && expected.isEmpty()) {
      return null;
    }
    Level worst =
        Stream.concat(told.stream(), expected.stream())
            .map(Condition::level)
            .max(Comparator.naturalOrder())
            .orElse(Level.OK);
    // The sentences are those of the log. An expected condition adds to the text only if nothing
    // was logged.
    List<Condition> said = told.isEmpty() ? expected : told;
    said.sort(Comparator.comparing(Condition::level).reversed());
    List<String> sentences = said.stream().map(Condition::sentence).distinct().toList();
    return new Condition(subject, worst, joined(sentences), said.get(0).runbook());
  }

  private static String joined(List<String> sentences) {
    if (sentences.size() == 1) {
      return sentences.get(0);
    }
    StringBuilder text = new StringBuilder();
    for (String sentence : sentences.subList(0, Math.min(MAX_SENTENCES, sentences.size()))) {
      text.append(text.isEmpty() ? "" : " ").append(sentence);
      text.append(sentence.endsWith(".") ? "" : ".");
    }
    int others = sentences.size() - MAX_SENTENCES;
    return text.append(others > 0 ? " The log has " + others + " more." : "").toString();
  }

  /** Called after each change of what is wrong with a component, by the thread that changed it. */
  synchronized void changed(String subject) {
    Condition wrong = wrong(subject, row(subject));
    Instant now = Instant.ofEpochMilli(wallMillis.getAsLong());
    Period known = openPeriods.get(subject);
    if (wrong != null && wrong.level().compareTo(Level.DEGRADED) >= 0) {
      Instant from = known == null ? now : known.from();
      openPeriods.put(subject, new Period(subject, from, null, wrong.sentence()));
      return;
    }
    if (known != null) {
      openPeriods.remove(subject);
      if (isCounted(known)) {
        pastPeriods.addFirst(new Period(subject, known.from(), now, known.sentence()));
      }
    }
    while (pastPeriods.size() > MAX_PAST_PERIODS) {
      pastPeriods.removeLast();
    }
    everHealthy.add(subject);
  }

  private boolean isCounted(Period period) {
    return everHealthy.contains(period.subject())
        || nanoClock.getAsLong() - startNanos >= STARTING.toNanos();
  }

  /** Returns the periods that still last, followed by those that have ended, newest first. */
  public synchronized List<Period> periods() {
    List<Period> all = new ArrayList<>(openPeriods.values());
    all.removeIf(period -> !isCounted(period));
    all.addAll(pastPeriods);
    return all;
  }
}
