package io.duplog.lag;

import io.duplog.observe.Condition;
import io.duplog.observe.Level;
import io.duplog.observe.Runbook;
import io.duplog.observe.Trouble;
import io.duplog.wire.Heartbeat;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Determines how long one stream's messages wait, and whether the stream is silent or dead, and
 * warns of problems. Not thread-safe. Belongs to the watching thread.
 *
 * @see "docs/decisions/lag.md#lag-and-dead-streams"
 */
final class StreamWatch {
  private static final Logger log = LoggerFactory.getLogger(StreamWatch.class);

  /** Heartbeat interval that is assumed if the shims send no heartbeats. */
  private static final Duration ASSUMED_INTERVAL = Duration.ofSeconds(10);

  /**
   * Time after the start in which a missing connection means nothing, because it is still being
   * established.
   */
  private static final long CONNECTING_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final String stream;
  private final Observations observations;
  private final List<Observations> otherObservations;
  private final long windowMillis;
  private final Duration heartbeatInterval;
  private final Trouble lagWarning;
  private final Trouble deathWarning;
  private final Trouble nameWarning;
  private final Trouble queueWarning;

  /**
   * Time in milliseconds since the epoch at which the stream's queues were last empty and all of
   * its batches settled, or MIN_VALUE if never.
   */
  private long emptyMillis = Long.MIN_VALUE;

  private boolean hasConnected;

  /** Monotonic time in nanoseconds of the first update, or null before it. */
  private @Nullable Long firstUpdateNanos;

  /**
   * Monotonic time in nanoseconds since which the bridge has been connected and not suspended, or
   * null if it is not.
   */
  private @Nullable Long readingSinceNanos;

  /**
   * Monotonic time in nanoseconds since which other streams bring messages while this one brings
   * none, or null if they don't.
   */
  private @Nullable Long missingSinceNanos;

  /**
   * Monotonic time in nanoseconds since which only this bridge has been reading the stream's
   * queues, or null if others read them, too.
   */
  private @Nullable Long aloneSinceNanos;

  /** The {@link #severity} of the last warning, or 0 if none is in force. */
  private int lastSeverity;

  private String lagWarningText = "";

  /**
   * @param otherObservations the observations of the other streams
   * @param heartbeatInterval interval of heartbeats, or zero if there are none
   */
  StreamWatch(
      String stream,
      Observations observations,
      List<Observations> otherObservations,
      Duration window,
      Duration heartbeatInterval,
      LongSupplier nanoClock) {
    this.stream = stream;
    this.observations = observations;
    this.otherObservations = otherObservations;
    this.windowMillis = window.toMillis();
    this.heartbeatInterval = heartbeatInterval;
    this.lagWarning = new Trouble(log, stream + "'s lag", nanoClock);
    this.deathWarning = new Trouble(log, stream, nanoClock);
    this.nameWarning = new Trouble(log, stream + "'s name", nanoClock);
    this.queueWarning = new Trouble(log, "reading of " + stream + "'s queues", nanoClock);
  }

  /**
   * Returns the current state and lag of the stream, and warns of changes.
   *
   * @param path the state of the connection to the stream
   * @param shared whether the other bridges' observations are known
   */
  StreamLag update(Path path, boolean shared, long nowNanos, long nowMillis) {
    if (path.ready() == 0 && path.connected() && observations.held() == 0) {
      emptyMillis = nowMillis;
    }
    firstUpdateNanos = since(true, firstUpdateNanos, nowNanos);
    hasConnected |= path.connected();
    aloneSinceNanos = since(path.connected() && path.readers() <= 1, aloneSinceNanos, nowNanos);
    readingSinceNanos = since(path.connected() && !path.held(), readingSinceNanos, nowNanos);
    long reached = Math.max(emptyMillis, observations.settledMillis());
    long lagMillis = reached == Long.MIN_VALUE ? -1 : Math.max(0, nowMillis - reached);
    if (!hasConnected) {
      // The stream may have been quiet since another bridge settled its last message.
      lagMillis = Math.min(lagMillis, nanosSince(firstUpdateNanos, nowNanos) / 1_000_000);
    }
    Observations.@Nullable Beat beat = observations.beat();
    Heartbeat heartbeat = beat == null ? null : beat.heartbeat();
    StreamState state = state(path, shared, lagMillis, beat, nowNanos);
    boolean isWithoutShim = state == StreamState.WAITING || state == StreamState.DEAD;
    missingSinceNanos = isWithoutShim ? missingSinceNanos : null;
    // More readers need more time, because the broker serves them in turn and heartbeats may be the
    // only deliveries.
    long unseenNanos = 2 * patienceNanos(heartbeat) * Math.max(1, path.readers());
    String otherName = observations.otherName(unseenNanos, isWithoutShim, nowNanos);
    if (otherName != null && path.connected()) {
      state = StreamState.MISNAMED;
    }
    StreamLag.Heard heard = beat == null ? StreamLag.Heard.NOTHING : heard(beat, nowNanos);
    Condition condition = condition(state, path, lagMillis, reached, heard, heartbeat, otherName);
    return new StreamLag(
        stream,
        state,
        observations.settledMillis() == Long.MIN_VALUE
            ? Double.NaN
            : Math.max(0, nowMillis - observations.settledMillis()) / 1e3,
        lagMillis < 0 ? Double.NaN : lagMillis / 1e3,
        path.ready(),
        heard,
        heartbeat == null ? -1 : Math.max(0, heartbeat.report().queues() - path.queues()),
        condition);
  }

  private StreamLag.Heard heard(Observations.Beat beat, long nowNanos) {
    Heartbeat heartbeat = beat.heartbeat();
    // The values of an old heartbeat may no longer be true.
    boolean fresh = beat.within(patienceNanos(heartbeat), nowNanos);
    return new StreamLag.Heard(
        Math.max(0, nowNanos - beat.nanos()) / 1e9,
        fresh ? beat.delayMillis() / 1e3 : Double.NaN,
        heartbeat.report().confirmed(),
        fresh ? heartbeat.report().stalledMillis() / 1e3 : Double.NaN,
        fresh && !heartbeat.ending() && quietMillis(heartbeat) >= 0
            ? quietMillis(heartbeat) / 1e3
            : Double.NaN);
  }

  private static @Nullable Long since(boolean isTrue, @Nullable Long before, long nowNanos) {
    if (!isTrue || before != null) {
      return isTrue ? before : null;
    }
    return nowNanos;
  }

  private static long nanosSince(@Nullable Long since, long nowNanos) {
    return since == null ? 0 : nowNanos - since;
  }

  private StreamState state(
      Path path, boolean shared, long lagMillis, Observations.@Nullable Beat beat, long nowNanos) {
    if (!path.connected()) {
      return hasConnected || nanosSince(firstUpdateNanos, nowNanos) >= CONNECTING_NANOS
          ? StreamState.DISCONNECTED
          : StreamState.UNKNOWN;
    }
    if (lagMillis > windowMillis / 2) {
      return StreamState.BEHIND;
    }
    if (path.held()) {
      return StreamState.HELD;
    }
    long patience = patienceNanos(beat == null ? null : beat.heartbeat());
    if (!shared) {
      // The broker serves the bridges in turn, and this one does not know the others' deliveries.
      patience *= Math.max(1, path.readers());
    }
    boolean isFromOtherQueue = isFromOtherQueue(patience, nowNanos);
    if (!isFromOtherQueue && observations.messageWithin(patience, nowNanos)) {
      return StreamState.FLOWING;
    }
    boolean ended = beat != null && beat.heartbeat().ending();
    if (!isFromOtherQueue && !ended && beat != null && beat.within(patience, nowNanos)) {
      long quietMillis = quietMillis(beat.heartbeat());
      if (quietMillis < 0) {
        return StreamState.SILENT;
      }
      long heardNanos = beat.nanos() - TimeUnit.MILLISECONDS.toNanos(quietMillis);
      return beat.heartbeat().report().rsyslog().probes()
              || isMissing(heardNanos, patience, nowNanos)
          ? StreamState.DEAD
          : StreamState.WAITING;
    }
    if (path.ready() > 0 || observations.held() > 0) {
      // While the prefetch is full, neither messages nor heartbeats can arrive.
      return StreamState.HELD;
    }
    if (heartbeatInterval.isZero()) {
      return observations.ownSeen() || (observations.seen() && !isFromOtherQueue)
          ? StreamState.SILENT
          : StreamState.UNKNOWN;
    }
    if (!ended && nanosSince(readingSinceNanos, nowNanos) <= patience) {
      return StreamState.UNKNOWN;
    }
    return (ended || beat == null)
            && !isMissing(beat == null ? null : beat.nanos(), patience, nowNanos)
        ? StreamState.WAITING
        : StreamState.DEAD;
  }

  /**
   * Whether other streams bring messages while no shim runs for this one, or its rsyslog is quiet.
   * Messages during a restart of rsyslog, or while a shim may have been starting, prove nothing.
   *
   * @param last when its shim reported its end, or last got something from rsyslog, in nanoseconds,
   *     or null if neither is known
   */
  private boolean isMissing(@Nullable Long last, long patience, long nowNanos) {
    long since = nowNanos - nanosSince(readingSinceNanos, nowNanos);
    if (last != null && last - since > 0) {
      since = last;
    }
    long from = since + patience;
    if (missingSinceNanos == null
        && otherObservations.stream().anyMatch(each -> each.messageAfter(from))) {
      missingSinceNanos = nowNanos;
    }
    return nanosSince(missingSinceNanos, nowNanos) > patience;
  }

  /**
   * Whether other bridges' observations under the stream's name come from a different queue. The
   * queues are different if this bridge alone reads its queue but gets no deliveries. If this
   * bridge got deliveries before, the others may only just have stopped reading, so more time must
   * pass.
   */
  private boolean isFromOtherQueue(long patienceNanos, long nowNanos) {
    return aloneSinceNanos != null
        && !observations.ownWithin(patienceNanos, nowNanos)
        && (!observations.ownSeen() || nanosSince(aloneSinceNanos, nowNanos) > patienceNanos);
  }

  /**
   * Returns how long rsyslog has handed the shim nothing, in milliseconds, or -1 if that is unknown
   * or too short to mean anything.
   */
  private long quietMillis(Heartbeat heartbeat) {
    long quiet = heartbeat.report().rsyslog().quietMillis();
    long probed = Heartbeat.Rsyslog.PROBE_INTERVAL.multipliedBy(Heartbeat.PATIENCE).toMillis();
    return quiet > Math.max(probed, patienceNanos(heartbeat) / 1_000_000) ? quiet : -1;
  }

  private long patienceNanos(@Nullable Heartbeat heartbeat) {
    Duration interval = heartbeatInterval.isZero() ? ASSUMED_INTERVAL : heartbeatInterval;
    if (heartbeat != null && heartbeat.intervalMillis() > interval.toMillis()) {
      interval = Duration.ofMillis(heartbeat.intervalMillis());
    }
    return interval.multipliedBy(Heartbeat.PATIENCE).toNanos();
  }

  /** Returns the condition of the stream, and logs changes with the same sentences. */
  private Condition condition(
      StreamState state,
      Path path,
      long lagMillis,
      long reachedMillis,
      StreamLag.Heard heard,
      @Nullable Heartbeat heartbeat,
      @Nullable String otherName) {
    warnOfLag(path, lagMillis, reachedMillis);
    String subject = "lag " + stream;
    Condition condition =
        switch (state) {
          case FLOWING, SILENT, UNKNOWN, HELD, DISCONNECTED -> Condition.ok(subject, state.text());
          case WAITING -> Condition.ok(subject, waiting(heard));
          case DEAD ->
              new Condition(
                  subject,
                  Level.DEGRADED,
                  "%s is dead. %s".formatted(stream, heard.causeOfDeath()),
                  Runbook.STREAM_DEAD);
          case MISNAMED ->
              new Condition(
                  subject,
                  Level.DEGRADED,
                  "The queue of stream %s contains messages of stream %s. They are delivered without deduplication. Run `duplog check`, then compare each shim's `stream`."
                      .formatted(stream, otherName),
                  Runbook.STREAM_MISNAMED);
          case BEHIND ->
              new Condition(
                  subject,
                  Level.DEGRADED,
                  lastSeverity > 0
                      ? lagWarningText
                      : "%s is %s behind its senders.".formatted(stream, inWords(lagMillis)),
                  Runbook.STREAM_BEHIND);
        };
    if (state == StreamState.DEAD) {
      deathWarning.occurred("dead", condition.sentence());
    } else if (state == StreamState.FLOWING || state == StreamState.SILENT) {
      deathWarning.recovered();
    }
    if (state == StreamState.MISNAMED) {
      nameWarning.occurred(condition.sentence());
    } else if (otherName == null) {
      nameWarning.recovered();
    }
    if (heartbeat == null || heartbeat.report().queues() <= path.queues()) {
      queueWarning.recovered();
      return condition;
    }
    String unread =
        "The shim of %s publishes to %d queues, but this bridge reads %d. Messages that only this stream has in the other queues are not delivered. Set the stream's queue-count to the shim's."
            .formatted(stream, heartbeat.report().queues(), path.queues());
    queueWarning.occurred(unread);
    return new Condition(subject, Level.DEGRADED, unread, Runbook.QUEUES_UNREAD);
  }

  private static String waiting(StreamLag.Heard heard) {
    if (Double.isNaN(heard.ageSeconds())) {
      return "waiting: no shim has been seen yet; rsyslog starts it with the first message";
    }
    return Double.isNaN(heard.quietSeconds())
        ? "waiting: its shim ended cleanly; rsyslog starts one with the next message"
        : "waiting: rsyslog has nothing for its shim, and the other streams bring nothing";
  }

  /**
   * Returns the latest time of publication that any other stream had reached a given time ago, in
   * milliseconds since the epoch, or {@link Long#MIN_VALUE} if none had brought anything.
   * Thread-safe.
   */
  long othersReachedMillis(long agoNanos) {
    return otherObservations.stream()
        .mapToLong(each -> each.settledMillis(agoNanos))
        .max()
        .orElse(Long.MIN_VALUE);
  }

  /**
   * Returns the severity of a lag, or 0 if it is harmless. Severity 1 or 2: the lag exceeds half or
   * all of the window, and all streams lag alike. Severity 3 or 4: another stream has been ahead
   * for half or all of the window, after which messages are delivered twice. The other stream must
   * be ahead both in time and in its messages. If all streams had to wait for the sink, one is
   * ahead for long, but only by a moment.
   */
  private int severity(Path path, long lagMillis, long reachedMillis) {
    int lagHalves = (int) Math.min(2, Math.max(0, lagMillis) * 2 / windowMillis);
    if (lagHalves == 0) {
      return 0;
    }
    long othersMillis = othersReachedMillis(0);
    if (othersMillis == Long.MIN_VALUE || othersMillis - reachedMillis < windowMillis / 4) {
      return path.held() ? 0 : lagHalves; // a sink that accepts nothing is reported elsewhere
    }
    int halves = (int) Math.min(2, (othersMillis - reachedMillis) * 2 / windowMillis);
    while (halves > 0 && othersReachedMillis(windowMillis * halves * 500_000) < reachedMillis) {
      halves--;
    }
    return halves == 0 ? 0 : 2 + halves;
  }

  /**
   * Warns when the severity of a lag rises. Reports the recovery when the lag is below a quarter of
   * the window.
   */
  private void warnOfLag(Path path, long lagMillis, long reachedMillis) {
    int severity = severity(path, lagMillis, reachedMillis);
    if (severity > lastSeverity) {
      lastSeverity = severity;
      lagWarningText =
          severity > 2
              ? "%s is %s behind, and its window %s at %s. Messages that arrive later than that can't be matched and are delivered twice. Cause: %s."
                  .formatted(
                      stream,
                      inWords(lagMillis),
                      severity == 3 ? "ends" : "ended",
                      inWords(windowMillis),
                      cause(path))
              : "%s is %s behind its senders. Its messages are still delivered once, because no other stream has been ahead for long. Cause: %s."
                  .formatted(stream, inWords(lagMillis), cause(path));
    }
    if (lastSeverity == 0) {
      return;
    }
    if (lagMillis < windowMillis / 4) {
      lastSeverity = 0;
      lagWarning.recovered();
    } else {
      lagWarning.occurred(lagWarningText);
    }
  }

  private static String cause(Path path) {
    if (!path.connected()) {
      return "its broker can't be read";
    }
    if (path.held()) {
      return "the sink accepts nothing";
    }
    return path.ready()
        + " batches wait in its queue; if these are few, check whether the node's clock is behind";
  }

  /** Formats a duration for people, such as {@code 45 s}, {@code 6 m} or {@code 2 h}. */
  private static String inWords(long millis) {
    long seconds = millis / 1000;
    if (seconds < 120) {
      return seconds + " s";
    }
    return seconds < 7200 ? seconds / 60 + " m" : seconds / 3600 + " h";
  }
}
