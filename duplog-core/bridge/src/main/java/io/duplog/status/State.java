package io.duplog.status;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.duplog.coverage.CoverageState;
import io.duplog.observe.Condition;
import io.duplog.observe.Level;
import io.duplog.observe.Runbook;
import io.duplog.senders.SendersState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The state document. Its sections are the members of the three records, and are in one object. A
 * command may read one of the records alone. A section is null if the bridge does not have it; for
 * the rest, see {@link io.duplog.observe.Json}.
 *
 * <p>The names are an interface: the page, scripts, and commands of other versions read them.
 */
public record State(
    @JsonUnwrapped Facts facts, @JsonUnwrapped Findings findings, @JsonUnwrapped Details details) {

  /**
   * The bridge's identity, and its counts.
   *
   * @param journey counts of all streams, as in {@link Stream#counts}, and of what is held
   * @param sink the first sink, or the only one
   */
  public record Facts(
      @Nullable Bridge bridge,
      Map<String, Long> journey,
      List<EndOfCopy> ends,
      List<Stream> streams,
      @Nullable Store store,
      List<Fallback> fallbacks,
      @Nullable Sink sink,
      List<Sink> sinks) {}

  /** What the bridge judged. */
  public record Findings(
      @Nullable Overall health,
      List<LastWarnings.Line> warnings,
      @Nullable Lag lag,
      List<Period> degraded) {}

  /**
   * The sections that {@link StatusText} does not show. It leaves this record out, because Java
   * would load half of all records for it.
   */
  public record Details(
      @Nullable CoverageState coverage,
      @Nullable SendersState senders,
      @Nullable Bridges bridges) {}

  public record Bridge(
      String name,
      String version,
      @Nullable Instant now,
      @Nullable Instant started,
      long uptimeSeconds,
      long windowSeconds) {}

  /** The key of an {@link io.duplog.observe.End}, and its name on the page. */
  public record EndOfCopy(String key, String words) {}

  /**
   * A stream. Its {@code detail}, like that of the other parts, is the sentence of its condition.
   *
   * @param counts number of queues, and numbers of copies by name, such as the keys of the {@link
   *     io.duplog.observe.End}s
   */
  public record Stream(
      String name,
      String broker,
      String state,
      @Nullable Level level,
      String detail,
      boolean connected,
      boolean reading,
      @JsonAnyGetter @JsonAnySetter Map<String, Long> counts) {}

  /**
   * The ledger of all bridges.
   *
   * @param parts null if there is one part
   */
  public record Store(
      String kind,
      String address,
      String state,
      @Nullable Level level,
      String detail,
      boolean available,
      long failures,
      @Nullable List<StorePart> parts) {}

  public record StorePart(int part, boolean available) {}

  public record Fallback(
      String kind,
      String state,
      @Nullable Level level,
      String detail,
      boolean available,
      boolean asked,
      long copies) {}

  /**
   * A sink of the bridge.
   *
   * @param name null in the document of an older bridge, as {@code counts} is
   */
  public record Sink(
      String kind,
      @Nullable String name,
      String state,
      @Nullable Level level,
      String detail,
      boolean available,
      @Nullable SinkCounts counts,
      Map<String, Long> answers) {}

  /**
   * Numbers of messages since the sink was opened.
   *
   * @param rules the rules that may drop messages, in their order
   */
  public record SinkCounts(
      long delivered, long refused, long missed, long filtered, List<RuleCount> rules) {}

  /**
   * A rule that may drop messages of a sink.
   *
   * @param rule its number, from 1
   * @param dropped number of messages that it dropped
   * @param observed number of messages that it would drop, but only observes
   */
  public record RuleCount(int rule, long dropped, long observed) {}

  /** The whole bridge and its components. */
  public record Overall(
      String state, boolean ready, @Nullable Level level, String summary, List<Component> parts) {

    /** Returns the level. An older bridge has the state only. */
    Level judged() {
      return level == null ? Level.named(state) : level;
    }
  }

  /** The condition of a component, or of a bridge. */
  public record Component(
      String name, String state, @Nullable Level level, String detail, String runbook) {
    public static Component of(Condition condition) {
      Level level = condition.level();
      return new Component(
          condition.subject(),
          level.state(),
          level,
          condition.sentence(),
          Runbook.placeOf(condition.runbook()));
    }

    /** Returns the level. An older bridge has the state only. */
    Level judged() {
      return level == null ? Level.named(state) : level;
    }
  }

  /**
   * The progress of the streams.
   *
   * @param skewSeconds null if it is unknown; so are the numbers of each stream
   */
  public record Lag(List<LagOfStream> streams, @Nullable Double skewSeconds) {}

  public record LagOfStream(
      String stream,
      String state,
      @Nullable Double ageSeconds,
      @Nullable Double lagSeconds,
      @Nullable Double heartbeatAgeSeconds,
      @Nullable Long depth) {}

  /**
   * A time in which a part was not well.
   *
   * @param to null while the part is still unwell
   */
  public record Period(String part, @Nullable Instant from, @Nullable Instant to, String cause) {}

  /** This bridge and the others that share its Redis. */
  public record Bridges(String sentence, List<BridgeRow> bridges) {}

  /**
   * A bridge as it noted its state.
   *
   * @param receivedPerSecond null if it is unknown, like the rate of what it delivered
   */
  public record BridgeRow(
      @JsonUnwrapped Component bridge,
      String version,
      @Nullable Double receivedPerSecond,
      @Nullable Double deliveredPerSecond,
      long ageSeconds) {}

  /** Returns a count by name; 0 if the bridge does not know it. */
  static long count(Map<String, Long> counts, String name) {
    return Objects.requireNonNullElse(counts.get(name), 0L);
  }
}
