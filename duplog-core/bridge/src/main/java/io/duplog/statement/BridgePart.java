package io.duplog.statement;

import io.duplog.observe.JsonObject;
import io.duplog.observe.JsonValue;
import java.io.IOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One bridge's entry in a signed hourly statement: what it received and delivered in that hour.
 * Immutable.
 *
 * @param bridge the bridge's name, and when its process started
 * @param number number of the part, which is unique in the process
 * @param hour beginning of the hour
 * @param ended whether the part is complete. False while the part grows, and permanently if the
 *     bridge was lost.
 * @param most largest number of copies that the bridge received between two stored versions. About
 *     as many may be missing if it was lost.
 * @param counts the bridge's counts in this time
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

  /** Parses the result of {@link #text}. Returns null if the text has another form. */
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
   * Reads the result of {@link #json}.
   *
   * @throws DateTimeParseException if the JSON has another form
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

  /** Returns the counts of each stream's copies. */
  List<StreamPart> streams() {
    return counts.streams();
  }

  /** Returns the part's unique id. */
  String id() {
    return bridge + " " + number;
  }
}
