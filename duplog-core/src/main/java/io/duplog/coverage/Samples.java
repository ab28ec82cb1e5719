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

/**
 * A few kept messages of each stream, chosen so that different streams, and different bridges,
 * choose the same ones although something in them differs: those whose end, or whose beginning, has
 * the smallest hash. Nothing is done while none are wanted. Safe for any thread.
 */
final class Samples {
  private static final int EACH = 16;
  private static final int LONGEST = 1024;
  private static final int END = 24;
  private static final int BEGINNING = 64;
  private static final HashFunction HASH = Hashing.murmur3_128(7);

  private final List<NavigableMap<Long, String>> byEnd = new ArrayList<>();
  private final List<NavigableMap<Long, String>> byBeginning = new ArrayList<>();
  private volatile boolean wanted;

  Samples(int streams) {
    for (int i = 0; i < streams; i++) {
      byEnd.add(new TreeMap<>());
      byBeginning.add(new TreeMap<>());
    }
  }

  /** Whether samples are to be taken from now on; those that there are go when they are not. */
  synchronized void take(boolean newWanted) {
    wanted = newWanted;
    if (!newWanted) {
      byEnd.forEach(NavigableMap::clear);
      byBeginning.forEach(NavigableMap::clear);
    }
  }

  void offer(MessageBatch batch, int stream, BitSet kept) {
    if (!wanted) {
      return;
    }
    synchronized (this) {
      for (int i = kept.nextSetBit(0); i >= 0; i = kept.nextSetBit(i + 1)) {
        int start = batch.textStart(i);
        int end = batch.end(i);
        int tail = Math.max(start, end - END);
        put(byEnd.get(stream), hash(batch, tail, end), batch, i);
        put(
            byBeginning.get(stream),
            hash(batch, start, Math.min(end, start + BEGINNING)),
            batch,
            i);
      }
    }
  }

  private static long hash(MessageBatch batch, int from, int to) {
    return HASH.hashBytes(batch.data(), from, to - from).asLong();
  }

  private static void put(
      NavigableMap<Long, String> chosen, long hash, MessageBatch batch, int message) {
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

  /** Those of one stream, senders included, with a character for each byte. */
  synchronized List<String> of(int stream) {
    List<String> all = new ArrayList<>(byEnd.get(stream).values());
    all.addAll(byBeginning.get(stream).values());
    return all;
  }
}
