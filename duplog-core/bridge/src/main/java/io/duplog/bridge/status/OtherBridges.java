package io.duplog.bridge.status;

import com.google.common.base.Strings;
import io.duplog.bridge.settings.DedupConfig;
import io.duplog.dedup.BridgeNotes;
import io.duplog.observe.Condition;
import io.duplog.observe.Counters;
import io.duplog.observe.JsonObject;
import io.duplog.observe.Level;
import io.duplog.observe.Runbook;
import io.duplog.observe.StreamCounters;
import io.duplog.observe.Version;
import io.duplog.status.Health;
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

/**
 * Shows on a bridge's status page the other bridges on the same Redis, with their health, version
 * and rates. Each bridge notes its level, version and rates on the {@link BridgeNotes}, in less
 * than {@value #MOST_CHARACTERS} characters; an older bridge ignores that note. {@link #json} may
 * be called from any thread.
 */
public final class OtherBridges implements BridgeNotes.Member {
  /**
   * Prefix of the notes' subjects. Redis forgets a note with it after an hour: see {@code
   * exchange.lua}.
   */
  private static final String SUBJECT = "status of ";

  /** Greatest length of a note's text. */
  static final int MOST_CHARACTERS = 400;

  /** Greatest length of a sentence in a note. */
  private static final int MOST_OF_SENTENCE = 240;

  /** Age in milliseconds from which on a bridge is reported as silent. */
  private static final long PATIENCE_MILLIS = 30_000;

  /** Time over which rates are measured, in nanoseconds. */
  private static final long RATE_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** What was counted up to a moment. */
  private record Counted(long nanos, long received, long delivered) {}

  /**
   * A row of the table.
   *
   * @param runbook place of the section that says what to do, or null if there is none
   * @param keys the rates and the version
   */
  private record Row(
      String name,
      Level level,
      String sentence,
      @Nullable String runbook,
      Map<String, String> keys,
      long ageMillis) {

    static Row of(Condition state, Map<String, String> keys, long ageMillis) {
      Runbook runbook = state.runbook();
      return new Row(
          state.subject(),
          state.level(),
          state.sentence(),
          runbook == null ? null : runbook.place(),
          keys,
          ageMillis);
    }

    JsonObject json() {
      return Health.json(new Condition(name, level, sentence, null))
          .put("runbook", runbook)
          .put("version", keys.get("version"))
          .put("received_per_second", number(keys.get("received")))
          .put("delivered_per_second", number(keys.get("delivered")))
          .put("age_seconds", ageMillis / 1000);
    }
  }

  private final String bridge;
  private final DedupConfig.Store store;
  private final Supplier<Health> health;
  private final Counters counters;
  private final LongSupplier nanoClock;
  private Counted before;
  private Counted now;
  private volatile List<Row> others = List.of();
  private volatile Map<String, String> own = Map.of();
  private volatile @Nullable Long readNanos;

  /**
   * @param health called after the bridge was created
   */
  public OtherBridges(
      String bridge,
      DedupConfig.Store store,
      Supplier<Health> health,
      Counters counters,
      LongSupplier nanoClock) {
    this.bridge = bridge;
    this.store = store;
    this.health = health;
    this.counters = counters;
    this.nanoClock = nanoClock;
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
    List<Row> rows = new ArrayList<>();
    for (BridgeNotes.Note note : all) {
      if (note.subject().startsWith(SUBJECT) && !note.subject().equals(SUBJECT + bridge)) {
        rows.add(row(note));
      }
    }
    rows.sort(Comparator.comparing(Row::name));
    others = List.copyOf(rows);
    readNanos = nanoClock.getAsLong();
  }

  private static Row row(BridgeNotes.Note note) {
    String name = note.subject().substring(SUBJECT.length());
    Map<String, String> keys = note.values();
    if (note.ageMillis() > PATIENCE_MILLIS) {
      String silent =
          "Bridge %s has reported nothing for %d s. The other bridges do its work. Start it, or check its connection to Redis."
              .formatted(name, note.ageMillis() / 1000);
      return Row.of(
          new Condition(name, Level.DEGRADED, silent, Runbook.BRIDGE_DOWN),
          Map.of(),
          note.ageMillis());
    }
    return new Row(
        name,
        Level.named(Strings.nullToEmpty(keys.get("level"))),
        Strings.nullToEmpty(keys.get("sentence")),
        keys.get("runbook"),
        keys,
        note.ageMillis());
  }

  /** Returns the value of the section {@code bridges} of the state document. */
  public JsonObject json() {
    Row first = Row.of(health.get().state(bridge), own, 0);
    String alone = alone();
    Stream<Row> rows = alone == null ? others.stream() : Stream.empty();
    return new JsonObject()
        .put("sentence", alone == null ? together(others.size()) : alone)
        .put("bridges", Stream.concat(Stream.of(first), rows).map(Row::json).toList());
  }

  /** Returns why no other bridge can be shown; null if the others' notes are known. */
  private @Nullable String alone() {
    if (store != DedupConfig.Store.REDIS) {
      return "Only this bridge is shown: without Redis, bridges don't know of each other.";
    }
    Long read = readNanos;
    boolean current =
        read != null
            && TimeUnit.NANOSECONDS.toMillis(nanoClock.getAsLong() - read) < PATIENCE_MILLIS;
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
