package io.duplog.lag;

import io.duplog.dedup.Board;
import io.duplog.dedup.LedgerUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches how far each stream has come. What is seen is told by any thread; one thread of its own
 * makes a report of it every two seconds, which any thread may read.
 */
public final class LagWatch {
  private static final Logger log = LoggerFactory.getLogger(LagWatch.class);
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final Map<String, Observations> observations = new LinkedHashMap<>();
  private final Map<String, StreamWatch> watches = new LinkedHashMap<>();
  private final Function<String, Path> paths;
  private final Board board;
  private final Board.Member other;
  private final LongSupplier nanoClock;
  private final LongSupplier millisClock;
  private final Thread thread = new Thread(this::runUntilStopped, "lag");
  private volatile LagReport report;
  private volatile boolean stopped;

  /**
   * @param streams in the bridge's order
   * @param window how far a stream may lag and still be matched
   * @param paths what is known of the way to the stream of this name
   * @param other takes part in each exchange on the board, beside what is seen of the streams
   * @param nanoClock {@code System::nanoTime}, or a test's
   * @param millisClock since the epoch
   */
  public LagWatch(
      List<String> streams,
      Duration window,
      LagConfig config,
      Function<String, Path> paths,
      Board board,
      Board.Member other,
      LongSupplier nanoClock,
      LongSupplier millisClock) {
    this.paths = paths;
    this.board = board;
    this.other = other;
    this.nanoClock = nanoClock;
    this.millisClock = millisClock;
    streams.forEach(
        stream -> observations.put(stream, new Observations(stream, nanoClock, millisClock)));
    for (String stream : streams) {
      List<Observations> others = new ArrayList<>(observations.values());
      others.remove(of(stream));
      watches.put(
          stream,
          new StreamWatch(stream, of(stream), others, window, config.heartbeat(), nanoClock));
    }
    this.report = LagReport.of(streams.stream().map(StreamLag::unknown).toList());
  }

  /** Where is told what comes on a stream. Any thread. */
  public Observations of(String stream) {
    Observations of = observations.get(stream);
    if (of == null) {
      throw new IllegalArgumentException("unknown stream " + stream);
    }
    return of;
  }

  /** The last report. Any thread. */
  public LagReport report() {
    return report;
  }

  public void start() {
    thread.start();
  }

  /** Ends the thread, without waiting for it. */
  public void stop() {
    stopped = true;
    LockSupport.unpark(thread);
  }

  private void runUntilStopped() {
    while (!stopped) {
      try {
        runOnce();
      } catch (RuntimeException e) {
        log.error("looking at the streams' lag failed; it is tried again", e);
      }
      LockSupport.parkNanos(this, PERIOD_NANOS);
    }
  }

  /** One look: tells the other bridges, hears from them, and judges each stream. */
  void runOnce() {
    boolean shared = exchange();
    long nowNanos = nanoClock.getAsLong();
    long nowMillis = millisClock.getAsLong();
    List<StreamLag> streams = new ArrayList<>();
    watches.forEach(
        (stream, watch) ->
            streams.add(watch.look(paths.apply(stream), shared, nowNanos, nowMillis)));
    report = LagReport.of(streams);
  }

  private boolean exchange() {
    List<Board.Note> own = new ArrayList<>(other.notes());
    observations.forEach(
        (stream, each) -> {
          own.addAll(each.notes());
          String broker = paths.apply(stream).broker();
          if (broker != null) {
            own.add(new Board.Note(Board.brokerOf(stream), broker, 0));
          }
        });
    List<Board.Note> all;
    try {
      all = board.exchange(own);
    } catch (LedgerUnavailableException e) {
      log.debug("other bridges' observations are not known", e);
      return false;
    }
    observations.values().forEach(each -> each.read(all));
    other.read(all);
    return true;
  }
}
