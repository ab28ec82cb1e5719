package io.duplog.lag;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.duplog.dedup.BridgeNotes;
import io.duplog.wire.Heartbeat;
import io.duplog.wire.Topology;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Collects what this bridge and the others have seen of one stream, such as its last message and
 * heartbeat. Thread-safe; the lock is the object itself.
 */
public final class Observations implements BridgeNotes.Member {
  private static final String MESSAGE = " message";

  /** Number of remembered times of settled messages in a window. */
  private static final int MAX_SETTLED_TIMES = 64;

  /**
   * The last heartbeat that reached any bridge.
   *
   * @param nanos when the heartbeat arrived, by {@code nanoClock}
   * @param delayMillis time from the heartbeat's publication by the node's clock to its arrival by
   *     the clock of the bridge that received it
   */
  record Beat(Heartbeat heartbeat, long nanos, long delayMillis) {
    boolean within(long patienceNanos, long nowNanos) {
      return nowNanos - nanos <= patienceNanos;
    }
  }

  private final String stream;
  private final LongSupplier nanoClock;
  private final LongSupplier millisClock;
  private final long windowNanos;

  /** Progress of the stream in a little more than the last window, in steps. */
  private final Deque<SettledTime> settledTimes = new ArrayDeque<>();

  /** Number of batches that this bridge has received and neither settled nor forgotten. */
  private int heldBatches;

  private @Nullable Long lastMessageNanos;
  private @Nullable Long lastSettledMillis;
  private @Nullable Long ownArrivalNanos;
  private @Nullable Beat lastBeat;
  private final NodeLosses losses = new NodeLosses();

  /**
   * The last different name stated by a batch or heartbeat on this stream, or null if there was
   * none or it was forgotten.
   */
  private @Nullable String otherName;

  private long otherNameSeenNanos;
  private boolean isOwnNameSeenSince;

  /**
   * The time of publication of the newest settled message at some time.
   *
   * @param atNanos since when, by {@code nanoClock}
   * @param publishedMillis milliseconds since the epoch, by the node's clock
   */
  private record SettledTime(long atNanos, long publishedMillis) {}

  Observations(String stream, Duration window, LongSupplier nanoClock, LongSupplier millisClock) {
    this.stream = stream;
    this.windowNanos = window.toNanos();
    this.nanoClock = nanoClock;
    this.millisClock = millisClock;
  }

  /**
   * Called when a batch arrived at this bridge. {@link #ended} must be called for the batch later.
   */
  public synchronized void arrived() {
    long nowNanos = nanoClock.getAsLong();
    heldBatches++;
    ownArrivalNanos = nowNanos;
    lastMessageNanos = nowNanos;
  }

  /** Called when this bridge has finished with a batch, whether it was settled or forgotten. */
  public synchronized void ended() {
    heldBatches--;
  }

  /**
   * Called when a batch was settled. A time in the future counts as now, because it would otherwise
   * hide the lag until then.
   *
   * @param publishedMillis when the batch was published, in milliseconds since the epoch by the
   *     node's clock
   */
  public synchronized void settled(long publishedMillis) {
    lastSettledMillis =
        Math.max(settledMillis(), Math.min(publishedMillis, millisClock.getAsLong()));
    addSettledTime(new SettledTime(nanoClock.getAsLong(), lastSettledMillis));
  }

  /**
   * Stores the stream's progress. Replaces the last entry if it is too close to the previous one.
   */
  private void addSettledTime(SettledTime now) {
    SettledTime last = settledTimes.peekLast();
    if (last != null && last.publishedMillis() == now.publishedMillis()) {
      return;
    }
    if (last != null && settledTimes.size() > 1) {
      settledTimes.removeLast();
      if (last.atNanos() - settledTimes.getLast().atNanos() >= windowNanos / MAX_SETTLED_TIMES) {
        settledTimes.addLast(last);
      }
    }
    settledTimes.addLast(now);
    while (settledTimes.size() > 2 * MAX_SETTLED_TIMES) {
      settledTimes.removeFirst();
    }
  }

  /**
   * Returns the time of publication of the newest message that was settled a given time ago, in
   * milliseconds since the epoch, or {@link Long#MIN_VALUE} if no message was settled so far.
   * Assumes that the stream did not lag before this bridge knew it.
   *
   * @param agoNanos at most a window
   */
  synchronized long settledMillis(long agoNanos) {
    SettledTime first = settledTimes.peekFirst();
    if (first == null) {
      return Long.MIN_VALUE;
    }
    long thenNanos = nanoClock.getAsLong() - agoNanos;
    SettledTime known = null;
    for (SettledTime each : settledTimes) {
      known = each.atNanos() - thenNanos <= 0 ? each : known;
    }
    return known != null
        ? known.publishedMillis()
        : Math.min(first.publishedMillis(), millisClock.getAsLong() - millis(agoNanos));
  }

  /** Called when a batch or a heartbeat arrived that names this stream, or no stream. */
  public synchronized void named() {
    isOwnNameSeenSince = true;
  }

  /**
   * Called when a batch or a heartbeat arrived on this stream that names another stream.
   *
   * @param stated the name as the publisher wrote it, which may be anything
   */
  public synchronized void misnamed(String stated) {
    otherName = Topology.isStreamName(stated) ? stated : "an invalid name";
    otherNameSeenNanos = nanoClock.getAsLong();
    isOwnNameSeenSince = false;
  }

  /**
   * Returns the different stream name stated by batches or heartbeats here, or null if there is
   * none. The name is forgotten when it was not seen for a while, and either this stream's own name
   * was seen since, or no shim runs.
   *
   * @param unseenNanos how long the other name must not have been seen
   * @param isWithoutShim whether no shim runs for this stream
   */
  synchronized @Nullable String otherName(long unseenNanos, boolean isWithoutShim, long nowNanos) {
    if (otherName != null
        && (isOwnNameSeenSince || isWithoutShim)
        && nowNanos - otherNameSeenNanos > unseenNanos) {
      otherName = null;
    }
    return otherName;
  }

  /** Called when a heartbeat arrived on this stream. */
  public synchronized void beat(Heartbeat seen) {
    long nowNanos = nanoClock.getAsLong();
    if (seen.stream().equals(stream)) {
      named();
    } else {
      misnamed(seen.stream());
    }
    ownArrivalNanos = nowNanos;
    lastBeat = new Beat(seen, nowNanos, millisClock.getAsLong() - seen.publishedMillis());
    losses.seen(seen, millisClock.getAsLong());
  }

  /** Returns notes for other bridges on the stream's last message and heartbeat. */
  @Override
  public synchronized List<BridgeNotes.Note> notes() {
    long nowNanos = nanoClock.getAsLong();
    List<BridgeNotes.Note> notes = new ArrayList<>();
    if (lastMessageNanos != null) {
      String settled = lastSettledMillis == null ? "" : lastSettledMillis.toString();
      notes.add(
          new BridgeNotes.Note(stream + MESSAGE, settled, millis(nowNanos - lastMessageNanos)));
    }
    if (lastBeat != null) {
      String text =
          lastBeat.delayMillis() + "\n" + new String(lastBeat.heartbeat().encode(), UTF_8);
      notes.add(
          new BridgeNotes.Note(
              BridgeNotes.heartbeatOf(stream), text, millis(nowNanos - lastBeat.nanos())));
    }
    return notes;
  }

  /** Takes over other bridges' observations that are newer than this bridge's. */
  @Override
  public synchronized void read(List<BridgeNotes.Note> all) {
    all.forEach(this::read);
  }

  private synchronized void read(BridgeNotes.Note note) {
    long seenNanos =
        nanoClock.getAsLong() - TimeUnit.MILLISECONDS.toNanos(Math.max(0, note.ageMillis()));
    try {
      if (note.subject().equals(stream + MESSAGE)) {
        if (!note.text().isEmpty()) {
          settled(Long.parseLong(note.text()));
        }
        if (!messageAfter(seenNanos)) {
          lastMessageNanos = seenNanos;
        }
      } else if (note.subject().equals(BridgeNotes.heartbeatOf(stream))
          && (lastBeat == null || seenNanos - lastBeat.nanos() > 0)) {
        int line = note.text().indexOf('\n');
        Heartbeat seen = Heartbeat.decode(note.text().substring(line + 1).getBytes(UTF_8));
        if (line > 0 && seen != null) {
          lastBeat = new Beat(seen, seenNanos, Long.parseLong(note.text().substring(0, line)));
          losses.seen(seen, millisClock.getAsLong());
        }
      }
    } catch (NumberFormatException e) {
      return; // a note of another version of Duplog
    }
  }

  /** Returns the losses of the stream's node before its shim. */
  public NodeLosses losses() {
    return losses;
  }

  synchronized int held() {
    return heldBatches;
  }

  /** Whether a message or a heartbeat of the stream has arrived at any bridge so far. */
  synchronized boolean seen() {
    return lastMessageNanos != null || lastBeat != null;
  }

  synchronized boolean ownSeen() {
    return ownArrivalNanos != null;
  }

  /**
   * Whether a message or a heartbeat arrived at this bridge in the last {@code nanos} nanoseconds.
   */
  synchronized boolean ownWithin(long nanos, long nowNanos) {
    return ownArrivalNanos != null && nowNanos - ownArrivalNanos <= nanos;
  }

  synchronized boolean messageWithin(long nanos, long nowNanos) {
    return lastMessageNanos != null && nowNanos - lastMessageNanos <= nanos;
  }

  /** Whether a message arrived at any bridge after the given monotonic time in nanoseconds. */
  synchronized boolean messageAfter(long nanos) {
    return lastMessageNanos != null && lastMessageNanos - nanos > 0;
  }

  /** Returns the latest heartbeat that arrived at any bridge, or null if none has arrived. */
  synchronized @Nullable Beat beat() {
    return lastBeat;
  }

  /**
   * Returns the time of publication of the newest settled message, in milliseconds since the epoch,
   * or {@link Long#MIN_VALUE} if none was settled.
   */
  synchronized long settledMillis() {
    return lastSettledMillis == null ? Long.MIN_VALUE : lastSettledMillis;
  }

  private static long millis(long nanos) {
    return Math.max(0, TimeUnit.NANOSECONDS.toMillis(nanos));
  }
}
