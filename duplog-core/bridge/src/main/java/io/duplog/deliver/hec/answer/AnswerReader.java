package io.duplog.deliver.hec.answer;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.duplog.observe.Printable;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/**
 * Finds out what a collector's reply means, from its status and code. It never reads the text. If a
 * reply does not come from an HTTP Event Collector, its status proves nothing. A proxy that answers
 * with status 200 has indexed nothing, and status 400 from a proxy is no reason to give up an
 * event.
 *
 * @see <a
 *     href="https://docs.splunk.com/Documentation/Splunk/latest/Data/TroubleshootHTTPEventCollector">Splunk's
 *     table of codes</a>
 */
public final class AnswerReader {
  /**
   * Maximum pause that an answer can ask for, because a collector may be healthy again much
   * earlier.
   */
  static final Duration MAX_RETRY_AFTER = Duration.ofMinutes(5);

  /** Advice if acknowledgement is configured, but turned off for the token in Splunk. */
  public static final String NO_ACKNOWLEDGEMENT =
      "turn on indexer acknowledgement for the token, or set sink.hec.acknowledge to false if"
          + " Splunk does not offer it";

  private static final int MAX_EXCERPT_CHARS = 200;

  private AnswerReader() {}

  /**
   * Reads the reply to a request with events.
   *
   * @param nowMillis the current time in milliseconds since the epoch
   */
  public static Answer read(Reply reply, long nowMillis) {
    ReplyBody body = ReplyBody.of(reply.body());
    int status = reply.status();
    String cause = "answers " + describe(reply, body);
    if (body.isTruncated() && (status == 200 || status == 400)) {
      return new Answer.Retry(cause, null);
    }
    if (status == 200) {
      return ofSuccess(body, cause);
    }
    if (status == 400) {
      return ofBadRequest(body, cause);
    }
    if (status == 413) {
      return new Answer.TooLarge(cause);
    }
    if (status == 404) {
      String hint = "; HEC is turned off there, or sink.hec.urls is wrong";
      return new Answer.Retry(cause + hint, retryAfter(reply.retryAfter(), nowMillis));
    }
    if (status == 408 || status == 429 || status >= 500) {
      return new Answer.Retry(cause, retryAfter(reply.retryAfter(), nowMillis));
    }
    return misconfigured(status, body, cause);
  }

  /**
   * Whether the request was certainly rejected before a collector gave it an acknowledgement id,
   * either by the collector or by a proxy that controls access. A proxy's own 503 does not count,
   * because the collector may have received the request before.
   */
  public static boolean hasNoAckId(Reply reply) {
    return switch (reply.status()) {
      case 401, 403, 407, 429 -> true;
      case 404, 503 -> ReplyBody.of(reply.body()).code() >= 0;
      default -> false;
    };
  }

  /**
   * Reads the reply to an empty request. A collector that accepts the token may report that there
   * is no data, which is not a failure. A page with status 200 that is not Splunk's is a failure.
   *
   * @return the reason why the URL does not accept events, or null if it does
   */
  public static @Nullable Answer readEmpty(Reply reply, long nowMillis) {
    Answer answer = read(reply, nowMillis);
    if (answer instanceof Answer.Misconfigured
        && (reply.status() == 200 || reply.status() == 400)) {
      ReplyBody body = ReplyBody.of(reply.body());
      boolean isForeign =
          reply.status() == 200 && body.code() < 0 && body.acknowledgedIds() == null;
      return switch (body.code()) {
        case 10, 11, 14, 16, 21, 22, 28 -> answer;
        default -> isForeign ? answer : null;
      };
    }
    return answer instanceof Answer.Misconfigured || answer instanceof Answer.Retry ? answer : null;
  }

  /**
   * Reads the reply to a request for the health page. Except for 401, 403, 408 and 429, a 4xx
   * answer is not a failure: it may come from a proxy that has no such page.
   *
   * @return the reason why the URL does not accept events, or null if it does
   */
  public static @Nullable Answer readHealth(Reply reply, long nowMillis) {
    int status = reply.status();
    boolean isInconclusive =
        switch (status) {
          case 401, 403, 408, 429 -> false;
          default -> status >= 400 && status < 500;
        };
    return isInconclusive || status / 100 == 2 ? null : read(reply, nowMillis);
  }

  private static Answer ofSuccess(ReplyBody body, String cause) {
    return switch (body.code()) {
      case 0 -> new Answer.Accepted(body.ackId(), false);
      case 24, 25 -> new Answer.Accepted(body.ackId(), true);
      default ->
          new Answer.Misconfigured(
              cause, "check that sink.hec.urls names the HTTP Event Collector");
    };
  }

  private static Answer ofBadRequest(ReplyBody body, String cause) {
    int event = body.invalidEvent();
    return switch (body.code()) {
      case 5 ->
          new Answer.Misconfigured(
              cause, "find the proxy or firewall that removes the bodies of requests");
      // Code 6 at event 0 means a bad first event or a request that was cut short on its way.
      case 6 -> new Answer.BadEvent(event == 0 ? -1 : event, cause);
      case 12, 13, 15 -> new Answer.BadEvent(event, cause);
      case 7 -> new Answer.WrongIndex(event, cause);
      case 10, 11, 28 ->
          new Answer.Misconfigured(
              cause,
              "set sink.hec.acknowledge to true, or turn off indexer acknowledgement for the token;"
                  + " if it is true already, find the proxy that removes the header"
                  + " X-Splunk-Request-Channel");
      case 14 -> new Answer.Misconfigured(cause, NO_ACKNOWLEDGEMENT);
      case 16, 21, 22 -> new Answer.Misconfigured(cause, "check sink.hec.token");
      default ->
          event >= 0
              ? new Answer.BadEvent(event, cause)
              : new Answer.Misconfigured(
                  cause, "check the logs of Splunk and of any proxy in front of it");
    };
  }

  private static Answer misconfigured(int status, ReplyBody body, String cause) {
    String remedy =
        switch (status) {
          case 401, 403 ->
              body.code() >= 0
                  ? "check sink.hec.token"
                  : "check the proxy or firewall that gave this answer instead of Splunk: its"
                      + " rules, and its login in sink.hec.proxy; then check sink.hec.urls and"
                      + " sink.hec.token";
          case 301, 302, 303, 307, 308 ->
              "set sink.hec.urls to the collector's own address, because Duplog follows no"
                  + " redirects";
          case 407 ->
              "set user and password of sink.hec.proxy to a login that the proxy accepts, or let"
                  + " the proxy admit this host without a login";
          case 415 -> "set sink.hec.compression to none";
          default -> "check sink.hec.urls";
        };
    return new Answer.Misconfigured(cause, remedy);
  }

  private static String describe(Reply reply, ReplyBody body) {
    OwnSecrets secrets = reply.secrets();
    String text = body.text();
    if (body.code() >= 0) {
      String quote = text == null ? "" : ", " + excerpt(text, secrets);
      return reply.status() + " (code " + body.code() + quote + ")";
    }
    String excerpt = excerpt(text == null ? new String(reply.body(), UTF_8) : text, secrets);
    String location = reply.location() == null ? "" : ", to " + excerpt(reply.location(), secrets);
    return reply.status() + location + (excerpt.isEmpty() ? "" : " (" + excerpt + ")");
  }

  /** Returns the beginning of a text as one line, without secrets and control characters. */
  public static String excerpt(String text, OwnSecrets secrets) {
    String line =
        Printable.redacted(secrets.redact(text).strip().replaceAll("[\\p{Cntrl}\\s]+", " "));
    return line.length() <= MAX_EXCERPT_CHARS ? line : line.substring(0, MAX_EXCERPT_CHARS) + "…";
  }

  /**
   * Reads the header {@code Retry-After}, in seconds or as a date. Returns null if it is missing or
   * invalid.
   */
  private static @Nullable Duration retryAfter(@Nullable String header, long nowMillis) {
    String text = header == null ? "" : header.strip();
    Instant then =
        text.matches("\\d{1,9}")
            ? Instant.ofEpochMilli(nowMillis).plusSeconds(Long.parseLong(text))
            : date(text);
    if (then == null || then.toEpochMilli() < nowMillis) {
      return null;
    }
    Duration after = Duration.between(Instant.ofEpochMilli(nowMillis), then);
    return after.compareTo(MAX_RETRY_AFTER) > 0 ? MAX_RETRY_AFTER : after;
  }

  /** Parses a date in HTTP's format. Returns null if the header is missing or invalid. */
  public static @Nullable Instant date(@Nullable String header) {
    try {
      return header == null
          ? null
          : ZonedDateTime.parse(header, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
    } catch (DateTimeException e) {
      return null;
    }
  }
}
