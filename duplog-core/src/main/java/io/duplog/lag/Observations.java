package io.duplog.lag;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.duplog.dedup.Board;
import io.duplog.wire.Heartbeat;
import io.duplog.wire.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** What was seen of one stream, here and by other bridges. Safe for any thread; its own lock. */
public final class Observations implements Board.Member {
  private static final String MESSAGE = " message";

  /**
   * The last heartbeat, at whichever bridge.
   *
   * @param nanos when it came
   * @param delayMillis how long after its publication, by both clocks
   */
  record Beat(Heartbeat heartbeat, long nanos, long delayMillis) {
    boolean within(long patienceNanos, long nowNanos) {
      return nowNanos - nanos <= patienceNanos;
    }
  }

  private final String stream;
  private final LongSupplier nanoClock;
  private final LongSupplier millisClock;

  /** Batches that this bridge was delivered and has not done with. */
  private int held;

  private @Nullable Long messageNanos;
  private @Nullable Long settledMillis;
  private @Nullable Long ownNanos;
  private @Nullable Beat beat;

  /**
   * Another stream's, which this bridge was brought here last; null where none was, or it ended.
   */
  private @Nullable String otherName;

  private long otherNameNanos;
  private boolean ownNameSince;

  Observations(String stream, LongSupplier nanoClock, LongSupplier millisClock) {
    this.stream = stream;
    this.nanoClock = nanoClock;
    this.millisClock = millisClock;
  }

  /** A batch was delivered, of which {@link #ended} will be told. */
  public synchronized void arrived() {
    long nowNanos = nanoClock.getAsLong();
    held++;
    ownNanos = nowNanos;
    messageNanos = nowNanos;
  }

  /** The bridge has done with a batch, whatever became of it. */
  public synchronized void ended() {
    held--;
  }

  /**
   * A batch was settled. No time of the future counts: it would hide the lag until then.
   *
   * @param publishedMillis in milliseconds since the epoch, by the node's clock
   */
  public synchronized void settled(long publishedMillis) {
    settledMillis = Math.max(settledMillis(), Math.min(publishedMillis, millisClock.getAsLong()));
  }

  /** Something came under this stream's name. */
  public synchronized void named() {
    ownNameSince = true;
  }

  /**
   * A batch came on this stream that says that it is of another.
   *
   * @param stated as the publisher wrote it, which may be anything
   */
  public synchronized void misnamed(String stated) {
    otherName = Topology.isStreamName(stated) ? stated : "a name that is no stream's";
    otherNameNanos = nanoClock.getAsLong();
    ownNameSince = false;
  }

  /**
   * The name of another stream that came here; null again once nothing has come under it for a
   * while, and something under this one's, or no shim runs that would use it.
   */
  synchronized @Nullable String otherName(long whileNanos, boolean shimless, long nowNanos) {
    if (otherName != null && (ownNameSince || shimless) && nowNanos - otherNameNanos > whileNanos) {
      otherName = null;
    }
    return otherName;
  }

  /** A heartbeat came on this stream. */
  public synchronized void beat(Heartbeat seen) {
    long nowNanos = nanoClock.getAsLong();
    if (seen.stream().equals(stream)) {
      named();
    } else {
      misnamed(seen.stream());
    }
    ownNanos = nowNanos;
    beat = new Beat(seen, nowNanos, millisClock.getAsLong() - seen.publishedMillis());
  }

  /** What other bridges may want to know. */
  @Override
  public synchronized List<Board.Note> notes() {
    long nowNanos = nanoClock.getAsLong();
    List<Board.Note> notes = new ArrayList<>();
    if (messageNanos != null) {
      String settled = settledMillis == null ? "" : settledMillis.toString();
      notes.add(new Board.Note(stream + MESSAGE, settled, millis(nowNanos - messageNanos)));
    }
    if (beat != null) {
      String text = beat.delayMillis() + "\n" + new String(beat.heartbeat().encode(), UTF_8);
      notes.add(new Board.Note(Board.heartbeatOf(stream), text, millis(nowNanos - beat.nanos())));
    }
    return notes;
  }

  /** Takes over what other bridges saw later than this one. */
  @Override
  public synchronized void read(List<Board.Note> all) {
    all.forEach(this::read);
  }

  private synchronized void read(Board.Note note) {
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
      } else if (note.subject().equals(Board.heartbeatOf(stream))
          && (beat == null || seenNanos - beat.nanos() > 0)) {
        int line = note.text().indexOf('\n');
        Heartbeat seen = Heartbeat.decode(note.text().substring(line + 1).getBytes(UTF_8));
        if (line > 0 && seen != null) {
          beat = new Beat(seen, seenNanos, Long.parseLong(note.text().substring(0, line)));
        }
      }
    } catch (NumberFormatException e) {
      return; // another version's note
    }
  }

  synchronized int held() {
    return held;
  }

  /** Whether anything came, to whichever bridge. */
  synchronized boolean seen() {
    return messageNanos != null || beat != null;
  }

  synchronized boolean ownSeen() {
    return ownNanos != null;
  }

  /** Whether a message or a heartbeat came to this bridge itself. */
  synchronized boolean ownWithin(long nanos, long nowNanos) {
    return ownNanos != null && nowNanos - ownNanos <= nanos;
  }

  synchronized boolean messageWithin(long nanos, long nowNanos) {
    return messageNanos != null && nowNanos - messageNanos <= nanos;
  }

  /** Whether a message came after this moment. */
  synchronized boolean messageAfter(long nanos) {
    return messageNanos != null && messageNanos - nanos > 0;
  }

  /** Null where none came. */
  synchronized @Nullable Beat beat() {
    return beat;
  }

  /** When the newest settled message was published; {@link Long#MIN_VALUE} where none was. */
  synchronized long settledMillis() {
    return settledMillis == null ? Long.MIN_VALUE : settledMillis;
  }

  private static long millis(long nanos) {
    return Math.max(0, TimeUnit.NANOSECONDS.toMillis(nanos));
  }
}
