package io.duplog.ingest.hec;

import org.jspecify.annotations.Nullable;

/**
 * Answer to a request, with the codes of Splunk's HTTP Event Collector.
 *
 * @see "docs/hec-in.md"
 */
enum Answer {
  SUCCESS(200, 0, "Success"),
  TOKEN_REQUIRED(401, 2, "Token is required"),
  INVALID_AUTHORIZATION(401, 3, "Invalid authorization"),
  INVALID_TOKEN(403, 4, "Invalid token"),
  NO_DATA(400, 5, "No data"),
  SERVER_BUSY(503, 9, "Server is busy"),
  CHANNEL_MISSING(400, 10, "Data channel is missing"),
  HEALTHY(200, 17, "HEC is healthy"),
  UNHEALTHY(503, 18, "HEC is unhealthy, queues are full"),
  NOT_FOUND(404, 404, "The requested URL was not found on this server."),
  METHOD_NOT_ALLOWED(405, 405, "Method Not Allowed"),
  TOO_LARGE(413, 413, "Content-Length of the request is too large"),
  UNKNOWN_ENCODING(415, 415, "Only gzip is supported as Content-Encoding");

  private final int status;
  private final int code;
  private final String text;

  Answer(int status, int code, String text) {
    this.status = status;
    this.code = code;
    this.text = text;
  }

  /** Returns the status of HTTP. */
  int status() {
    return status;
  }

  /** Whether the client should send the request again after a pause. */
  boolean isBusy() {
    return status == 503;
  }

  /**
   * Returns the body of the answer.
   *
   * @param ackId id for a later request to {@code /services/collector/ack}, or null if the client
   *     did not name a channel
   */
  String json(@Nullable Long ackId) {
    String ack = ackId == null ? "" : ",\"ackId\":" + ackId;
    return "{\"text\":\"" + text + "\",\"code\":" + code + ack + "}";
  }
}
