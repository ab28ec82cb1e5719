package io.duplog.collector;

import java.util.stream.Stream;

/** The answers that Splunk gives to HEC requests, each with its HTTP status, code and text. */
public enum HecCode {
  SUCCESS(200, 0, "Success"),
  TOKEN_DISABLED(403, 1, "Token disabled"),
  TOKEN_REQUIRED(401, 2, "Token is required"),
  INVALID_AUTHORIZATION(401, 3, "Invalid authorization"),
  INVALID_TOKEN(403, 4, "Invalid token"),
  NO_DATA(400, 5, "No data"),
  INVALID_DATA_FORMAT(400, 6, "Invalid data format"),
  INCORRECT_INDEX(400, 7, "Incorrect index"),
  INTERNAL_SERVER_ERROR(500, 8, "Internal server error"),
  SERVER_BUSY(503, 9, "Server is busy"),
  CHANNEL_MISSING(400, 10, "Data channel is missing"),
  INVALID_CHANNEL(400, 11, "Invalid data channel"),
  EVENT_REQUIRED(400, 12, "Event field is required"),
  EVENT_BLANK(400, 13, "Event field cannot be blank"),
  ACK_DISABLED(400, 14, "ACK is disabled"),
  INDEXED_FIELDS(400, 15, "Error in handling indexed fields"),
  QUERY_AUTHORIZATION(400, 16, "Query string authorization is not enabled"),
  HEALTHY(200, 17, "HEC is healthy"),
  QUEUES_FULL(503, 18, "HEC is unhealthy, queues are full"),
  ACK_UNAVAILABLE(503, 19, "HEC is unhealthy, ack service unavailable"),
  QUEUES_FULL_ACK_UNAVAILABLE(
      503, 20, "HEC is unhealthy, queues are full, ack service unavailable"),
  SHUTTING_DOWN(503, 23, "Server is shutting down"),
  QUEUE_NEARLY_FULL(200, 24, "HEC queue is approaching its capacity limit"),
  ACK_NEARLY_FULL(200, 25, "HEC ACK is approaching its capacity limit"),
  QUEUE_FULL(429, 26, "HEC queue is at capacity and cannot process any more requests"),
  ACK_FULL(429, 27, "HEC ACK channel is at capacity and cannot process any more requests");

  private final int status;
  private final int code;
  private final String text;

  HecCode(int status, int code, String text) {
    this.status = status;
    this.code = code;
    this.text = text;
  }

  public int status() {
    return status;
  }

  public int code() {
    return code;
  }

  public String text() {
    return text;
  }

  /**
   * Returns the answer with this code.
   *
   * @throws IllegalArgumentException if Splunk has no such code
   */
  public static HecCode of(int code) {
    return Stream.of(values())
        .filter(each -> each.code == code)
        .findAny()
        .orElseThrow(() -> new IllegalArgumentException("HEC has no code " + code));
  }
}
