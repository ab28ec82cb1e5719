package io.duplog.dedup;

import io.duplog.observe.RecurringWarning;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports settings that should be the same on all bridges but differ, and that Redis itself does
 * not compare. Each bridge posts its own settings as {@link BridgeNotes}. Also reports bridges that
 * Redis rejects because another deployment uses the same prefix. Not thread-safe, except for {@link
 * #trouble}.
 */
public final class PeerSettings implements BridgeNotes.Member {
  private static final Logger log = LoggerFactory.getLogger(PeerSettings.class);

  /**
   * Prefix of the notes' subjects. Redis forgets a note with it after an hour: see {@code
   * exchange.lua}.
   */
  private static final String SUBJECT = "settings of ";

  /** Age in milliseconds at which a note is ignored, because its bridge has presumably stopped. */
  private static final long MAX_AGE_MILLIS = 30_000;

  /**
   * Age in milliseconds at which a rejection is ignored, because a rejected bridge retries every
   * five seconds.
   */
  private static final long MAX_REFUSAL_AGE_MILLIS = 15_000;

  private final String bridge;
  private final Map<String, String> ownSettings;
  private final RecurringWarning warning;

  /**
   * @param bridge name of this bridge
   * @param ownSettings this bridge's settings by key, without line feeds
   * @param nanoClock {@link System#nanoTime}, or a test's clock
   */
  public PeerSettings(String bridge, Map<String, String> ownSettings, LongSupplier nanoClock) {
    this.bridge = bridge;
    this.ownSettings = new TreeMap<>(ownSettings);
    this.warning = new RecurringWarning(log, "comparison with other bridges' settings", nanoClock);
  }

  @Override
  public List<BridgeNotes.Note> notes() {
    return List.of(BridgeNotes.Note.ofValues(SUBJECT + bridge, ownSettings));
  }

  @Override
  public void read(List<BridgeNotes.Note> all) {
    String differences =
        all.stream()
            .filter(note -> note.subject().startsWith(SUBJECT))
            .filter(note -> note.ageMillis() < MAX_AGE_MILLIS)
            .flatMap(this::differences)
            .collect(Collectors.joining("; "));
    String refused =
        all.stream()
            .filter(note -> note.ageMillis() < MAX_REFUSAL_AGE_MILLIS)
            .map(note -> BridgeNotes.refusedBridge(note.subject()))
            .filter(Objects::nonNull)
            .distinct()
            .sorted()
            .collect(Collectors.joining(", "));
    if (!refused.isEmpty()) {
      warning.occurred(
          "bridge "
              + refused
              + " reads other brokers but uses the same dedup.redis.prefix. Redis rejects it, so it"
              + " delivers most messages twice. If this bridge stopped, that one would count in its place. "
              + BrokerAgreement.REMEDY);
    } else if (differences.isEmpty()) {
      warning.recovered();
    } else {
      warning.occurred(
          differences
              + ". The bridges may deduplicate or report differently. Make these keys the same on all bridges.");
    }
  }

  private Stream<String> differences(BridgeNotes.Note note) {
    String other = note.subject().substring(SUBJECT.length());
    Map<String, String> theirs = note.values();
    return ownSettings.entrySet().stream()
        .filter(key -> !theirs.getOrDefault(key.getKey(), key.getValue()).equals(key.getValue()))
        .map(
            key ->
                "%s is %s on bridge %s, but %s here"
                    .formatted(key.getKey(), theirs.get(key.getKey()), other, key.getValue()));
  }

  /**
   * Returns how settings differ between bridges, in one line for an operator, or null if no
   * difference is known.
   */
  public @Nullable String trouble() {
    return warning.current();
  }
}
