package io.duplog.status;

import io.duplog.observe.JsonValue;
import io.duplog.observe.Level;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Prints for {@code duplog senders} the list of senders, as a table or as CSV. Reads one sender
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
   * Returns the exit status: that of the worst level of all concerns, whatever was asked for, but 1
   * at most.
   */
  public int exitStatus() {
    return StateReader.exitStatus(answer.at("concerns").list());
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
            "%,.0f senders known; %,.0f of %,.0f found",
            answer.at("known").number(), senders.doubleValue(), answer.at("found").number()));
    if (answer.at("unlisted_copies").number() > 0) {
      text.append(
          line(
              "incomplete: %,.0f copies of senders past coverage.inventory",
              answer.at("unlisted_copies").number()));
    }
    List<JsonValue> concerns = answer.at("concerns").list();
    concerns.stream()
        .filter(SendersText::isUrgent)
        .forEach(concern -> text.append(line("%s", concern.at("sentence").text())));
    String others =
        concerns.stream()
            .filter(concern -> !isUrgent(concern))
            .map(
                concern ->
                    String.format(
                        Locale.ROOT,
                        "%s %,.0f",
                        concern.at("name").text(),
                        concern.at("count").number()))
            .collect(Collectors.joining(", "));
    if (!others.isEmpty()) {
      text.append(line("Not urgent, see --only: %s", others));
    }
    if (senders.get() > 0) {
      text.append(
          line("%n%-39s %-20s %-20s %14s  %s", "sender", "first", "last", "messages", "hosts"));
    }
    return text.append(rows).toString();
  }

  private static boolean isUrgent(JsonValue concern) {
    return !concern.at("level").text().equals(Level.OK.word());
  }

  private static void addRows(StringBuilder text, JsonValue sender) {
    String row =
        String.format(
            Locale.ROOT,
            "%-39s %-20s %-20s %,14.0f  %s",
            sender.at("sender").text(),
            seconds(sender.at("first")),
            seconds(sender.at("last")),
            sender.at("messages").number(),
            sender.at("hosts").list().stream()
                .map(JsonValue::text)
                .collect(Collectors.joining(" ")));
    text.append(line("%s", row.stripTrailing()));
    for (JsonValue concern : sender.at("concerns").list()) {
      text.append(line("  %s", concern.at("sentence").text()));
    }
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
            "sender,first,last,messages,bytes,stream,state,last_on_stream,copies,missed_since,gone_missing,volume,numbers_missing,clock_ahead_seconds,malformed,late,cut,refused,concerns\n");
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
        number(sender.at("refused")),
        sender.at("concerns").list().stream()
            .map(concern -> concern.at("name").text())
            .collect(Collectors.joining(" ")));
  }

  private static String quoted(String sender) {
    // A spreadsheet would execute a cell that begins with one of these.
    String text = sender.matches("[=+@-].*") ? "'" + sender : sender;
    return '"' + text.replace("\"", "\"\"") + '"';
  }

  private static String number(JsonValue number) {
    return String.format(Locale.ROOT, "%.0f", number.number());
  }

  private static String line(String format, Object... values) {
    return String.format(Locale.ROOT, format + "%n", values);
  }
}
