package io.duplog.statement;

import io.duplog.observe.JsonObject;
import io.duplog.observe.JsonValue;
import java.io.IOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one bridge did in an hour, or in a part of it. Each part is stated once. Immutable.
 *
 * @param bridge the bridge's name, and when its process started
 * @param number number of the part; a process never gives it again
 * @param hour beginning of the hour
 * @param ended whether everything until then is counted; false while the part grows, and for ever
 *     if the bridge was lost
 * @param most most copies that the bridge received between two notes: about as many may be missing
 *     if it was lost
 * @param counts what it did
 */
record BridgePart(
    String bridge,
    long number,
    Instant hour,
    Instant from,
    Instant until,
    boolean ended,
    long most,
    BridgeCounts counts) {

  /** Parses text that {@link #text} has made; returns null if the text is another one. */
  static @Nullable BridgePart parse(String text) {
    try {
      return of(JsonValue.parse(text));
    } catch (IOException | DateTimeParseException e) {
      return null;
    }
  }

  String text() {
    return JsonObject.ascii(json());
  }

  /**
   * Reads what {@link #json} has made.
   *
   * @throws DateTimeParseException if it is something else
   */
  static BridgePart of(JsonValue json) {
    return new BridgePart(
        json.at("bridge").text(),
        (long) json.at("part").number(),
        Instant.parse(json.at("hour").text()),
        Instant.parse(json.at("from").text()),
        Instant.parse(json.at("until").text()),
        json.at("ended").isTrue(),
        (long) json.at("most_between_notes").number(),
        BridgeCounts.of(json));
  }

  JsonObject json() {
    JsonObject json =
        new JsonObject()
            .put("bridge", bridge)
            .put("part", number)
            .put("hour", hour)
            .put("from", from)
            .put("until", until)
            .put("ended", ended)
            .put("most_between_notes", most);
    counts.addTo(json);
    return json;
  }

  /** Returns what became of each stream's copies. */
  List<StreamPart> streams() {
    return counts.streams();
  }

  /** Returns an id that no other part has. */
  String id() {
    return bridge + " " + number;
  }
}
