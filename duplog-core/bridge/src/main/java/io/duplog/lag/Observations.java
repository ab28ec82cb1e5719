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
 * What this bridge and others saw of one stream. Safe for any thread; the lock is the object
 * itself.
 */
public final class Observations implements BridgeNotes.Member {
  private static final String MESSAGE = " message";

  /** Number of times in a window at which it is noted how far the stream has come. */
  private static final int STEPS = 64;

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

  /** How far the stream had come in the last window; a little longer, and in steps. */
  private final Deque<Reached> progress = new ArrayDeque<>();

  /** Number of batches that this bridge has received and neither settled nor forgotten. */
  private int heldBatches;

  private @Nullable Long messageNanos;
  private @Nullable Long settledMillis;
  private @Nullable Long ownNanos;
  private @Nullable Beat beat;
  private final NodeLosses losses = new NodeLosses();

  /**
   * Name of another stream that a batch or heartbeat on this stream stated last; null if none did,
   * or if the name was forgotten.
   */
  private @Nullable String otherName;

  private long otherNameNanos;
  private boolean ownNameSince;

  /**
   * That the newest settled message was published at a time.
   *
   * @param atNanos since when, by {@code nanoClock}
   * @param publishedMillis milliseconds since the epoch, by the node's clock
   */
  private record Reached(long atNanos, long publishedMillis) {}

  Observations(String stream, Duration window, LongSupplier nanoClock, LongSupplier millisClock) {
    this.stream = stream;
    this.windowNanos = window.toNanos();
    this.nanoClock = nanoClock;
    this.millisClock = millisClock;
  }

  /**
   * Called when a batch arrived at this bridge; {@link #ended} has to be called for the batch
   * later.
   */
  public synchronized void arrived() {
    long nowNanos = nanoClock.getAsLong();
    heldBatches++;
    ownNanos = nowNanos;
    messageNanos = nowNanos;
  }

  /** Called when this bridge has finished with a batch, whether it was settled or forgotten. */
  public synchronized void ended() {
    heldBatches--;
  }

  /**
   * Called when a batch was settled. A time in the future counts as now, because it would hide the
   * lag until then.
   *
   * @param publishedMillis when the batch was published, in milliseconds since the epoch by the
   *     node's clock
   */
  public synchronized void settled(long publishedMillis) {
    settledMillis = Math.max(settledMillis(), Math.min(publishedMillis, millisClock.getAsLong()));
    note(new Reached(nanoClock.getAsLong(), settledMillis));
  }

  /**
   * Notes how far the stream has come, in place of the last note if that is too close to others.
   */
  private void note(Reached now) {
    Reached last = progress.peekLast();
    if (last != null && last.publishedMillis() == now.publishedMillis()) {
      return;
    }
    if (last != null && progress.size() > 1) {
      progress.removeLast();
      if (last.atNanos() - progress.getLast().atNanos() >= windowNanos / STEPS) {
        progress.addLast(last);
      }
    }
    progress.addLast(now);
    while (progress.size() > 2 * STEPS) {
      progress.removeFirst();
    }
  }

  /**
   * Returns when the newest message that had been settled some time ago was published, in
   * milliseconds since the epoch; {@link Long#MIN_VALUE} if no message was settled so far. Of a
   * time before this bridge knew the stream, it supposes that the stream did not lag.
   *
   * @param agoNanos at most a window
   */
  synchronized long settledMillis(long agoNanos) {
    Reached first = progress.peekFirst();
    if (first == null) {
      return Long.MIN_VALUE;
    }
    long thenNanos = nanoClock.getAsLong() - agoNanos;
    Reached known = null;
    for (Reached each : progress) {
      known = each.atNanos() - thenNanos <= 0 ? each : known;
    }
    return known != null
        ? known.publishedMillis()
        : Math.min(first.publishedMillis(), millisClock.getAsLong() - millis(agoNanos));
  }

  /** Called when a batch or a heartbeat arrived that names this stream, or no stream. */
  public synchronized void named() {
    ownNameSince = true;
  }

  /**
   * Called when a batch or a heartbeat arrived on this stream that names another stream.
   *
   * @param stated the name as the publisher wrote it, which may be anything
   */
  public synchronized void misnamed(String stated) {
    otherName = Topology.isStreamName(stated) ? stated : "a name that is no stream's";
    otherNameNanos = nanoClock.getAsLong();
    ownNameSince = false;
  }

  /**
   * Returns the name of another stream that batches or heartbeats here stated; null if none did.
   * The name is forgotten once nothing has come under it for a while, and either something came
   * under this stream's own name since, or no shim runs that would use that name.
   *
   * @param whileNanos how long nothing may have come under the other name
   * @param shimless whether no shim runs for this stream
   */
  synchronized @Nullable String otherName(long whileNanos, boolean shimless, long nowNanos) {
    if (otherName != null && (ownNameSince || shimless) && nowNanos - otherNameNanos > whileNanos) {
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
    ownNanos = nowNanos;
    beat = new Beat(seen, nowNanos, millisClock.getAsLong() - seen.publishedMillis());
    losses.seen(seen, millisClock.getAsLong());
  }

  /** Returns what is known here of the stream's last message and heartbeat, for other bridges. */
  @Override
  public synchronized List<BridgeNotes.Note> notes() {
    long nowNanos = nanoClock.getAsLong();
    List<BridgeNotes.Note> notes = new ArrayList<>();
    if (messageNanos != null) {
      String settled = settledMillis == null ? "" : settledMillis.toString();
      notes.add(new BridgeNotes.Note(stream + MESSAGE, settled, millis(nowNanos - messageNanos)));
    }
    if (beat != null) {
      String text = beat.delayMillis() + "\n" + new String(beat.heartbeat().encode(), UTF_8);
      notes.add(
          new BridgeNotes.Note(
              BridgeNotes.heartbeatOf(stream), text, millis(nowNanos - beat.nanos())));
    }
    return notes;
  }

  /** Adopts other bridges' observations that are newer than those of this bridge. */
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
          messageNanos = seenNanos;
        }
      } else if (note.subject().equals(BridgeNotes.heartbeatOf(stream))
          && (beat == null || seenNanos - beat.nanos() > 0)) {
        int line = note.text().indexOf('\n');
        Heartbeat seen = Heartbeat.decode(note.text().substring(line + 1).getBytes(UTF_8));
        if (line > 0 && seen != null) {
          beat = new Beat(seen, seenNanos, Long.parseLong(note.text().substring(0, line)));
          losses.seen(seen, millisClock.getAsLong());
        }
      }
    } catch (NumberFormatException e) {
      return; // a note of another version of the bridge
    }
  }

  /** Returns what the stream's node has lost before its shim. */
  public NodeLosses losses() {
    return losses;
  }

  synchronized int held() {
    return heldBatches;
  }

  /** Whether a message or a heartbeat of the stream has arrived at any bridge so far. */
  synchronized boolean seen() {
    return messageNanos != null || beat != null;
  }

  synchronized boolean ownSeen() {
    return ownNanos != null;
  }

  /**
   * Whether a message or a heartbeat arrived at this bridge in the last {@code nanos} nanoseconds.
   */
  synchronized boolean ownWithin(long nanos, long nowNanos) {
    return ownNanos != null && nowNanos - ownNanos <= nanos;
  }

  synchronized boolean messageWithin(long nanos, long nowNanos) {
    return messageNanos != null && nowNanos - messageNanos <= nanos;
  }

  /** Whether a message arrived at any bridge after the given monotonic time in nanoseconds. */
  synchronized boolean messageAfter(long nanos) {
    return messageNanos != null && messageNanos - nanos > 0;
  }

  /** Returns the latest heartbeat that arrived at any bridge; null if none has arrived. */
  synchronized @Nullable Beat beat() {
    return beat;
  }

  /**
   * Returns when the newest settled message was published, in milliseconds since the epoch; {@link
   * Long#MIN_VALUE} if none was settled.
   */
  synchronized long settledMillis() {
    return settledMillis == null ? Long.MIN_VALUE : settledMillis;
  }

  private static long millis(long nanos) {
    return Math.max(0, TimeUnit.NANOSECONDS.toMillis(nanos));
  }
}
