package io.duplog.deliver.hec.answer;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/**
 * Sorts Splunk's replies by status and code, never by their text. What is not an HTTP Event
 * Collector's answer is taken for nothing that it might look like: a proxy's page with status 200
 * has indexed nothing, and one with 400 is no reason to give up an event.
 *
 * @see <a
 *     href="https://docs.splunk.com/Documentation/Splunk/latest/Data/TroubleshootHTTPEventCollector">Splunk's
 *     table of codes</a>
 */
public final class AnswerReader {
  /** Longer pauses are not kept: what is ill for hours may be well much earlier. */
  static final Duration LONGEST_AFTER = Duration.ofMinutes(5);

  /** What to change where a token gives no acknowledgement, and it is wanted. */
  public static final String NO_ACKNOWLEDGEMENT =
      "turn on indexer acknowledgement for the token or, where Splunk offers none,"
          + " sink.hec.acknowledge off";

  private static final int LONGEST_EXCERPT = 200;

  private AnswerReader() {}

  /**
   * Sorts the reply to a request with events.
   *
   * @param nowMillis since the epoch
   */
  public static Answer read(Reply reply, long nowMillis) {
    ReplyBody body = ReplyBody.of(reply.body());
    int status = reply.status();
    String cause = "answers " + inWords(reply, body);
    if (body.isCutShort() && (status == 200 || status == 400)) {
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
      String where = "; HEC is off there, or sink.hec.urls names another place";
      return new Answer.Retry(cause + where, after(reply.retryAfter(), nowMillis));
    }
    if (status == 408 || status == 429 || status >= 500) {
      return new Answer.Retry(cause, after(reply.retryAfter(), nowMillis));
    }
    return misconfigured(status, body, cause);
  }

  /**
   * Whether the request was surely turned away before a collector has counted it for an
   * acknowledgement: by the collector, or by what stands before it and decides about access. A
   * proxy's 503 may come after the collector has had it.
   */
  public static boolean isUncounted(Reply reply) {
    return switch (reply.status()) {
      case 401, 403, 407, 429 -> true;
      case 404, 503 -> ReplyBody.of(reply.body()).code() >= 0;
      default -> false;
    };
  }

  /**
   * Whether there is any use in sending events, judged by the reply to a request without any: a
   * collector that takes the token may well complain that it got no data. A page with status 200 is
   * no collector.
   *
   * @return what is in the way; null where nothing is
   */
  public static @Nullable Answer readTrial(Reply reply, long nowMillis) {
    Answer answer = read(reply, nowMillis);
    if (answer instanceof Answer.Misconfigured
        && (reply.status() == 200 || reply.status() == 400)) {
      ReplyBody body = ReplyBody.of(reply.body());
      boolean isForeign = reply.status() == 200 && body.code() < 0 && body.indexed() == null;
      return switch (body.code()) {
        case 10, 11, 14, 16, 21, 22, 28 -> answer;
        default -> isForeign ? answer : null;
      };
    }
    return answer instanceof Answer.Misconfigured || answer instanceof Answer.Retry ? answer : null;
  }

  /**
   * The same for the health page: one that isn't there, or that wants something else, says nothing
   * against the collector.
   */
  public static @Nullable Answer readHealth(Reply reply, long nowMillis) {
    int status = reply.status();
    boolean saysNothing =
        switch (status) {
          case 401, 403, 408, 429 -> false;
          default -> status >= 400 && status < 500;
        };
    return saysNothing || status / 100 == 2 ? null : read(reply, nowMillis);
  }

  private static Answer ofSuccess(ReplyBody body, String cause) {
    return switch (body.code()) {
      case 0 -> new Answer.Accepted(body.ackId(), false);
      case 24, 25 -> new Answer.Accepted(body.ackId(), true);
      default -> new Answer.Misconfigured(cause, "is this the HTTP Event Collector's URL?");
    };
  }

  private static Answer ofBadRequest(ReplyBody body, String cause) {
    int event = body.invalidEvent();
    return switch (body.code()) {
      case 5 -> new Answer.Misconfigured(cause, "something on the way drops what requests hold");
      // A request that was cut short on its way looks like this, and so does a bad first event.
      case 6 -> new Answer.BadEvent(event == 0 ? -1 : event, cause);
      case 12, 13, 15 -> new Answer.BadEvent(event, cause);
      case 7 -> new Answer.WrongIndex(event, cause);
      case 10, 11, 28 ->
          new Answer.Misconfigured(
              cause,
              "turn sink.hec.acknowledge on, or the token's indexer acknowledgement off; if"
                  + " sink.hec.acknowledge is on, something strips the channel's header");
      case 14 -> new Answer.Misconfigured(cause, NO_ACKNOWLEDGEMENT);
      case 16, 21, 22 -> new Answer.Misconfigured(cause, "check sink.hec.token");
      default ->
          event >= 0
              ? new Answer.BadEvent(event, cause)
              : new Answer.Misconfigured(cause, "check what Splunk, or a proxy before it, logs");
    };
  }

  private static Answer misconfigured(int status, ReplyBody body, String cause) {
    String remedy =
        switch (status) {
          case 401, 403 ->
              body.code() >= 0
                  ? "check sink.hec.token"
                  : "this is not Splunk's answer: look at what stands before it (a proxy's login in"
                      + " sink.hec.proxy, and what it allows), at sink.hec.urls and at sink.hec.token";
          case 301, 302, 303, 307, 308 ->
              "Duplog follows no redirection: name in sink.hec.urls where the collector itself is";
          case 407 ->
              "a proxy wants a login, or another one: set user and password of sink.hec.proxy, or"
                  + " let this host pass the proxy without";
          case 415 -> "set sink.hec.compression to none";
          default -> "check sink.hec.urls";
        };
    return new Answer.Misconfigured(cause, remedy);
  }

  private static String inWords(Reply reply, ReplyBody body) {
    OwnSecrets secrets = reply.secrets();
    String text = body.text();
    if (body.code() >= 0) {
      String said = text == null ? "" : ", " + excerpt(text, secrets);
      return reply.status() + " (code " + body.code() + said + ")";
    }
    String excerpt = excerpt(text == null ? new String(reply.body(), UTF_8) : text, secrets);
    String location = reply.location() == null ? "" : ", to " + excerpt(reply.location(), secrets);
    return reply.status() + location + (excerpt.isEmpty() ? "" : " (" + excerpt + ")");
  }

  /** One short line without our secrets, and without anything that a terminal might obey. */
  public static String excerpt(String text, OwnSecrets secrets) {
    String line = secrets.removedFrom(text).strip().replaceAll("[\\p{Cntrl}\\s]+", " ");
    return line.length() <= LONGEST_EXCERPT ? line : line.substring(0, LONGEST_EXCERPT) + "…";
  }

  /** In seconds or as a date; null where there is none, or it is neither. */
  private static @Nullable Duration after(@Nullable String header, long nowMillis) {
    String text = header == null ? "" : header.strip();
    Instant then =
        text.matches("\\d{1,9}")
            ? Instant.ofEpochMilli(nowMillis).plusSeconds(Long.parseLong(text))
            : date(text);
    if (then == null || then.toEpochMilli() < nowMillis) {
      return null;
    }
    Duration after = Duration.between(Instant.ofEpochMilli(nowMillis), then);
    return after.compareTo(LONGEST_AFTER) > 0 ? LONGEST_AFTER : after;
  }

  /** As HTTP writes it; null where there is none, or it is none. */
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
