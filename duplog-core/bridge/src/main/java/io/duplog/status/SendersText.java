package io.duplog.status;

import com.google.common.collect.Lists;
import io.duplog.observe.JsonValue;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Formats a bridge's inventory of senders as a table for a terminal, or as CSV. Reads one sender
 * after another, because there may be 10,000 of them on eight streams.
 */
public final class SendersText {
  private final String text;

  /** The answer without the senders. */
  private final JsonValue answer;

  /**
   * Reads what the bridge answers to a question for senders.
   *
   * @throws StatusException if it is no JSON
   */
  public SendersText(String answer) throws StatusException {
    this.text = answer;
    this.answer = forEach(sender -> {});
  }

  private JsonValue forEach(Consumer<JsonValue> sender) throws StatusException {
    return StateReader.parsed(text, "senders", sender);
  }

  /**
   * Whether any sender is silent on one path, gone, loud, slow or unheard, whatever was asked for.
   */
  public boolean needsAttention() {
    return Stream.of("silent", "gone", "loud", "slow", "unheard")
        .anyMatch(word -> answer.at(word).number() > 0);
  }

  /**
   * Returns the table as text; each line ends in a line break.
   *
   * @throws StatusException never, because the answer was read before
   */
  public String table() throws StatusException {
    StringBuilder rows = new StringBuilder();
    AtomicInteger senders = new AtomicInteger();
    forEach(
        sender -> {
          senders.incrementAndGet();
          addRows(rows, sender);
        });
    StringBuilder text = new StringBuilder();
    text.append(
        line(
            "%,.0f senders, %,.0f silent on one path, %,.0f gone, %,.0f loud, %,.0f slow; %,.0f of %,.0f found",
            answer.at("known").number(),
            answer.at("silent").number(),
            answer.at("gone").number(),
            answer.at("loud").number(),
            answer.at("slow").number(),
            senders.doubleValue(),
            answer.at("found").number()));
    text.append(
        ifAny(
            answer.at("unlisted_copies"),
            "incomplete: %,.0f copies of senders past coverage.inventory"));
    String unheard =
        answer.at("some_unheard").list().stream()
            .map(JsonValue::text)
            .collect(Collectors.joining(", "));
    text.append(ifAny(answer.at("unheard"), "%,.0f expected and not heard: %s", unheard));
    if (senders.get() > 0) {
      text.append(line("%n%-39s %-20s %-20s %14s", "sender", "first", "last", "messages"));
    }
    return text.append(rows).toString();
  }

  private static void addRows(StringBuilder text, JsonValue sender) {
    text.append(
        line(
            "%-39s %-20s %-20s %,14.0f",
            sender.at("sender").text(),
            seconds(sender.at("first")),
            seconds(sender.at("last")),
            sender.at("messages").number()));
    if (sender.at("gone").exists()) {
      text.append(line("  gone: %s", sender.at("gone").at("reason").text()));
    }
    text.append(volume(sender.at("volume")));
    text.append(
        ifAny(
            sender.at("numbers_missing"),
            "  numbers: %,.0f are missing, so that nobody has these messages"));
    text.append(headers(sender.at("headers")));
    text.append(
        ifAny(
            sender.at("cut"),
            "  cut: %,.0f messages have %,.0f bytes, and none has more",
            sender.at("longest").number()));
    text.append(ifAny(sender.at("refused"), "  refused: %,.0f times, as dead letters show"));
    sender.at("paths").list().forEach(path -> text.append(path(path)));
  }

  private static String volume(JsonValue volume) {
    double messages = volume.at("messages").number();
    double usual = volume.at("usual").number();
    return switch (volume.at("state").text()) {
      case "loud" ->
          line("  loud: %,.0f messages in an hour, at most %,.0f before", messages, usual);
      case "slow" -> line("  slow: %,.0f messages on the last day, usually %,.0f", messages, usual);
      default -> "";
    };
  }

  private static String headers(JsonValue headers) {
    double ahead = headers.at("ahead_seconds").number();
    double read = headers.at("read").number();
    String clock =
        line(
            "  clock: %,.0f s %s ours%s",
            Math.abs(ahead),
            ahead > 0 ? "ahead of" : "behind",
            headers.at("zone_off").isTrue() ? ", which a wrong time zone would explain" : "");
    return (headers.at("clock_off").isTrue() ? clock : "")
        + ifAny(
            headers.at("malformed"),
            "  header: %,.0f of %,.0f messages that were looked at have no priority, or no time to be trusted",
            read)
        + ifAny(
            headers.at("late"),
            "  late: %,.0f of %,.0f messages that were looked at came a minute or more later than the one before, by their own times",
            read);
  }

  private static String path(JsonValue path) {
    String missed =
        String.format(Locale.ROOT, "%,.0f copies came by others", path.at("missed_since").number());
    return switch (path.at("state").text()) {
      case "silent" ->
          line(
              "  silent on %s since %s: %s",
              path.at("stream").text(), seconds(path.at("last")), missed);
      case "unused" -> line("  does not use %s: %s", path.at("stream").text(), missed);
      default -> "";
    };
  }

  /** Returns an RFC 3339 time without its fraction of a second. */
  private static String seconds(JsonValue time) {
    return time.text().replaceFirst("\\.\\d+Z", "Z");
  }

  /**
   * Returns one line for each sender and stream, behind a line with the columns' names. A sender is
   * quoted, because it may be any text without a space.
   *
   * @throws StatusException never, because the answer was read before
   */
  public String csv() throws StatusException {
    StringBuilder text =
        new StringBuilder(
            "sender,first,last,messages,bytes,stream,state,last_on_stream,copies,missed_since,gone_missing,volume,numbers_missing,clock_ahead_seconds,malformed,late,cut,refused\n");
    forEach(
        sender ->
            sender.at("paths").list().forEach(path -> text.append(csv(sender, path)).append('\n')));
    return text.toString();
  }

  private static String csv(JsonValue sender, JsonValue path) {
    return String.join(
        ",",
        quoted(sender.at("sender").text()),
        sender.at("first").text(),
        sender.at("last").text(),
        number(sender.at("messages")),
        number(sender.at("bytes")),
        path.at("stream").text(),
        path.at("state").text(),
        path.at("last").text(),
        number(path.at("copies")),
        number(path.at("missed_since")),
        number(sender.at("gone").at("missing")),
        sender.at("volume").at("state").text(),
        number(sender.at("numbers_missing")),
        number(sender.at("headers").at("ahead_seconds")),
        number(sender.at("headers").at("malformed")),
        number(sender.at("headers").at("late")),
        number(sender.at("cut")),
        number(sender.at("refused")));
  }

  private static String quoted(String sender) {
    // A spreadsheet would execute a cell that begins with one of these.
    String text = sender.matches("[=+@-].*") ? "'" + sender : sender;
    return '"' + text.replace("\"", "\"\"") + '"';
  }

  private static String number(JsonValue number) {
    return String.format(Locale.ROOT, "%.0f", number.number());
  }

  /** Returns a line whose first value is the number; an empty text if the number is zero. */
  private static String ifAny(JsonValue number, String format, Object... others) {
    return number.number() > 0 ? line(format, Lists.asList(number.number(), others).toArray()) : "";
  }

  private static String line(String format, Object... values) {
    return String.format(Locale.ROOT, format + "%n", values);
  }
}
