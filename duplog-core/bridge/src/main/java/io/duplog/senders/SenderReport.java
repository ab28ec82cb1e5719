package io.duplog.senders;

import io.duplog.config.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is known about a sender.
 *
 * @param sender address of the sender, which may be any text without a space
 * @param known what all bridges know about it
 * @param gone its silence on all paths; null unless that is longer than chance explains
 * @param change its unusual number of messages; null if the number is usual
 * @param paths what each stream brought, in the order of the bridge's streams
 * @param look what else the last look found
 */
public record SenderReport(
    String sender,
    SenderRecord known,
    @Nullable Gone gone,
    Volume.@Nullable Change change,
    List<Path> paths,
    Look look) {

  /** Time after which a path on which a sender is silent, or all paths, count as given up. */
  static final Duration GIVEN_UP_AFTER = Duration.ofDays(8);

  /** What a sender does on one path. */
  public enum State {
    HEARD,
    /** The other paths bring messages, and this one has not for a while. */
    SILENT,
    /** The other paths bring messages, and this one has not for eight days, or never did. */
    UNUSED
  }

  /**
   * A silence on all paths.
   *
   * @param since when the last message was published
   * @param missing how often the sender usually speaks in such a time; messages within ten seconds
   *     count once
   * @param reason why chance does not explain the silence
   */
  public record Gone(Instant since, double missing, String reason) {
    /**
     * @param every how often the sender has to speak, as an administrator says; null if the rhythm
     *     tells
     */
    static Gone of(SenderRecord known, @Nullable Duration every, long nowMillis) {
      long last = known.lastMillis();
      double missing = known.rhythm().expected(last, nowMillis);
      String reason =
          every != null
              ? "it has to speak every " + Durations.inWords(every)
              : String.format(
                  Locale.ROOT,
                  "it would have spoken about %,.0f times, and never left out more than %,.1f",
                  missing,
                  known.rhythm().quietest());
      return new Gone(Instant.ofEpochMilli(last), missing, reason);
    }
  }

  /**
   * What a look found of a sender that its record alone does not say.
   *
   * @param millis when that was, by the store's clock
   * @param isMuted whether nothing is reported about the sender
   * @param isUnheard whether the sender is expected, and was not heard for eight days or ever
   * @param newlyMissing how many more of its numbers are missing than 20 minutes before
   */
  public record Look(long millis, boolean isMuted, boolean isUnheard, long newlyMissing) {}

  /**
   * What one stream brought.
   *
   * @param last when its last copy was published; the sender's first message if it brought none
   * @param missed number of copies that the other streams brought since then
   */
  public record Path(String stream, State state, Instant last, long copies, long missed) {
    /**
     * @param absent whether the others bring the sender and this stream does not
     */
    static Path of(String stream, SenderRecord known, boolean absent) {
      SenderRecord.Path path = known.paths().get(stream);
      boolean used =
          path != null && known.lastMillis() - path.lastMillis() < GIVEN_UP_AFTER.toMillis();
      State state = !absent ? State.HEARD : used ? State.SILENT : State.UNUSED;
      return new Path(
          stream,
          state,
          Instant.ofEpochMilli(known.lastMillis(stream)),
          path == null ? 0 : path.copies(),
          known.othersSince(stream));
    }
  }

  /** Returns what is remarkable about the sender. */
  public List<Concern> concerns() {
    return Stream.of(Concern.values()).filter(concern -> concern.isAbout(this)).toList();
  }

  /** Whether any message of the sender was heard; an expected one may be unknown. */
  boolean isKnown() {
    return !known.paths().isEmpty();
  }

  /** Whether the sender is in this state on any path. */
  public boolean is(State state) {
    return paths.stream().anyMatch(path -> path.state() == state);
  }
}
