package io.duplog.lag;

import io.duplog.observe.Condition;
import io.duplog.observe.Level;
import io.duplog.observe.RecurringWarning;
import io.duplog.observe.Runbook;
import io.duplog.wire.Heartbeat;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Determines the state and the lag of one stream, and warns of problems. For the watching thread.
 *
 * @see "docs/decisions/lag.md#lag-and-dead-streams"
 */
final class StreamWatch {
  private static final Logger log = LoggerFactory.getLogger(StreamWatch.class);

  /** Heartbeat interval that is assumed if the shims send no heartbeats. */
  private static final Duration DEFAULT = Duration.ofSeconds(10);

  /**
   * Time after the start in which a missing connection says nothing, because it is still being
   * made.
   */
  private static final long CONNECTING_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final String stream;
  private final Observations observations;
  private final List<Observations> otherObservations;
  private final long windowMillis;
  private final Duration heartbeatInterval;
  private final RecurringWarning lagWarning;
  private final RecurringWarning deathWarning;
  private final RecurringWarning nameWarning;
  private final RecurringWarning queueWarning;

  /**
   * Time in milliseconds since the epoch at which the stream's queues were last seen empty and all
   * of its batches settled; MIN_VALUE if never.
   */
  private long levelMillis = Long.MIN_VALUE;

  private boolean everConnected;

  /** Monotonic time in nanoseconds of the first look; null before it. */
  private @Nullable Long firstLookNanos;

  /**
   * Monotonic time in nanoseconds since which the bridge has been connected and not suspended; null
   * if it is not.
   */
  private @Nullable Long readingSinceNanos;

  /**
   * Monotonic time in nanoseconds at which other streams were seen to bring messages while this one
   * brings nothing; null if they were not.
   */
  private @Nullable Long missingSinceNanos;

  /**
   * Monotonic time in nanoseconds since which this bridge alone has been reading the stream's
   * queues; null if it is not alone.
   */
  private @Nullable Long aloneSinceNanos;

  /** What the last warning said, of what {@link #severity} returns; 0 if none is in force. */
  private int lastSeverity;

  private String lagWarningText = "";

  /**
   * @param otherObservations the observations of the other streams
   * @param heartbeatInterval interval of heartbeats; zero if there are no heartbeats
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
    this.lagWarning = new RecurringWarning(log, stream + "'s lag", nanoClock);
    this.deathWarning = new RecurringWarning(log, stream, nanoClock);
    this.nameWarning = new RecurringWarning(log, stream + "'s name", nanoClock);
    this.queueWarning = new RecurringWarning(log, "reading of " + stream + "'s queues", nanoClock);
  }

  /**
   * Returns the state and the lag of the stream now, and warns of what has changed.
   *
   * @param path what is known of the connection to the stream
   * @param shared whether the other bridges' observations are known
   */
  StreamLag look(Path path, boolean shared, long nowNanos, long nowMillis) {
    if (path.ready() == 0 && path.connected() && observations.held() == 0) {
      levelMillis = nowMillis;
    }
    firstLookNanos = since(true, firstLookNanos, nowNanos);
    everConnected |= path.connected();
    aloneSinceNanos = since(path.connected() && path.readers() <= 1, aloneSinceNanos, nowNanos);
    readingSinceNanos = since(path.connected() && !path.held(), readingSinceNanos, nowNanos);
    long reached = Math.max(levelMillis, observations.settledMillis());
    long lagMillis = reached == Long.MIN_VALUE ? -1 : Math.max(0, nowMillis - reached);
    if (!everConnected) {
      // The stream may have been quiet since another bridge settled its last message.
      lagMillis = Math.min(lagMillis, forNanos(firstLookNanos, nowNanos) / 1_000_000);
    }
    Observations.@Nullable Beat beat = observations.beat();
    Heartbeat heartbeat = beat == null ? null : beat.heartbeat();
    StreamState state = state(path, shared, lagMillis, beat, nowNanos);
    boolean shimless = state == StreamState.WAITING || state == StreamState.DEAD;
    missingSinceNanos = shimless ? missingSinceNanos : null;
    // The more readers, the longer, because the broker serves them in turn and heartbeats may be
    // all that comes.
    long whileNanos = 2 * patienceNanos(heartbeat) * Math.max(1, path.readers());
    String otherName = observations.otherName(whileNanos, shimless, nowNanos);
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
    // What an old heartbeat said may not be true any more.
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

  private static @Nullable Long since(boolean so, @Nullable Long before, long nowNanos) {
    if (!so || before != null) {
      return so ? before : null;
    }
    return nowNanos;
  }

  private static long forNanos(@Nullable Long since, long nowNanos) {
    return since == null ? 0 : nowNanos - since;
  }

  private StreamState state(
      Path path, boolean shared, long lagMillis, Observations.@Nullable Beat beat, long nowNanos) {
    if (!path.connected()) {
      return everConnected || forNanos(firstLookNanos, nowNanos) >= CONNECTING_NANOS
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
      // The broker serves the bridges in turn, and this one does not hear what others are given.
      patience *= Math.max(1, path.readers());
    }
    boolean elsewhere = comesFromAnotherQueue(patience, nowNanos);
    if (!elsewhere && observations.messageWithin(patience, nowNanos)) {
      return StreamState.FLOWING;
    }
    boolean ended = beat != null && beat.heartbeat().ending();
    if (!elsewhere && !ended && beat != null && beat.within(patience, nowNanos)) {
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
      // With a full prefetch neither messages nor heartbeats can arrive.
      return StreamState.HELD;
    }
    if (heartbeatInterval.isZero()) {
      return observations.ownSeen() || (observations.seen() && !elsewhere)
          ? StreamState.SILENT
          : StreamState.UNKNOWN;
    }
    if (!ended && forNanos(readingSinceNanos, nowNanos) <= patience) {
      return StreamState.UNKNOWN;
    }
    return (ended || beat == null)
            && !isMissing(beat == null ? null : beat.nanos(), patience, nowNanos)
        ? StreamState.WAITING
        : StreamState.DEAD;
  }

  /**
   * Whether other streams bring messages while no shim runs for this one, or its rsyslog is quiet.
   * Messages that came while rsyslog was being restarted prove nothing, nor do those that came
   * while a shim may have been starting.
   *
   * @param last when its shim said that it ends, or last heard of rsyslog, in nanoseconds; null if
   *     neither is known
   */
  private boolean isMissing(@Nullable Long last, long patience, long nowNanos) {
    long since = nowNanos - forNanos(readingSinceNanos, nowNanos);
    if (last != null && last - since > 0) {
      since = last;
    }
    long from = since + patience;
    if (missingSinceNanos == null
        && otherObservations.stream().anyMatch(each -> each.messageAfter(from))) {
      missingSinceNanos = nowNanos;
    }
    return forNanos(missingSinceNanos, nowNanos) > patience;
  }

  /**
   * Whether what other bridges see under the stream's name comes from another queue. That is so if
   * this bridge is the only one that reads its own queue, and is delivered nothing. If it was
   * delivered something before, the others may have stopped reading a moment ago, so more time has
   * to pass.
   */
  private boolean comesFromAnotherQueue(long patienceNanos, long nowNanos) {
    return aloneSinceNanos != null
        && !observations.ownWithin(patienceNanos, nowNanos)
        && (!observations.ownSeen() || forNanos(aloneSinceNanos, nowNanos) > patienceNanos);
  }

  /**
   * Returns how long rsyslog has handed the shim nothing, in milliseconds; -1 if that is not known,
   * or not long enough to mean anything.
   */
  private long quietMillis(Heartbeat heartbeat) {
    long quiet = heartbeat.report().rsyslog().quietMillis();
    long probed = Heartbeat.Rsyslog.PROBE_INTERVAL.multipliedBy(Heartbeat.PATIENCE).toMillis();
    return quiet > Math.max(probed, patienceNanos(heartbeat) / 1_000_000) ? quiet : -1;
  }

  private long patienceNanos(@Nullable Heartbeat heartbeat) {
    Duration interval = heartbeatInterval.isZero() ? DEFAULT : heartbeatInterval;
    if (heartbeat != null && heartbeat.intervalMillis() > interval.toMillis()) {
      interval = Duration.ofMillis(heartbeat.intervalMillis());
    }
    return interval.multipliedBy(Heartbeat.PATIENCE).toNanos();
  }

  /** Returns the condition of the stream, and logs what has changed in the same sentences. */
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
      return "waiting: no shim was seen yet; rsyslog starts it with the first message";
    }
    return Double.isNaN(heard.quietSeconds())
        ? "waiting: its shim ended cleanly; rsyslog starts one with the next message"
        : "waiting: rsyslog has nothing for its shim, and the other streams bring nothing";
  }

  /**
   * Returns the time of publication that any other stream had reached some time ago, in
   * milliseconds since the epoch; {@link Long#MIN_VALUE} if none had brought anything. May be
   * called from any thread.
   */
  long othersReachedMillis(long agoNanos) {
    return otherObservations.stream()
        .mapToLong(each -> each.settledMillis(agoNanos))
        .max()
        .orElse(Long.MIN_VALUE);
  }

  /**
   * Returns how bad a lag is: 1 and 2 if it exceeds one half or two of the window and all streams
   * lag alike, 3 and 4 if another stream has been ahead for one half or two, after which messages
   * come twice; 0 otherwise. It must be ahead both in time and by the messages that are meant. If
   * all streams had to wait for the sink, one is ahead for long, and by a moment only.
   */
  private int severity(Path path, long lagMillis, long reachedMillis) {
    int lagHalves = (int) Math.min(2, Math.max(0, lagMillis) * 2 / windowMillis);
    if (lagHalves == 0) {
      return 0;
    }
    long othersMillis = othersReachedMillis(0);
    if (othersMillis == Long.MIN_VALUE || othersMillis - reachedMillis < windowMillis / 4) {
      return path.held() ? 0 : lagHalves; // of a sink that accepts nothing, others tell
    }
    int halves = (int) Math.min(2, (othersMillis - reachedMillis) * 2 / windowMillis);
    while (halves > 0 && othersReachedMillis(windowMillis * halves * 500_000) < reachedMillis) {
      halves--;
    }
    return halves == 0 ? 0 : 2 + halves;
  }

  /**
   * Warns once for each severity of a lag that is worse than the last one. Reports the recovery
   * when the lag is below a quarter of the window.
   */
  private void warnOfLag(Path path, long lagMillis, long reachedMillis) {
    int severity = severity(path, lagMillis, reachedMillis);
    if (severity > lastSeverity) {
      lastSeverity = severity;
      lagWarningText =
          severity > 2
              ? "%s is %s behind, and its window %s at %s. Messages that it brings later than that can't be matched and are delivered a second time. Cause: %s."
                  .formatted(
                      stream,
                      inWords(lagMillis),
                      severity == 3 ? "ends" : "ended",
                      inWords(windowMillis),
                      cause(path))
              : "%s is %s behind its senders. Its messages still come once, because no other stream has been ahead for long. Cause: %s."
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
        + " batches wait in its queue; if that is few, check whether the node's clock is behind";
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
