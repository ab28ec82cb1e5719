package io.duplog.collector;

import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The simulated collector's HTTP answer.
 *
 * @param retryAfter value of the header Retry-After, or null for no such header
 */
public record HecReply(int status, String contentType, String body, @Nullable Duration retryAfter) {
  private static final String JSON = "application/json; charset=UTF-8";

  static HecReply json(int status, String json) {
    return new HecReply(status, JSON, json, null);
  }

  /** Returns Splunk's answer with a code. */
  public static HecReply of(HecCode code) {
    return of(code.status(), code, "");
  }

  /**
   * Answers with a status that Splunk does not necessarily give with this code.
   *
   * @param more the JSON members after the code: empty, or a comma and members
   */
  static HecReply of(int status, HecCode code, String more) {
    return json(
        status, "{\"text\":\"%s\",\"code\":%d%s}".formatted(code.text(), code.code(), more));
  }

  /**
   * Answers that an event is invalid. The events after it are ignored.
   *
   * @param number index of the event in its request, from 0
   * @param id acknowledgement id of the events before it, or null if there are none, or ids are off
   */
  static HecReply invalidEvent(HecCode code, int number, @Nullable Long id) {
    return of(code.status(), code, ",\"invalid-event-number\":" + number + ackId(id));
  }

  /**
   * Answers that all events were accepted.
   *
   * @param id acknowledgement id, or null if ids are off
   */
  static HecReply accepted(HecCode code, @Nullable Long id) {
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

  /** Returns the answer that replaces the collector's own because of a fault. */
  static HecReply of(HecFault.Answer fault) {
    HecCode code = fault.code();
    HecReply reply =
        code == null
            ? plain(fault.status(), "Status " + fault.status())
            : of(fault.status(), code, "");
    return new HecReply(reply.status, reply.contentType, reply.body, fault.retryAfter());
  }

  /** Returns an answer without a HEC code, as from Splunk's web server or a load balancer. */
  static HecReply plain(int status, String text) {
    return new HecReply(
        status,
        "text/xml; charset=UTF-8",
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <response><messages><msg type="ERROR">%s</msg></messages></response>
        """
            .formatted(text),
        null);
  }
}
