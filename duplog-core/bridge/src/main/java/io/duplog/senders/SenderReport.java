package io.duplog.senders;

import io.duplog.config.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The report on one sender for an operator: its counts, its state on each path and its problems.
 *
 * @param sender address of the sender, which may be any text without a space
 * @param record the record of the sender that all bridges share
 * @param gone its silence on all paths, or null if chance may explain the silence
 * @param change its unusual number of messages, or null if the number is usual
 * @param paths the sender's state on each stream, in the order of the bridge's streams
 * @param assessment further results of the last update
 */
public record SenderReport(
    String sender,
    SenderRecord record,
    @Nullable Gone gone,
    Volume.@Nullable Change change,
    List<Path> paths,
    Assessment assessment) {

  /**
   * Length of a silence after which a path counts as unused, and a sender that is silent on all
   * paths as decommissioned.
   */
  static final Duration GIVEN_UP_AFTER = Duration.ofDays(8);

  /** The state of a sender on one path. */
  public enum State {
    HEARD,
    /** Messages arrive on other paths, and have not arrived on this one for a while. */
    SILENT,
    /** Messages arrive on other paths, and have not arrived on this one for eight days, or ever. */
    UNUSED
  }

  /**
   * A silence on all paths.
   *
   * @param since when the last message was published
   * @param missing number of bursts that the sender usually sends in such a time; see {@link
   *     Rhythm}
   * @param reason why chance does not explain the silence
   */
  public record Gone(Instant since, double missing, String reason) {
    /**
     * @param every longest silence that the administrator's list allows, or null if the sender's
     *     rhythm decides
     */
    static Gone of(SenderRecord record, @Nullable Duration every, long nowMillis) {
      long last = record.lastMillis();
      double missing = record.rhythm().expectedBursts(last, nowMillis);
      String reason =
          every != null
              ? "it has to speak every " + Durations.inWords(every)
              : String.format(
                  Locale.ROOT,
                  "it would have spoken about %,.0f times, and never left out more than %,.1f",
                  missing,
                  record.rhythm().longestSilence());
      return new Gone(Instant.ofEpochMilli(last), missing, reason);
    }
  }

  /**
   * Results of an update that a sender's record alone does not show.
   *
   * @param millis time of the report, by the store's clock
   * @param isMuted whether the sender's concerns are suppressed
   * @param isUnheard whether the sender is expected and has not been heard for eight days, or ever
   * @param newlyMissing how many more of its numbers are missing than 20 minutes ago
   */
  public record Assessment(long millis, boolean isMuted, boolean isUnheard, long newlyMissing) {}

  /**
   * The sender's state on one stream.
   *
   * @param last when the last copy on the stream was published, or the sender's first message if
   *     the stream had no copy
   * @param missed number of copies that have arrived on the other streams since then
   */
  public record Path(String stream, State state, Instant last, long copies, long missed) {
    /**
     * @param isAbsent whether the sender's messages arrive on other streams and not on this one
     */
    static Path of(String stream, SenderRecord record, boolean isAbsent) {
      SenderRecord.Path path = record.paths().get(stream);
      boolean isUsed =
          path != null && record.lastMillis() - path.lastMillis() < GIVEN_UP_AFTER.toMillis();
      State state = !isAbsent ? State.HEARD : isUsed ? State.SILENT : State.UNUSED;
      return new Path(
          stream,
          state,
          Instant.ofEpochMilli(record.lastMillis(stream)),
          path == null ? 0 : path.copies(),
          record.copiesMissedBy(stream));
    }
  }

  /** Returns the sender's concerns. */
  public List<Concern> concerns() {
    return Stream.of(Concern.values()).filter(concern -> concern.appliesTo(this)).toList();
  }

  /**
   * Whether any message of the sender has been heard. An expected sender may never have been heard.
   */
  boolean isKnown() {
    return !record.paths().isEmpty();
  }

  /** Whether the sender is in this state on any path. */
  public boolean is(State state) {
    return paths.stream().anyMatch(path -> path.state() == state);
  }
}
