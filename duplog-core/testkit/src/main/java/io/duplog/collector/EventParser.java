package io.duplog.collector;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.common.base.Utf8;
import com.google.common.collect.Streams;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the events in the body of a HEC request to {@code /event}, as Splunk does: JSON objects one
 * after another. The parser is stricter than Splunk where Splunk's limits are not known. It rejects
 * bytes that are not UTF-8, unpaired surrogates, and events that contain only white space.
 *
 * <p>Thread-safe.
 */
final class EventParser {
  private static final Pattern SECONDS = Pattern.compile("-?\\d+(\\.\\d+)?([eE][-+]?\\d+)?");

  /** Parser that preserves the digits of decimal numbers as they were written. */
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private EventParser() {}

  static Parsed parse(byte[] body) {
    List<HecEvent> goodEvents = new ArrayList<>();
    boolean isWellFormed = Utf8.isWellFormed(body);
    int beginOffset = 0;
    try (JsonParser parser = JSON.createParser(body)) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (token != JsonToken.START_OBJECT) {
          return new Parsed(goodEvents, HecCode.INVALID_DATA_FORMAT);
        }
        JsonNode object = JSON.readTree(parser);
        int end = (int) parser.currentLocation().getByteOffset();
        HecCode fault =
            isWellFormed || Utf8.isWellFormed(body, beginOffset, end - beginOffset)
                ? findFault(object)
                : HecCode.INVALID_DATA_FORMAT;
        if (fault != null) {
          return new Parsed(goodEvents, fault);
        }
        goodEvents.add(toEvent(object));
        beginOffset = end;
      }
    } catch (JsonParseException e) {
      return new Parsed(goodEvents, HecCode.INVALID_DATA_FORMAT);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // Never happens in memory.
    }
    return new Parsed(goodEvents, goodEvents.isEmpty() ? HecCode.NO_DATA : null);
  }

  private static @Nullable HecCode findFault(JsonNode object) {
    boolean isValid =
        Stream.of("host", "source", "sourcetype", "index")
                .map(object::get)
                .allMatch(value -> value == null || value.isTextual())
            && isTime(object.path("time"))
            && isPaired(object);
    JsonNode event = object.path("event");
    JsonNode fields = object.path("fields");
    if (!isValid) {
      return HecCode.INVALID_DATA_FORMAT;
    }
    if (!fields.isMissingNode() && (!fields.isObject() || isNested(fields))) {
      return HecCode.INDEXED_FIELDS;
    }
    if (event.isMissingNode() || event.isNull()) {
      return HecCode.EVENT_REQUIRED;
    }
    return eventText(event).isBlank() ? HecCode.EVENT_BLANK : null;
  }

  private static boolean isTime(JsonNode time) {
    return time.isMissingNode()
        || time.isNumber()
        || (time.isTextual() && SECONDS.matcher(time.textValue()).matches());
  }

  /** Whether no text in a JSON tree contains an unpaired surrogate. */
  private static boolean isPaired(JsonNode node) {
    try {
      return node.isTextual()
          ? Utf8.encodedLength(node.textValue()) >= 0
          : Streams.stream(node).allMatch(EventParser::isPaired);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Whether at least one field is an object, or a list that contains objects or lists. */
  private static boolean isNested(JsonNode fields) {
    return Streams.stream(fields)
        .anyMatch(
            field -> field.isObject() || Streams.stream(field).anyMatch(JsonNode::isContainerNode));
  }

  private static HecEvent toEvent(JsonNode object) {
    Map<String, String> fields = new HashMap<>();
    object
        .path("fields")
        .properties()
        .forEach(field -> fields.put(field.getKey(), fieldValue(field.getValue())));
    return new HecEvent(
        object.path("time").asText(null),
        object.path("host").asText(null),
        object.path("source").asText(null),
        object.path("sourcetype").asText(null),
        object.path("index").asText(null),
        eventText(object.path("event")),
        fields);
  }

  private static String fieldValue(JsonNode field) {
    return field.isArray()
        ? Streams.stream(field).map(JsonNode::asText).collect(Collectors.joining(","))
        : field.asText();
  }

  private static String eventText(JsonNode event) {
    return event.isContainerNode() ? event.toString() : event.asText();
  }
}
