package io.duplog.lag;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.duplog.dedup.Board;
import io.duplog.wire.Heartbeat;
import io.duplog.wire.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What was seen of one stream, here and by other bridges. Safe for any thread; its own lock. */
final class Sightings {
  private static final String MESSAGE = " message";
  private static final String HEARTBEAT = " heartbeat";

  private final String stream;

  /** Batches that this bridge was delivered and has not done with. */
  private int held;

  private boolean messageSeen;
  private long messageNanos;
  private boolean settledAny;
  private long settledMillis;
  private @Nullable Heartbeat heartbeat;
  private long heartbeatNanos;
  private boolean ownSeen;
  private long ownNanos;
  private long heartbeatDelayMillis;

  /**
   * Another stream's, which this bridge was brought here last; null where none was, or it ended.
   */
  private @Nullable String otherName;

  private long otherNameNanos;
  private boolean ownNameSince;

  public Sightings(String stream) {
    this.stream = stream;
  }

  synchronized void arrived(long nowNanos) {
    held++;
    own(nowNanos);
    messageSeen = true;
    messageNanos = nowNanos;
  }

  /** Something came to this bridge itself. */
  private void own(long nowNanos) {
    ownSeen = true;
    ownNanos = nowNanos;
  }

  synchronized void ended() {
    held--;
  }

  /** No time of the future counts: it would hide the lag until then. */
  synchronized void settled(long publishedMillis, long nowMillis) {
    long published = Math.min(publishedMillis, nowMillis);
    settledMillis = settledAny ? Math.max(settledMillis, published) : published;
    settledAny = true;
  }

  /** Something came under this stream's name. */
  synchronized void named() {
    ownNameSince = true;
  }

  synchronized void misnamed(String stated, long nowNanos) {
    otherName = Topology.isStreamName(stated) ? stated : "a name that is no stream's";
    otherNameNanos = nowNanos;
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

  synchronized void beat(Heartbeat seen, long nowNanos, long nowMillis) {
    if (seen.stream().equals(stream)) {
      named();
    } else {
      misnamed(seen.stream(), nowNanos);
    }
    own(nowNanos);
    heartbeat = seen;
    heartbeatNanos = nowNanos;
    heartbeatDelayMillis = nowMillis - seen.publishedMillis();
  }

  /** What other bridges may want to know. */
  synchronized List<Board.Note> notes(long nowNanos) {
    List<Board.Note> notes = new ArrayList<>();
    if (messageSeen) {
      notes.add(
          new Board.Note(
              stream + MESSAGE,
              settledAny ? Long.toString(settledMillis) : "",
              millis(nowNanos - messageNanos)));
    }
    Heartbeat seen = heartbeat;
    if (seen != null) {
      notes.add(
          new Board.Note(
              stream + HEARTBEAT,
              heartbeatDelayMillis + "\n" + new String(seen.encode(), UTF_8),
              millis(nowNanos - heartbeatNanos)));
    }
    return notes;
  }

  /** Takes over what another bridge saw later than this one. */
  synchronized void read(Board.Note note, long nowNanos, long nowMillis) {
    long seenNanos = nowNanos - TimeUnit.MILLISECONDS.toNanos(Math.max(0, note.ageMillis()));
    try {
      if (note.subject().equals(stream + MESSAGE)) {
        if (!note.text().isEmpty()) {
          settled(Long.parseLong(note.text()), nowMillis);
        }
        if (!messageSeen || seenNanos - messageNanos > 0) {
          messageSeen = true;
          messageNanos = seenNanos;
        }
      } else if (note.subject().equals(stream + HEARTBEAT)
          && (heartbeat == null || seenNanos - heartbeatNanos > 0)) {
        int line = note.text().indexOf('\n');
        Heartbeat seen = Heartbeat.decode(note.text().substring(line + 1).getBytes(UTF_8));
        if (line > 0 && seen != null) {
          heartbeatDelayMillis = Long.parseLong(note.text().substring(0, line));
          heartbeat = seen;
          heartbeatNanos = seenNanos;
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
    return messageSeen || heartbeat != null;
  }

  synchronized boolean ownSeen() {
    return ownSeen;
  }

  /** Whether a message or a heartbeat came to this bridge itself. */
  synchronized boolean ownWithin(long nanos, long nowNanos) {
    return ownSeen && nowNanos - ownNanos <= nanos;
  }

  synchronized boolean messageWithin(long nanos, long nowNanos) {
    return messageSeen && nowNanos - messageNanos <= nanos;
  }

  /** Whether a message came after this moment. */
  synchronized boolean messageAfter(long nanos) {
    return messageSeen && messageNanos - nanos > 0;
  }

  synchronized boolean heartbeatWithin(long nanos, long nowNanos) {
    return heartbeat != null && nowNanos - heartbeatNanos <= nanos;
  }

  synchronized @Nullable Heartbeat heartbeat() {
    return heartbeat;
  }

  /** When the last one came; without any, nothing of meaning. */
  synchronized long heartbeatNanos() {
    return heartbeatNanos;
  }

  synchronized double heartbeatAgeSeconds(long nowNanos) {
    return heartbeat == null ? Double.NaN : Math.max(0, nowNanos - heartbeatNanos) / 1e9;
  }

  synchronized double heartbeatDelaySeconds() {
    return heartbeat == null ? Double.NaN : heartbeatDelayMillis / 1e3;
  }

  /** When the newest settled message was published; {@link Long#MIN_VALUE} where none was. */
  synchronized long settledMillis() {
    return settledAny ? settledMillis : Long.MIN_VALUE;
  }

  private static long millis(long nanos) {
    return Math.max(0, TimeUnit.NANOSECONDS.toMillis(nanos));
  }
}
