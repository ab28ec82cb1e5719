package io.duplog.lag;

import io.duplog.dedup.BridgeNotes;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.observe.Conditions;
import io.duplog.observe.PollingThread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Determines every two seconds how long each stream's messages wait to be delivered, and which
 * streams are silent or dead. A separate thread does this. Thread-safe.
 */
public final class LagWatch {
  private static final Logger log = LoggerFactory.getLogger(LagWatch.class);
  private static final Duration PERIOD = Duration.ofSeconds(2);

  /** Greatest lag of a stream that counts as current. */
  private static final double MAX_CURRENT_LAG_SECONDS = 10;

  /**
   * Longest silence of a stream that counts as current, unless three heartbeat intervals are
   * longer.
   */
  private static final double MAX_SILENCE_SECONDS = 30;

  private final Map<String, Observations> observations = new LinkedHashMap<>();
  private final Map<String, StreamWatch> watches = new LinkedHashMap<>();
  private final Function<String, Path> paths;
  private final BridgeNotes notes;
  private final List<BridgeNotes.Member> otherMembers;
  private final Conditions board;
  private final LongSupplier nanoClock;
  private final LongSupplier millisClock;
  private final double maxSilenceSeconds;
  private final long windowNanos;
  private final PollingThread thread = new PollingThread("lag", PERIOD, this::runOnce);
  private volatile LagReport report;

  /**
   * @param streams the streams' names, in the bridge's order
   * @param window how far a stream may lag and still be matched
   * @param paths returns the state of the connection to a stream
   * @param otherMembers take part in each exchange of notes, in addition to the observations of the
   *     streams
   * @param board where the condition of each stream is reported; it has the clocks
   */
  public LagWatch(
      List<String> streams,
      Duration window,
      LagConfig config,
      Function<String, Path> paths,
      BridgeNotes notes,
      List<BridgeNotes.Member> otherMembers,
      Conditions board) {
    this.paths = paths;
    this.notes = notes;
    this.otherMembers = otherMembers;
    this.board = board;
    this.nanoClock = board.nanoClock();
    this.millisClock = board.wallMillis();
    this.windowNanos = window.toNanos();
    this.maxSilenceSeconds = Math.max(MAX_SILENCE_SECONDS, 3.0 * config.heartbeat().toSeconds());
    streams.forEach(
        stream ->
            observations.put(stream, new Observations(stream, window, nanoClock, millisClock)));
    for (String stream : streams) {
      List<Observations> others = new ArrayList<>(observations.values());
      others.remove(of(stream));
      watches.put(
          stream,
          new StreamWatch(stream, of(stream), others, window, config.heartbeat(), nanoClock));
    }
    this.report = LagReport.of(streams.stream().map(StreamLag::unknown).toList());
    report.streams().forEach(each -> board.report(each.condition()));
  }

  /** Returns the observations of a stream, to which callers report events. Thread-safe. */
  public Observations of(String stream) {
    Observations of = observations.get(stream);
    if (of == null) {
      throw new IllegalArgumentException("unknown stream " + stream);
    }
    return of;
  }

  /**
   * Returns the time of publication up to which a stream's messages can no longer be matched. The
   * unit is milliseconds since the epoch. The result is {@link Long#MIN_VALUE} if all messages can
   * still be matched. Another stream reached this time a window ago, so that its digests are
   * forgotten. The age of a message does not matter: if all streams had to wait, their copies still
   * meet. Thread-safe.
   */
  public long unmatchedUntilMillis(String stream) {
    StreamWatch watch = watches.get(stream);
    if (watch == null) {
      throw new IllegalArgumentException("unknown stream " + stream);
    }
    return watch.othersReachedMillis(windowNanos);
  }

  /** Returns the latest report. Thread-safe. */
  public LagReport report() {
    return report;
  }

  /**
   * Whether all of a stream's messages up to some seconds ago have arrived, as shown by its last
   * message or heartbeat. Thread-safe.
   */
  public boolean isCurrent(String stream) {
    return report.streams().stream()
        .anyMatch(
            each ->
                each.stream().equals(stream)
                    && (each.state() == StreamState.FLOWING || each.state() == StreamState.SILENT)
                    && each.lagSeconds() < MAX_CURRENT_LAG_SECONDS
                    && (each.ageSeconds() < maxSilenceSeconds
                        || each.heartbeat().ageSeconds() < maxSilenceSeconds));
  }

  public void start() {
    thread.start();
  }

  /** Makes the thread end, and returns without waiting. */
  public void stop() {
    thread.close();
  }

  /** Exchanges observations with the other bridges once, and makes a new report from them. */
  void runOnce() {
    boolean shared = exchange();
    long nowNanos = nanoClock.getAsLong();
    long nowMillis = millisClock.getAsLong();
    List<StreamLag> streams = new ArrayList<>();
    watches.forEach(
        (stream, watch) ->
            streams.add(watch.update(paths.apply(stream), shared, nowNanos, nowMillis)));
    report = LagReport.of(streams);
    streams.forEach(each -> board.report(each.condition()));
  }

  private boolean exchange() {
    List<BridgeNotes.Note> own = new ArrayList<>();
    otherMembers.forEach(member -> own.addAll(member.notes()));
    observations.forEach(
        (stream, each) -> {
          own.addAll(each.notes());
          String broker = paths.apply(stream).broker();
          if (broker != null) {
            own.add(new BridgeNotes.Note(BridgeNotes.brokerOf(stream), broker, 0));
          }
        });
    List<BridgeNotes.Note> all;
    try {
      all = notes.exchange(own);
    } catch (LedgerUnavailableException e) {
      log.debug("other bridges' observations are unknown", e);
      return false;
    }
    observations.values().forEach(each -> each.read(all));
    otherMembers.forEach(member -> member.read(all));
    return true;
  }
}
