package io.duplog.status;

import io.duplog.observe.Json;
import java.util.LinkedHashMap;
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
 * The whole state of a bridge as one JSON object with a member for each section. {@link State} is
 * its schema. The page and the terminal show what is in it. A section that fails is null and does
 * not affect the others. May be used from any thread.
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
  private final Map<String, Function<Map<String, String>, ?>> queries = new ConcurrentHashMap<>();

  /**
   * Adds a section behind the others.
   *
   * @param name key of the section
   * @param value supplies a value as {@link Json#render} takes it. Any thread may call the
   *     supplier, every second and for each request, so it must return at once and ask no other
   *     machine. The value must contain no secret and no message.
   */
  public void add(String name, Supplier<?> value) {
    sections.add(new Section(name, value));
  }

  /**
   * Adds a section that is too long for the document, and is sent on request at {@code /api/NAME}.
   *
   * @param answer takes the parameters of a request, from any thread; throws {@link
   *     IllegalArgumentException} with a line for an operator if they are wrong
   */
  public void addQuery(String name, Function<Map<String, String>, ?> answer) {
    queries.put(name, answer);
  }

  /** Returns the query that {@link #addQuery} added under this name; null if there is none. */
  public @Nullable Function<Map<String, String>, ?> query(String name) {
    return queries.get(name);
  }

  /** Returns the bridge's current state as one line of JSON. */
  public String render() {
    Map<String, @Nullable Object> all = new LinkedHashMap<>();
    sections.forEach(section -> all.put(section.name, section.now()));
    return Json.render(all);
  }
}
