package io.duplog.senders;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.duplog.observe.Level;
import io.duplog.observe.Runbook;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The section {@code senders} of the state document: numbers of senders, and some of the senders
 * with each concern. {@link SendersQuery} makes it.
 *
 * @param counts number of senders with each concern, by {@link Concern#key}
 * @param concerns the concerns that any sender has
 */
public record SendersState(
    long known,
    long unlistedCopies,
    double numbersMissing,
    @JsonAnyGetter Map<String, Integer> counts,
    List<ConcernState> concerns,
    @JsonUnwrapped Examples examples) {

  /** The answer to a question for senders. */
  public record Answer(@JsonUnwrapped SendersState summary, int found, List<SenderState> senders) {}

  /** The senders with a concern: their number, and some of them. */
  public record ConcernState(
      String name,
      @Nullable Level level,
      int count,
      String sentence,
      String runbook,
      List<Example> some) {

    private static ConcernState of(ConcernCount count, int limit) {
      Concern concern = count.concern();
      return new ConcernState(
          concern.word(),
          concern.level(),
          count.senders(),
          count.sentence(),
          Runbook.placeOf(concern.runbook()),
          count.some().stream()
              .limit(limit)
              .map(sender -> new Example(sender.sender(), concern.sentence(sender)))
              .toList());
    }
  }

  public record Example(String sender, String sentence) {}

  /** Some senders with urgent concerns, in the form that is older than {@link ConcernState}. */
  public record Examples(
      List<SenderState> someSilent,
      List<GoneState> someGone,
      List<VolumeState> someChanged,
      List<String> someUnheard) {}

  /** A sender, as a {@link SenderReport} describes it. */
  public record SenderState(
      @JsonUnwrapped Who who,
      @JsonUnwrapped Numbers totals,
      @Nullable GoneState gone,
      @Nullable VolumeState volume,
      long numbersMissing,
      @Nullable HeadersState headers,
      List<PathState> paths,
      List<Named> concerns) {

    static SenderState of(SenderReport sender) {
      SenderRecord record = sender.record();
      Totals totals = record.totals();
      boolean isKnown = sender.isKnown();
      return new SenderState(
          new Who(
              sender.sender(),
              record.headers().hosts(),
              isKnown ? Instant.ofEpochMilli(record.firstMillis()) : null,
              isKnown ? Instant.ofEpochMilli(record.lastMillis()) : null),
          new Numbers(
              totals.messages(), totals.bytes(), totals.refused(), totals.longest(), totals.cut()),
          sender.gone() == null ? null : GoneState.of(sender.gone(), ""),
          sender.change() == null ? null : VolumeState.of(sender.change(), ""),
          record.numbers().totalMissing(),
          HeadersState.of(record.headers()),
          sender.paths().stream().map(PathState::of).toList(),
          sender.concerns().stream()
              .map(concern -> new Named(concern.word(), concern.sentence(sender)))
              .toList());
    }
  }

  /**
   * Who sent, and when.
   *
   * @param first null if no message of the sender was heard, like {@code last}
   */
  public record Who(
      String sender, List<String> hosts, @Nullable Instant first, @Nullable Instant last) {}

  /** The {@link Totals} of a sender's messages. */
  public record Numbers(long messages, long bytes, long refused, long longest, long cut) {}

  /**
   * A silence on all paths.
   *
   * @param sender empty if it is said around this
   */
  public record GoneState(@Nullable Instant since, long missing, String reason, String sender) {
    private static GoneState of(SenderReport.Gone gone, String sender) {
      return new GoneState(gone.since(), Math.round(gone.missing()), gone.reason(), sender);
    }
  }

  /**
   * An unusual number of messages.
   *
   * @param sender empty if it is said around this
   */
  public record VolumeState(String state, long messages, long usual, String sender) {
    private static VolumeState of(Volume.Change change, String sender) {
      return new VolumeState(
          change.isLoud() ? "loud" : "slow", change.messages(), change.usual(), sender);
    }
  }

  /** Statistics of a sender's {@link Headers}. */
  public record HeadersState(
      long read,
      long malformed,
      long late,
      double aheadSeconds,
      boolean clockOff,
      boolean zoneOff) {

    private static HeadersState of(Headers headers) {
      return new HeadersState(
          headers.read(),
          headers.malformed(),
          headers.late(),
          headers.aheadMillis() / 1e3,
          headers.isOff(),
          headers.isZone());
    }
  }

  /**
   * A sender on one stream.
   *
   * @param last null if the stream had no copy
   */
  public record PathState(
      String stream, String state, @Nullable Instant last, long copies, long missedSince) {

    private static PathState of(SenderReport.Path path) {
      return new PathState(
          path.stream(),
          path.state().name().toLowerCase(Locale.ROOT),
          path.copies() == 0 ? null : path.last(),
          path.copies(),
          path.state() == SenderReport.State.HEARD ? 0 : path.missed());
    }
  }

  /** A concern that a sender has. */
  public record Named(String name, String sentence) {}

  /**
   * @param limit maximum number of senders to name of each kind
   */
  static SendersState of(
      ConcernCounts counts, long known, long unlistedCopies, double numbersMissing, int limit) {
    Map<String, Integer> byKey = new LinkedHashMap<>();
    counts.all().forEach(each -> byKey.put(each.concern().key(), each.senders()));
    return new SendersState(
        known,
        unlistedCopies,
        numbersMissing,
        byKey,
        counts.present().stream().map(each -> ConcernState.of(each, limit)).toList(),
        new Examples(
            some(counts, limit, SenderState::of, Concern.SILENT),
            some(
                counts,
                limit,
                each -> GoneState.of(Objects.requireNonNull(each.gone()), each.sender()),
                Concern.GONE),
            some(
                counts,
                limit,
                each -> VolumeState.of(Objects.requireNonNull(each.change()), each.sender()),
                Concern.LOUD,
                Concern.SLOW),
            some(counts, limit, SenderReport::sender, Concern.UNHEARD)));
  }

  private static <T> List<T> some(
      ConcernCounts counts, int limit, Function<SenderReport, T> form, Concern... concerns) {
    return Stream.of(concerns)
        .flatMap(concern -> counts.of(concern).some().stream())
        .limit(limit)
        .map(form)
        .toList();
  }
}
