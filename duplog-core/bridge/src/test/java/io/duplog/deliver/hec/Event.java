package io.duplog.deliver.hec;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An event that a collector received, as parsed by a JSON library that the product doesn't use. */
public record Event(Map<String, String> members) {
  private static final JsonFactory JSON = new JsonFactory();

  public String text() {
    return members.get("event");
  }

  /** Reads all events of a request. */
  public static List<Event> read(byte[] body, int length) {
    List<Event> events = new ArrayList<>();
    try (JsonParser parser = JSON.createParser(body, 0, length)) {
      while (parser.nextToken() == JsonToken.START_OBJECT) {
        Map<String, String> members = new LinkedHashMap<>();
        read(parser, "", members);
        events.add(new Event(members));
      }
      return events;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void read(JsonParser parser, String prefix, Map<String, String> members)
      throws IOException {
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = prefix + parser.currentName();
      if (parser.nextToken() == JsonToken.START_OBJECT) {
        read(parser, name + ".", members);
      } else if (members.put(name, parser.getText()) != null) {
        throw new IOException(name + " twice");
      }
    }
  }
}
