package io.duplog.status;

import io.duplog.observe.JsonObject;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * State of the bridge, part by part. May be used from any thread.
 *
 * @see "docs/decisions/status.md#health-and-readiness"
 */
public final class Health {

  /** State of a part of the bridge; the values are ordered from good to bad. */
  public enum State {
    WELL,
    /** The part does not work, but the bridge works without it and is ready. */
    DEGRADED,
    /** The part does not work, and the bridge can't do its task without this part. */
    NOT_READY;

    /** Returns the state's name in the status report, such as {@code not-ready}. */
    public String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /**
   * A part of the bridge.
   *
   * @param name such as {@code stream syslog-a}, {@code redis} or {@code sink}
   * @param detail what the part is doing, or what is wrong with it, in a line for an operator
   */
  public record Part(String name, State state, String detail) {
    /** Returns a part that is degraded if there is any trouble. */
    public static Part of(String name, @Nullable String trouble, String otherwise) {
      return trouble == null
          ? new Part(name, State.WELL, otherwise)
          : new Part(name, State.DEGRADED, trouble);
    }

    private JsonObject json() {
      return new JsonObject().put("name", name).put("state", state.word()).put("detail", detail);
    }
  }

  private final List<Supplier<Part>> parts = new CopyOnWriteArrayList<>();

  /**
   * Adds a part.
   *
   * @param part called several times a second, from any thread
   */
  public void add(Supplier<Part> part) {
    parts.add(part);
  }

  /** Returns all parts with their current states. */
  public List<Part> parts() {
    return parts.stream().map(Supplier::get).toList();
  }

  /** Returns the worst state among these parts; {@link State#WELL} if there are no parts. */
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

  /** Returns what is wrong in one line, such as {@code degraded: redis: away}, or {@code well}. */
  public String line() {
    List<Part> parts = parts();
    String wrong =
        parts.stream()
            .filter(part -> part.state() != State.WELL)
            .map(part -> part.name() + ": " + part.detail())
            .collect(Collectors.joining("; "));
    if (wrong.isEmpty()) {
      return "well";
    }
    return (worst(parts) == State.NOT_READY ? "not ready: " : "degraded: ") + wrong;
  }

  /** Returns the value of the section {@code health} of the state document. */
  public JsonObject json() {
    return json(parts());
  }
}
