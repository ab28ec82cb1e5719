package io.duplog.status;

import io.duplog.observe.JsonObject;
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
  public record Part(String name, State state, String detail) {
    private JsonObject json() {
      return new JsonObject().put("name", name).put("state", state.word()).put("detail", detail);
    }
  }

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

  static JsonObject json(List<Part> parts) {
    State worst = worst(parts);
    return new JsonObject()
        .put("state", worst.word())
        .put("ready", worst != State.NOT_READY)
        .put("parts", parts.stream().map(Part::json).toList());
  }

  /** The section {@code health} of the state document. */
  public JsonObject json() {
    return json(parts());
  }
}
