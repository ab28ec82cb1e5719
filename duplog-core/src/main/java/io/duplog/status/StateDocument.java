package io.duplog.status;

import io.duplog.observe.JsonObject;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The whole state of a bridge as one JSON object, a member a section. Whoever adds to the document
 * what the page and the terminal show adds a section; one that fails is shown as null and harms no
 * other. Safe for any thread.
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

  /**
   * Adds a section behind the others.
   *
   * @param name its key in the document
   * @param value a value as {@link JsonObject#put} takes it. Asked every second, and whenever
   *     somebody asks, by any thread: so it returns at once, and asks no other machine. No secret
   *     and no message belongs in it.
   */
  public void add(String name, Supplier<?> value) {
    sections.add(new Section(name, value));
  }

  /** The document as it is now, on one line. */
  public String render() {
    JsonObject all = new JsonObject();
    sections.forEach(section -> all.put(section.name, section.now()));
    return JsonObject.render(all);
  }
}
