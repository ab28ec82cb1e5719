package io.duplog.status;

import io.duplog.observe.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The whole state of a bridge as one JSON object, which the status page and the commands show. It
 * has a member for each section. A section that fails is null and does not affect the others. May
 * be used from any thread.
 */
public final class StateDocument {
  private static final Logger log = LoggerFactory.getLogger(StateDocument.class);

  private record Section(String name, Supplier<?> value) {
    @Nullable Object now() {
      try {
        return value.get();
      } catch (RuntimeException e) {
        log.debug("the section {} of the state document failed", name, e);
        return null;
      }
    }
  }

  private final List<Section> sections = new CopyOnWriteArrayList<>();
  private final Map<String, Function<Map<String, String>, JsonObject>> queries =
      new ConcurrentHashMap<>();

  /**
   * Adds a section behind the others.
   *
   * @param name key of the section
   * @param value supplies a value as {@link JsonObject#put} takes it. It is called every second and
   *     for each request, from any thread, so it must return at once and ask no other machine. The
   *     value must have no secret and no message.
   */
  public void add(String name, Supplier<?> value) {
    sections.add(new Section(name, value));
  }

  /**
   * Adds what is too long for the document, and told on request at {@code /api/NAME}.
   *
   * @param answer takes the parameters of a request, from any thread; throws {@link
   *     IllegalArgumentException} with a line for an operator if they are wrong
   */
  public void addQuery(String name, Function<Map<String, String>, JsonObject> answer) {
    queries.put(name, answer);
  }

  /** Returns the query that {@link #addQuery} added under this name; null if there is none. */
  public @Nullable Function<Map<String, String>, JsonObject> query(String name) {
    return queries.get(name);
  }

  /** Returns the bridge's current state as one line of JSON. */
  public String render() {
    JsonObject all = new JsonObject();
    sections.forEach(section -> all.put(section.name, section.now()));
    return JsonObject.render(all);
  }
}
