package io.duplog.senders;

import io.duplog.observe.Level;
import io.duplog.observe.Printable;
import io.duplog.observe.Runbook;
import io.duplog.senders.SenderReport.Gone;
import io.duplog.senders.SenderReport.State;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A problem that a sender may have, such as being silent on one path, or sending with a wrong
 * clock. The log, health, the state document, the page, the metrics and the options of {@code
 * duplog senders} iterate over these constants. All of them show the concerns in this order, the
 * urgent ones first.
 *
 * @see "docs/decisions/senders.md#concerns-and-host-names"
 */
@SuppressWarnings("ImmutableEnumChecker") // its functions have no state
public enum Concern {
  SILENT(
      Level.ATTENTION,
      Runbook.SENDER_SILENT,
      "is silent on one path|are silent on one path",
      "Their messages have one path left. Check their second target and the firewall before that node.",
      sender -> sender.is(State.SILENT),
      sender ->
          eachPath(
              sender,
              State.SILENT,
              path ->
                  format(
                      "%s has been silent on %s since %s; %,d of its messages came by other streams.",
                      text(sender), path.stream(), minute(path.last()), path.missed()))) {
    @Override
    String brief(SenderReport sender) {
      return text(sender) + " on " + eachPath(sender, State.SILENT, SenderReport.Path::stream);
    }
  },

  GONE(
      Level.ATTENTION,
      Runbook.SENDER_GONE,
      "is gone (silent on all paths)|are gone (silent on all paths)",
      "Their messages are in no log. Check whether they run, and their logging service and network.",
      sender -> sender.gone() != null,
      sender -> {
        Gone gone = Objects.requireNonNull(sender.gone());
        return format(
            "%s has been silent on all paths since %s; %s.",
            text(sender), minute(gone.since()), gone.reason());
      }),

  LOUD(
      Level.ATTENTION,
      Runbook.SENDER_LOUD,
      "sends far more messages than usual|send far more messages than usual",
      "Splunk's license pays for them. Check their log level, and what they send (`duplog tap`).",
      sender -> sender.change() != null && sender.change().isLoud(),
      sender ->
          format(
              "%s sent %,d messages in an hour; before, it sent at most %,d.",
              text(sender), change(sender).messages(), change(sender).usual())),

  SLOW(
      Level.ATTENTION,
      Runbook.SENDER_SLOW,
      "sends far fewer messages than usual|send far fewer messages than usual",
      "Some of their logs are probably missing. Check which of their programs no longer logs.",
      sender -> sender.change() != null && !sender.change().isLoud(),
      sender ->
          format(
              "%s sent %,d messages on the last day; on that day of the two weeks before, it sent at least %,d.",
              text(sender), change(sender).messages(), change(sender).usual())),

  LOSING(
      Level.ATTENTION,
      Runbook.NUMBERS_MISSING,
      "is losing messages on all paths|are losing messages on all paths",
      "Nobody has these messages. Check the senders' network and rate limit, then what the nodes dropped (`duplog coverage`).",
      sender -> sender.assessment().newlyMissing() > 0,
      sender ->
          format(
              "%s numbers its messages; in the last 20 minutes %s came by no stream.",
              text(sender), count(sender.assessment().newlyMissing(), "number"))),

  UNHEARD(
      Level.ATTENTION,
      Runbook.SENDER_UNHEARD,
      "is expected and was not heard|are expected and were not heard",
      "Their messages are in no log. Check their targets, and whether coverage.sender-list has the address that rsyslog sees.",
      sender -> sender.assessment().isUnheard(),
      sender ->
          sender.isKnown()
              ? format(
                  "%s is expected, and was last heard at %s.",
                  text(sender), minute(sender.record().lastMillis()))
              : format(
                  "%s is expected, and no stream has brought a message from it.", text(sender))),

  GAPS(
      Level.OK,
      Runbook.NUMBERS_MISSING,
      "has gaps in its messages' numbers|have gaps in their messages' numbers",
      "Nobody has the messages that are missing. If a device leaves out numbers itself, mute it.",
      sender -> sender.record().numbers().totalMissing() > 0,
      sender ->
          format(
              "%s numbers its messages; since it was first heard, %s came by no stream.",
              text(sender), count(sender.record().numbers().totalMissing(), "number"))),

  CLOCK(
      Level.OK,
      null,
      "has a clock that is wrong|have clocks that are wrong",
      "Searches by time may miss their messages. Check their time zone and NTP.",
      sender -> sender.record().headers().isOff(),
      sender -> {
        long ahead = sender.record().headers().aheadMillis();
        return format(
            "The clock of %s is %,d s %s ours%s.",
            text(sender),
            Math.abs(ahead) / 1_000,
            ahead > 0 ? "ahead of" : "behind",
            sender.record().headers().isZone() ? "; a wrong time zone would explain that" : "");
      }),

  MALFORMED(
      Level.OK,
      null,
      "sends malformed headers|send malformed headers",
      "These messages get the time at which a node received them. Check the senders' format and clock.",
      sender -> sender.record().headers().malformed() > 0,
      sender ->
          format(
              "%s sent headers without a priority, or without a time to be trusted, in %,d of %s that were checked.",
              text(sender),
              sender.record().headers().malformed(),
              count(sender.record().headers().read(), "message"))),

  LATE(
      Level.OK,
      null,
      "sends messages late|send messages late",
      "The messages waited before a node received them. Check relays that store messages, and queues on disks.",
      sender -> sender.record().headers().late() > 0,
      sender ->
          format(
              "%s sent late: %,d of %s that were checked came a minute or more later than the one before, by their own times.",
              text(sender),
              sender.record().headers().late(),
              count(sender.record().headers().read(), "message"))),

  CUT(
      Level.OK,
      null,
      "seems to have its longest messages cut|seem to have their longest messages cut",
      "The ends of these messages are lost. Check the limits of the sender, of relays, and rsyslog's maxMessageSize.",
      sender -> sender.record().totals().cut() > 0,
      sender ->
          format(
              "%s sent %,d messages of %,d bytes, but no longer ones; they seem to be cut.",
              text(sender), sender.record().totals().cut(), sender.record().totals().longest())),

  REFUSED(
      Level.OK,
      Runbook.DEAD_LETTERS,
      "had messages that the sink refused|had messages that the sink refused",
      "These messages are dead letters. `duplog dead-letter list` says why.",
      sender -> sender.record().totals().refused() > 0,
      sender ->
          format(
              "The sink refused %s of %s, and put them into a dead-letter queue.",
              count(sender.record().totals().refused(), "message"), text(sender))),

  ONE_PATH(
      Level.OK,
      null,
      "does not use all paths|do not use all paths",
      "If a path fails, messages may be lost. Check whether these senders have a second target.",
      sender -> sender.is(State.UNUSED),
      sender ->
          eachPath(
              sender,
              State.UNUSED,
              path ->
                  format(
                      "%s does not use %s; %,d of its messages came by other streams.",
                      text(sender), path.stream(), path.missed()))),

  NEW(
      Level.OK,
      null,
      "is new (first heard less than a day ago)|are new (first heard less than a day ago)",
      "Add them to the rules that name senders, if there are any.",
      sender ->
          sender.isKnown()
              && sender.record().firstMillis()
                  > sender.assessment().millis() - Duration.ofDays(1).toMillis(),
      sender ->
          format("%s was first heard at %s.", text(sender), minute(sender.record().firstMillis())));

  private final Level level;
  private final @Nullable Runbook runbook;
  private final String verb;
  private final String advice;
  private final Predicate<SenderReport> condition;
  private final Function<SenderReport, String> sentence;

  /**
   * @param level level of each sender with the concern
   * @param verb the predicate of a sentence about one sender, then a bar, then about several
   *     senders
   * @param advice the concern's meaning and remedy, in full sentences
   */
  Concern(
      Level level,
      @Nullable Runbook runbook,
      String verb,
      String advice,
      Predicate<SenderReport> condition,
      Function<SenderReport, String> sentence) {
    this.level = level;
    this.runbook = runbook;
    this.verb = verb;
    this.advice = advice;
    this.condition = condition;
    this.sentence = sentence;
  }

  /**
   * Returns the word with which an operator asks for senders with the concern, such as {@code
   * one-path}.
   */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns the key of the number of senders with the concern in the state document. */
  public String key() {
    // This key is older than the words of concerns.
    return this == CLOCK ? "clocks_off" : name().toLowerCase(Locale.ROOT);
  }

  /** Returns the name of the metric with the number of senders with the concern. */
  public String metric() {
    return "duplog.senders." + key().replace('_', '.');
  }

  /** Returns the level of senders with the concern. */
  public Level level() {
    return level;
  }

  /** Returns the concern's section of the runbook, or null if it has none. */
  public @Nullable Runbook runbook() {
    return runbook;
  }

  /**
   * Returns the predicate of a sentence about this many senders, such as {@code are silent on one
   * path}.
   */
  public String verb(long senders) {
    int bar = verb.indexOf('|');
    return senders == 1 ? verb.substring(0, bar) : verb.substring(bar + 1);
  }

  /** Returns the concern's meaning and its remedy, in full sentences. */
  String advice() {
    return advice;
  }

  /** Whether the sender has the concern. */
  boolean appliesTo(SenderReport sender) {
    return !sender.assessment().isMuted() && condition.test(sender);
  }

  /** Describes a sender that has the concern, in one sentence or more. */
  String sentence(SenderReport sender) {
    return sentence.apply(sender);
  }

  /** Returns the sender's name, with a path where the concern is about one path. */
  String brief(SenderReport sender) {
    return text(sender);
  }

  private static String text(SenderReport sender) {
    return Printable.of(sender.sender());
  }

  private static Volume.Change change(SenderReport sender) {
    return Objects.requireNonNull(sender.change());
  }

  private static String eachPath(
      SenderReport sender, State state, Function<SenderReport.Path, String> words) {
    return sender.paths().stream()
        .filter(path -> path.state() == state)
        .map(words)
        .collect(Collectors.joining(" "));
  }

  private static String count(long number, String noun) {
    return format("%,d %s%s", number, noun, number == 1 ? "" : "s");
  }

  private static String minute(long millis) {
    return minute(Instant.ofEpochMilli(millis));
  }

  private static String minute(Instant time) {
    String text = time.truncatedTo(ChronoUnit.MINUTES).toString();
    return text.replace('T', ' ').replaceFirst(":00Z$", " UTC");
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
