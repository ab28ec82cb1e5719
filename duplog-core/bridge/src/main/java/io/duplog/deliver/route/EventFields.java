package io.duplog.deliver.route;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.duplog.wire.EventHead;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads the indexed fields of an event of HEC. */
final class EventFields {
  private static final JsonFactory JSON = new JsonFactory();

  private EventFields() {}

  /**
   * Returns the fields whose value is a string, a number, true or false, each as text. Fields that
   * can't be read are left out, because the sink delivers them unchanged in any case.
   */
  static Map<String, String> of(EventHead event) {
    Map<String, String> fields = new LinkedHashMap<>();
    if (event.fields() == null) {
      return fields;
    }
    try (JsonParser parser = JSON.createParser('{' + event.fields() + '}')) {
      parser.nextToken();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        if (parser.nextToken().isScalarValue()) {
          fields.put(name, parser.getText());
        } else {
          parser.skipChildren();
        }
      }
    } catch (IOException e) {
      return fields;
    }
    return fields;
  }
}
