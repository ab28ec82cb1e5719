package io.duplog.status;

import io.duplog.observe.Level;
import io.duplog.senders.SendersState;
import io.duplog.senders.SendersState.Answer;
import io.duplog.senders.SendersState.ConcernState;
import io.duplog.senders.SendersState.PathState;
import io.duplog.senders.SendersState.SenderState;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Prints for {@code duplog senders} the list of senders, as a table or as CSV. */
public final class SendersText {
  private final Answer answer;

  /**
   * Reads what the bridge answers to a question for senders.
   *
   * @throws StatusException if it is no JSON
   */
  public SendersText(String answer) throws StatusException {
    Answer read = StateReader.parsed(answer, Answer.class);
    if (read == null) {
      throw new StatusException("The answer does not come from a bridge. Check the URL.", null);
    }
    this.answer = read;
  }

  /**
   * Returns the exit status: that of the worst level of all concerns, whatever was asked for, but 1
   * at most.
   */
  public int exitStatus() {
    return StateReader.exitStatus(answer.summary().concerns().stream().map(ConcernState::level));
  }

  /** Returns the table as text; each line ends in a line break. */
  public String table() {
    SendersState summary = answer.summary();
    List<SenderState> senders = answer.senders();
    StringBuilder text = new StringBuilder();
    text.append(
        line(
            "%,d senders known; %,d of %,d found",
            summary.known(), senders.size(), answer.found()));
    if (summary.unlistedCopies() > 0) {
      text.append(
          line(
              "incomplete: %,d copies of senders past coverage.inventory",
              summary.unlistedCopies()));
    }
    summary.concerns().stream()
        .filter(SendersText::isUrgent)
        .forEach(concern -> text.append(line("%s", concern.sentence())));
    String others =
        summary.concerns().stream()
            .filter(concern -> !isUrgent(concern))
            .map(concern -> String.format(Locale.ROOT, "%s %,d", concern.name(), concern.count()))
            .collect(Collectors.joining(", "));
    if (!others.isEmpty()) {
      text.append(line("Not urgent, see --only: %s", others));
    }
    if (!senders.isEmpty()) {
      text.append(
          line("%n%-39s %-20s %-20s %14s  %s", "sender", "first", "last", "messages", "hosts"));
    }
    senders.forEach(sender -> addRows(text, sender));
    return text.toString();
  }

  private static boolean isUrgent(ConcernState concern) {
    return concern.level() != Level.OK;
  }

  private static void addRows(StringBuilder text, SenderState sender) {
    String row =
        String.format(
            Locale.ROOT,
            "%-39s %-20s %-20s %,14d  %s",
            sender.who().sender(),
            seconds(sender.who().first()),
            seconds(sender.who().last()),
            sender.totals().messages(),
            String.join(" ", sender.who().hosts()));
    text.append(line("%s", row.stripTrailing()));
    sender.concerns().forEach(concern -> text.append(line("  %s", concern.sentence())));
  }

  /** Returns an RFC 3339 time without its fraction of a second. */
  private static String seconds(@Nullable Instant time) {
    return text(time).replaceFirst("\\.\\d+Z", "Z");
  }

  private static String text(@Nullable Instant time) {
    return time == null ? "" : time.toString();
  }

  /**
   * Returns one line for each sender and stream, behind a line with the columns' names. A sender is
   * quoted, because it may be any text without a space.
   */
  public String csv() {
    StringBuilder text =
        new StringBuilder(
            "sender,first,last,messages,bytes,stream,state,last_on_stream,copies,missed_since,gone_missing,volume,numbers_missing,clock_ahead_seconds,malformed,late,cut,refused,concerns\n");
    for (SenderState sender : answer.senders()) {
      sender.paths().forEach(path -> text.append(csv(sender, path)).append('\n'));
    }
    return text.toString();
  }

  private static String csv(SenderState sender, PathState path) {
    SendersState.Numbers totals = sender.totals();
    SendersState.HeadersState headers = sender.headers();
    return String.join(
        ",",
        quoted(sender.who().sender()),
        text(sender.who().first()),
        text(sender.who().last()),
        "" + totals.messages(),
        "" + totals.bytes(),
        path.stream(),
        path.state(),
        text(path.last()),
        "" + path.copies(),
        "" + path.missedSince(),
        sender.gone() == null ? "0" : "" + sender.gone().missing(),
        sender.volume() == null ? "" : sender.volume().state(),
        "" + sender.numbersMissing(),
        headers == null ? "0" : String.format(Locale.ROOT, "%.0f", headers.aheadSeconds()),
        headers == null ? "0" : "" + headers.malformed(),
        headers == null ? "0" : "" + headers.late(),
        "" + totals.cut(),
        "" + totals.refused(),
        sender.concerns().stream().map(SendersState.Named::name).collect(Collectors.joining(" ")));
  }

  private static String quoted(String sender) {
    // A spreadsheet would execute a cell that begins with one of these.
    String text = sender.matches("[=+@-].*") ? "'" + sender : sender;
    return '"' + text.replace("\"", "\"\"") + '"';
  }

  private static String line(String format, Object... values) {
    return String.format(Locale.ROOT, format + "%n", values);
  }
}
