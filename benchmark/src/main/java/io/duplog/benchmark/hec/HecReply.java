package io.duplog.benchmark.hec;

import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** An HTTP answer. */
record HecReply(int status, String contentType, String body) {
  private static final String JSON = "application/json; charset=UTF-8";

  static HecReply json(int status, String json) {
    return new HecReply(status, JSON, json);
  }

  static HecReply of(HecCode code) {
    return of(code.status(), code, "");
  }

  /**
   * Also with a status that Splunk does not give with this code.
   *
   * @param more what follows the code in the JSON: empty, or a comma and members
   */
  static HecReply of(int status, HecCode code, String more) {
    return json(
        status, "{\"text\":\"%s\",\"code\":%d%s}".formatted(code.text(), code.code(), more));
  }

  /**
   * @param number of the event in its request, from 0
   * @param id for the acknowledgement of those before it; null where there are none, or no ids
   */
  static HecReply invalidEvent(HecCode code, int number, @Nullable Long id) {
    return of(code.status(), code, ",\"invalid-event-number\":" + number + ackId(id));
  }

  /**
   * @param id null where the token gives none
   */
  static HecReply taken(HecCode code, @Nullable Long id) {
    return of(code.status(), code, ackId(id));
  }

  private static String ackId(@Nullable Long id) {
    return id == null ? "" : ",\"ackId\":" + id;
  }

  static HecReply acknowledged(Map<Long, Boolean> ids) {
    return json(
        200,
        ids.entrySet().stream()
            .map(id -> "\"%d\":%b".formatted(id.getKey(), id.getValue()))
            .collect(Collectors.joining(",", "{\"acks\":{", "}}")));
  }

  /** As the web server beneath HEC, or a load balancer, says it: without one of HEC's codes. */
  static HecReply plain(int status, String text) {
    return new HecReply(
        status,
        "text/xml; charset=UTF-8",
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <response><messages><msg type="ERROR">%s</msg></messages></response>
        """
            .formatted(text));
  }
}
