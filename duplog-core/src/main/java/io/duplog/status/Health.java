package io.duplog.status;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/** What works and what does not, part by part. Safe for any thread. */
public final class Health {

  /** How a part is, from good to bad. */
  public enum State {
    WELL,
    /** It does not work, and the bridge does without: it is ready all the same. */
    DEGRADED,
    /** It does not work, and the bridge does not do all that it is there for. */
    NOT_READY;

    /** As it stands in documents: {@code not-ready}. */
    public String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /**
   * A part of the bridge.
   *
   * @param name what it is: {@code stream syslog-a}, {@code redis}, {@code sink}
   * @param detail what it does at present, or what is wrong with it, in a line for an operator
   */
  public record Part(String name, State state, String detail) {}

  private final List<Supplier<Part>> parts = new CopyOnWriteArrayList<>();

  /**
   * Adds a part.
   *
   * @param part asked several times a second, by any thread
   */
  public void add(Supplier<Part> part) {
    parts.add(part);
  }

  /** All parts as they are now. */
  public List<Part> parts() {
    return parts.stream().map(Supplier::get).toList();
  }

  /** How the worst of these is. */
  static State worst(List<Part> parts) {
    return parts.stream().map(Part::state).max(Comparator.naturalOrder()).orElse(State.WELL);
  }

  static void write(List<Part> parts, JsonGenerator json) throws IOException {
    json.writeStartObject();
    State worst = worst(parts);
    json.writeStringField("state", worst.word());
    json.writeBooleanField("ready", worst != State.NOT_READY);
    json.writeArrayFieldStart("parts");
    for (Part part : parts) {
      json.writeStartObject();
      json.writeStringField("name", part.name());
      json.writeStringField("state", part.state().word());
      json.writeStringField("detail", part.detail());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  /** The section {@code health} of the state document. */
  public Section section() {
    return Section.of("health", json -> write(parts(), json));
  }
}
