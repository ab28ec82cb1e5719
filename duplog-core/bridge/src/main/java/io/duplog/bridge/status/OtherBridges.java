package io.duplog.bridge.status;

import com.google.common.base.Strings;
import io.duplog.bridge.settings.DedupConfig;
import io.duplog.dedup.BridgeNotes;
import io.duplog.observe.Condition;
import io.duplog.observe.Conditions;
import io.duplog.observe.Counters;
import io.duplog.observe.Level;
import io.duplog.observe.Runbook;
import io.duplog.observe.StreamCounters;
import io.duplog.observe.Trouble;
import io.duplog.observe.Version;
import io.duplog.status.Health;
import io.duplog.status.State;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows on a bridge's status page the other bridges on the same Redis, with their health, version
 * and rates. Each bridge notes its level, version and rates on the {@link BridgeNotes}, in less
 * than {@value #MOST_CHARACTERS} characters; an older bridge ignores that note. {@link #section}
 * may be called from any thread.
 */
public final class OtherBridges implements BridgeNotes.Member {
  /** The name of the component on the board. */
  public static final String COMPONENT = "other bridges";

  private static final Logger log = LoggerFactory.getLogger(OtherBridges.class);

  /**
   * Prefix of the notes' subjects. Redis forgets a note with it after an hour: see {@code
   * exchange.lua}.
   */
  private static final String SUBJECT = "status of ";

  /** Greatest length of a note's text. */
  static final int MOST_CHARACTERS = 400;

  /** Greatest length of a sentence in a note. */
  private static final int MOST_OF_SENTENCE = 240;

  /**
   * Age of a note in milliseconds from which on it says nothing about now. Bridges write one every
   * two seconds.
   */
  private static final long OUTDATED_MILLIS = 10_000;

  /** Age in milliseconds from which on a bridge is reported as silent. */
  private static final long PATIENCE_MILLIS = 30_000;

  /** Time over which rates are measured, in nanoseconds. */
  private static final long RATE_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** A bridge's counts at one moment. */
  private record Counted(long nanos, long received, long delivered) {}

  private final String bridge;
  private final DedupConfig.Store store;
  private final Supplier<Health> health;
  private final Counters counters;
  private final LongSupplier nanoClock;
  private final Trouble silence;
  private Counted before;
  private Counted now;
  private volatile List<State.BridgeRow> others = List.of();
  private volatile Map<String, String> own = Map.of();
  private volatile @Nullable Long readNanos;

  /**
   * @param health called after the bridge was created
   * @param board where a bridge that reports nothing is shown
   */
  public OtherBridges(
      String bridge,
      DedupConfig.Store store,
      Supplier<Health> health,
      Counters counters,
      Conditions board) {
    this.bridge = bridge;
    this.store = store;
    this.health = health;
    this.counters = counters;
    this.nanoClock = board.nanoClock();
    this.silence = board.trouble(log, COMPONENT, COMPONENT, Level.ATTENTION, Runbook.BRIDGE_DOWN);
    this.now = count();
    this.before = now;
  }

  private Counted count() {
    return new Counted(
        nanoClock.getAsLong(),
        counters.sum(stream -> stream.received.sum()),
        counters.sum(StreamCounters::delivered));
  }

  @Override
  public List<BridgeNotes.Note> notes() {
    Counted latest = count();
    if (latest.nanos - now.nanos >= RATE_NANOS) {
      before = now;
      now = latest;
    }
    double seconds = (latest.nanos - before.nanos) / 1e9;
    Map<String, String> keys = new TreeMap<>();
    keys.put("version", Version.number());
    if (seconds >= 1) {
      keys.put("received", rate((latest.received - before.received) / seconds));
      keys.put("delivered", rate((latest.delivered - before.delivered) / seconds));
    }
    own = Map.copyOf(keys);
    Condition state = health.get().state(bridge);
    keys.put("level", state.level().word());
    Runbook runbook = state.runbook();
    if (runbook != null) {
      keys.put("runbook", runbook.place());
    }
    keys.put("sentence", shortened(state.sentence()));
    return List.of(BridgeNotes.Note.ofValues(SUBJECT + bridge, keys));
  }

  private static String rate(double perSecond) {
    return Double.toString(Math.round(10 * perSecond) / 10.0);
  }

  private static String shortened(String sentence) {
    String line = sentence.replace('\n', ' ');
    return line.length() <= MOST_OF_SENTENCE ? line : line.substring(0, MOST_OF_SENTENCE - 1) + "…";
  }

  @Override
  public void read(List<BridgeNotes.Note> all) {
    List<State.BridgeRow> rows = new ArrayList<>();
    for (BridgeNotes.Note note : all) {
      if (note.subject().startsWith(SUBJECT) && !note.subject().equals(SUBJECT + bridge)) {
        rows.add(row(note));
      }
    }
    rows.sort(Comparator.comparing(row -> row.bridge().name()));
    others = List.copyOf(rows);
    silence.update(
        rows.stream()
            .filter(row -> row.ageSeconds() * 1000 > PATIENCE_MILLIS)
            .map(row -> row.bridge().detail())
            .findFirst()
            .orElse(null));
    readNanos = nanoClock.getAsLong();
  }

  private static State.BridgeRow row(BridgeNotes.Note note) {
    String name = note.subject().substring(SUBJECT.length());
    Map<String, String> keys = note.values();
    if (note.ageMillis() > PATIENCE_MILLIS) {
      String silent =
          "Bridge %s has reported nothing for %d s. The other bridges do its work. Start it, or check its connection to Redis."
              .formatted(name, note.ageMillis() / 1000);
      return unheard(name, Level.DEGRADED, silent, note);
    }
    if (note.ageMillis() > OUTDATED_MILLIS) {
      String unsure =
          "Bridge %s has reported nothing for %d s. It may be down. If it is, the other bridges deliver what it held when its lease ends."
              .formatted(name, note.ageMillis() / 1000);
      return unheard(name, Level.ATTENTION, unsure, note);
    }
    Level level = Level.named(Strings.nullToEmpty(keys.get("level")));
    return row(
        new State.Component(
            name,
            level.state(),
            level,
            Strings.nullToEmpty(keys.get("sentence")),
            Strings.nullToEmpty(keys.get("runbook"))),
        keys,
        note.ageMillis());
  }

  /** Returns the row of a bridge whose note says nothing about now. */
  private static State.BridgeRow unheard(
      String name, Level level, String sentence, BridgeNotes.Note note) {
    Condition condition = new Condition(name, level, sentence, Runbook.BRIDGE_DOWN);
    return row(State.Component.of(condition), Map.of(), note.ageMillis());
  }

  /**
   * @param keys the rates and the version
   */
  private static State.BridgeRow row(
      State.Component bridge, Map<String, String> keys, long ageMillis) {
    return new State.BridgeRow(
        bridge,
        Strings.nullToEmpty(keys.get("version")),
        number(keys.get("received")),
        number(keys.get("delivered")),
        ageMillis / 1000);
  }

  /** Returns what the board says while every other bridge is heard. */
  public String work() {
    String alone = alone();
    return alone == null ? together(others.size()) : alone;
  }

  /** Returns the section {@code bridges} of the state document. */
  public State.Bridges section() {
    State.BridgeRow first = row(State.Component.of(health.get().state(bridge)), own, 0);
    String alone = alone();
    Stream<State.BridgeRow> rows = alone == null ? others.stream() : Stream.empty();
    return new State.Bridges(work(), Stream.concat(Stream.of(first), rows).toList());
  }

  /** Returns why no other bridge can be shown; null if the others' notes are known. */
  private @Nullable String alone() {
    if (store != DedupConfig.Store.REDIS) {
      return "Only this bridge is shown: without Redis, bridges don't know of each other.";
    }
    Long read = readNanos;
    boolean current =
        read != null
            && TimeUnit.NANOSECONDS.toMillis(nanoClock.getAsLong() - read) < OUTDATED_MILLIS;
    return current ? null : "Only this bridge is shown: it can't read the others' notes in Redis.";
  }

  private static String together(int others) {
    return others == 0
        ? "No other bridge uses this Redis."
        : "%d bridges share the work.".formatted(others + 1);
  }

  private static @Nullable Double number(@Nullable String text) {
    try {
      return text == null ? null : (Double) Double.parseDouble(text);
    } catch (NumberFormatException e) {
      return null; // the note of another version
    }
  }
}
