package io.duplog.coverage;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import io.duplog.wire.MessageBatch;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A few kept messages of each stream. Those are chosen whose end, or whose beginning, has the
 * smallest hash. So different streams and different bridges choose the same messages, even if
 * something in them differs. Does nothing unless samples are wanted. Safe for any thread.
 */
final class Samples {
  private static final int EACH = 16;
  private static final int LONGEST = 1024;
  private static final int END = 24;
  private static final int BEGINNING = 64;
  private static final HashFunction HASH = Hashing.murmur3_128(7);

  /** Sampled messages of one stream, by the hash of the message's end and of its beginning. */
  private record Chosen(NavigableMap<Long, String> byEnd, NavigableMap<Long, String> byBeginning) {}

  private final List<Chosen> streams;
  private volatile boolean isSampling;

  Samples(int streams) {
    this.streams =
        Stream.generate(() -> new Chosen(new TreeMap<>(), new TreeMap<>())).limit(streams).toList();
  }

  /** Turns sampling on or off; turning it off discards all samples. */
  synchronized void take(boolean on) {
    isSampling = on;
    for (Chosen each : on ? List.<Chosen>of() : streams) {
      each.byEnd().clear();
      each.byBeginning().clear();
    }
  }

  void offer(MessageBatch batch, int stream, BitSet kept) {
    if (!isSampling) {
      return;
    }
    synchronized (this) {
      for (int i = kept.nextSetBit(0); i >= 0; i = kept.nextSetBit(i + 1)) {
        int start = batch.textStart(i);
        int end = batch.end(i);
        Chosen chosen = streams.get(stream);
        put(chosen.byEnd(), batch, i, Math.max(start, end - END), end);
        put(chosen.byBeginning(), batch, i, start, Math.min(end, start + BEGINNING));
      }
    }
  }

  /** Adds a message to the samples if the hash of the given bytes is among the smallest. */
  private static void put(
      NavigableMap<Long, String> chosen,
      MessageBatch batch,
      int message,
      int hashFrom,
      int hashTo) {
    long hash = HASH.hashBytes(batch.data(), hashFrom, hashTo - hashFrom).asLong();
    if (chosen.size() == EACH && hash >= chosen.lastKey()) {
      return;
    }
    int from = batch.start(message);
    int to = Math.min(batch.end(message), from + LONGEST);
    chosen.put(hash, new String(batch.data(), from, to - from, ISO_8859_1));
    if (chosen.size() > EACH) {
      chosen.pollLastEntry();
    }
  }

  /**
   * Returns the samples of one stream, senders included, as strings with a character for each byte.
   */
  synchronized List<String> of(int stream) {
    List<String> all = new ArrayList<>(streams.get(stream).byEnd().values());
    all.addAll(streams.get(stream).byBeginning().values());
    return all;
  }
}
