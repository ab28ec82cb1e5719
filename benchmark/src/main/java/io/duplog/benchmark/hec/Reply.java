package io.duplog.benchmark.hec;

import java.util.Map;
import java.util.stream.Collectors;

/** An HTTP answer. */
record Reply(int status, String contentType, Map<String, String> headers, String body) {
  private static final String JSON = "application/json; charset=UTF-8";

  static Reply json(int status, String json) {
    return new Reply(status, JSON, Map.of(), json);
  }

  static Reply of(HecCode code) {
    return of(code.status(), code);
  }

  /** With a status that Splunk does not give with this code. */
  static Reply of(int status, HecCode code) {
    return json(status, "{\"text\":\"%s\",\"code\":%d}".formatted(code.text(), code.code()));
  }

  /**
   * @param number of the event in its request, from 0
   */
  static Reply invalidEvent(HecCode code, int number) {
    return json(
        code.status(),
        "{\"text\":\"%s\",\"code\":%d,\"invalid-event-number\":%d}"
            .formatted(code.text(), code.code(), number));
  }

  static Reply taken(HecCode code, long id) {
    return json(
        code.status(),
        "{\"text\":\"%s\",\"code\":%d,\"ackId\":%d}".formatted(code.text(), code.code(), id));
  }

  static Reply acknowledged(Map<Long, Boolean> ids) {
    return json(
        200,
        ids.entrySet().stream()
            .map(id -> "\"%d\":%b".formatted(id.getKey(), id.getValue()))
            .collect(Collectors.joining(",", "{\"acks\":{", "}}")));
  }

  /** As the web server beneath HEC, or a load balancer, says it: without one of HEC's codes. */
  static Reply plain(int status, String text) {
    return new Reply(
        status,
        "text/xml; charset=UTF-8",
        Map.of(),
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <response><messages><msg type="ERROR">%s</msg></messages></response>
        """
            .formatted(text));
  }

  Reply with(String header, String value) {
    return new Reply(status, contentType, Map.of(header, value), body);
  }
}
