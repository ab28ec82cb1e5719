package io.duplog.benchmark.hec;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.google.common.base.Utf8;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body of a request to {@code /event}: JSON objects one after another. Stricter than
 * Splunk where Splunk's limits are not known: it refuses every byte that is not UTF-8, a surrogate
 * without its twin, and an event of nothing but white space.
 *
 * <p>Any thread.
 */
final class EventParser {
  private static final Pattern SECONDS = Pattern.compile("-?\\d+(\\.\\d+)?([eE][-+]?\\d+)?");

  private final JsonFactory json = new JsonFactory();

  Parsed parse(byte[] body) throws IOException {
    List<HecEvent> good = new ArrayList<>();
    try (JsonParser parser = json.createParser(body)) {
      Reading reading = new Reading(parser, body, Utf8.isWellFormed(body));
      for (HecEvent event = reading.next(); event != null; event = reading.next()) {
        good.add(event);
      }
    } catch (JsonParseException e) {
      return new Parsed(good, HecCode.INVALID_DATA_FORMAT);
    } catch (InvalidEventException e) {
      return new Parsed(good, e.code);
    }
    return new Parsed(good, good.isEmpty() ? HecCode.NO_DATA : null);
  }

  /** One body. */
  private static final class Reading {
    private final JsonParser parser;
    private final byte[] body;
    private final boolean wellFormed;

    Reading(JsonParser parser, byte[] body, boolean wellFormed) {
      this.parser = parser;
      this.body = body;
      this.wellFormed = wellFormed;
    }

    @Nullable HecEvent next() throws IOException, InvalidEventException {
      JsonToken token = parser.nextToken();
      if (token == null) {
        return null;
      }
      require(token == JsonToken.START_OBJECT, HecCode.INVALID_DATA_FORMAT);
      int begin = (int) parser.currentTokenLocation().getByteOffset();
      HecEvent event = event();
      int end = (int) parser.currentLocation().getByteOffset();
      require(
          wellFormed || Utf8.isWellFormed(body, begin, end - begin), HecCode.INVALID_DATA_FORMAT);
      return event;
    }

    private HecEvent event() throws IOException, InvalidEventException {
      String time = null;
      String host = null;
      String source = null;
      String sourcetype = null;
      String index = null;
      String event = null;
      HecCode fault = null;
      Map<String, String> fields = Map.of();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        JsonToken value = parser.nextToken();
        switch (name) {
          case "time" -> time = time(value);
          case "host" -> host = string(value);
          case "source" -> source = string(value);
          case "sourcetype" -> sourcetype = string(value);
          case "index" -> index = string(value);
          case "event" -> event = text(value);
          case "fields" -> {
            try {
              fields = fields(value);
            } catch (InvalidEventException e) {
              fault = e.code; // a syntax error further on in the object counts for more
            }
          }
          default -> parser.skipChildren();
        }
      }
      if (fault != null) {
        throw new InvalidEventException(fault);
      }
      if (event == null) {
        throw new InvalidEventException(HecCode.EVENT_REQUIRED);
      }
      require(!event.isBlank(), HecCode.EVENT_BLANK);
      return new HecEvent(time, host, source, sourcetype, index, event, fields);
    }

    private String time(JsonToken value) throws IOException, InvalidEventException {
      String text = parser.getText();
      require(
          value.isNumeric() || (value == JsonToken.VALUE_STRING && SECONDS.matcher(text).matches()),
          HecCode.INVALID_DATA_FORMAT);
      return text;
    }

    private String string(JsonToken value) throws IOException, InvalidEventException {
      require(value == JsonToken.VALUE_STRING, HecCode.INVALID_DATA_FORMAT);
      return paired(parser.getText());
    }

    private @Nullable String text(JsonToken value) throws IOException, InvalidEventException {
      if (value == JsonToken.VALUE_NULL) {
        return null;
      }
      if (!value.isStructStart()) {
        return paired(parser.getText());
      }
      int begin = (int) parser.currentTokenLocation().getByteOffset();
      parser.skipChildren();
      int end = (int) parser.currentLocation().getByteOffset();
      return new String(body, begin, end - begin, UTF_8);
    }

    private Map<String, String> fields(JsonToken value) throws IOException, InvalidEventException {
      if (value != JsonToken.START_OBJECT) {
        parser.skipChildren();
        throw new InvalidEventException(HecCode.INDEXED_FIELDS);
      }
      Map<String, String> fields = new HashMap<>();
      boolean nested = false;
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = paired(parser.currentName());
        JsonToken one = parser.nextToken();
        if (one == JsonToken.START_ARRAY) {
          List<String> values = new ArrayList<>();
          for (JsonToken each = parser.nextToken();
              each != JsonToken.END_ARRAY;
              each = parser.nextToken()) {
            nested |= each.isStructStart();
            values.add(parser.getText());
            parser.skipChildren();
          }
          fields.put(name, String.join(",", values));
        } else {
          nested |= one.isStructStart();
          fields.put(name, paired(parser.getText()));
          parser.skipChildren();
        }
      }
      require(!nested, HecCode.INDEXED_FIELDS);
      return fields;
    }

    private static String paired(String text) throws InvalidEventException {
      try {
        int length = Utf8.encodedLength(text); // throws at a surrogate without its twin
        assert length >= text.length();
        return text;
      } catch (IllegalArgumentException e) {
        throw new InvalidEventException(HecCode.INVALID_DATA_FORMAT);
      }
    }
  }

  private static void require(boolean condition, HecCode otherwise) throws InvalidEventException {
    if (!condition) {
      throw new InvalidEventException(otherwise);
    }
  }

  /** One event can't be taken, for a reason of Splunk's table. */
  private static final class InvalidEventException extends Exception {
    private final transient HecCode code;

    InvalidEventException(HecCode code) {
      super(code.text(), null, false, false); // one for each bad event, caught a few lines on
      this.code = code;
    }
  }
}
