package io.duplog.ingest.hec;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Reads requests for acknowledgements, such as {@code {"acks":[0,1]}}. */
final class AckRequest {
  private static final JsonFactory JSON = new JsonFactory();
  private static final int MAX_IDS = 100_000;

  private AckRequest() {}

  /** Returns the ids that a client asks for; none if the body is not such a request. */
  static List<Long> ids(byte[] body) {
    List<Long> ids = new ArrayList<>();
    try (JsonParser parser = JSON.createParser(body)) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (token == JsonToken.VALUE_NUMBER_INT && ids.size() < MAX_IDS) {
          ids.add(parser.getLongValue());
        }
      }
    } catch (IOException e) {
      return List.of();
    }
    return ids;
  }
}
