package io.duplog.status;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The whole state of a bridge as one JSON object, a member a section. Safe for any thread. */
public final class StateDocument {
  private static final Logger log = LoggerFactory.getLogger(StateDocument.class);
  private static final JsonFactory JSON = new JsonFactory();

  private final List<Section> sections = new CopyOnWriteArrayList<>();

  /** Adds a section behind the others. */
  public void add(Section section) {
    sections.add(section);
  }

  /** The document as it is now, on one line. */
  public String render() {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartObject();
      for (Section section : sections) {
        json.writeFieldName(section.name());
        json.writeRawValue(render(section));
      }
      json.writeEndObject();
    } catch (IOException e) {
      throw new IllegalStateException("writing to memory failed", e);
    }
    return text.toString();
  }

  /** Apart from the others, so that one that fails half way leaves no half of a value. */
  static String render(Section section) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      section.body().write(json);
    } catch (IOException | RuntimeException e) {
      log.debug("the section {} of the state document failed", section.name(), e);
      return "null";
    }
    return text.toString();
  }
}
