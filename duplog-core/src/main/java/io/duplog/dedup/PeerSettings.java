package io.duplog.dedup;

import com.google.common.base.Joiner;
import com.google.common.base.Splitter;
import io.duplog.observe.RecurringWarning;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the settings that have to be the same on all bridges and that Redis does not enforce.
 * Each bridge notes its own ones on the board. {@link #trouble} may be called by any thread.
 */
public final class PeerSettings implements Board.Member {
  private static final Logger log = LoggerFactory.getLogger(PeerSettings.class);

  /** Redis forgets notes with this subject after an hour: see {@code exchange.lua}. */
  private static final String SUBJECT = "settings of ";

  /** A bridge that has noted nothing for so long is taken for stopped. */
  private static final long PATIENCE_MILLIS = 30_000;

  private static final Joiner.MapJoiner LINES = Joiner.on('\n').withKeyValueSeparator('=');
  private static final Splitter.MapSplitter KEYS =
      Splitter.on('\n').withKeyValueSeparator(Splitter.on('=').limit(2));

  private final String bridge;
  private final Map<String, String> own;
  private final RecurringWarning warning;

  /**
   * @param bridge the name of this bridge
   * @param own values by key, without line feeds
   * @param nanoClock as {@link System#nanoTime}
   */
  public PeerSettings(String bridge, Map<String, String> own, LongSupplier nanoClock) {
    this.bridge = bridge;
    this.own = new TreeMap<>(own);
    this.warning = new RecurringWarning(log, "comparison with other bridges' settings", nanoClock);
  }

  @Override
  public List<Board.Note> notes() {
    return List.of(new Board.Note(SUBJECT + bridge, LINES.join(own), 0));
  }

  @Override
  public void read(List<Board.Note> all) {
    String differences =
        all.stream()
            .filter(note -> note.subject().startsWith(SUBJECT))
            .filter(note -> note.ageMillis() < PATIENCE_MILLIS)
            .flatMap(this::differences)
            .collect(Collectors.joining("; "));
    if (differences.isEmpty()) {
      warning.recovered();
    } else {
      warning.occurred(differences + ": that has to be the same on all bridges");
    }
  }

  private Stream<String> differences(Board.Note note) {
    String other = note.subject().substring(SUBJECT.length());
    Map<String, String> theirs;
    try {
      theirs = KEYS.split(note.text());
    } catch (IllegalArgumentException e) {
      return Stream.empty(); // another version's note
    }
    return own.entrySet().stream()
        .filter(key -> !theirs.getOrDefault(key.getKey(), key.getValue()).equals(key.getValue()))
        .map(
            key ->
                "%s is %s on bridge %s, and %s here"
                    .formatted(key.getKey(), theirs.get(key.getKey()), other, key.getValue()));
  }

  /** Which settings differ, in a line for an operator; null where none does, as far as is known. */
  public @Nullable String trouble() {
    return warning.current();
  }
}
