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
 * Keeps a small sample of each stream's messages, to show how the messages of two streams differ.
 * It consists of the messages whose end or beginning has the smallest hashes. So different streams
 * and different bridges sample the same messages, even if these differ in parts. Takes no samples
 * unless enabled. Thread-safe.
 */
final class Samples {
  private static final int MAX_SAMPLES = 16;
  private static final int MAX_LENGTH = 1024;
  private static final int END_LENGTH = 24;
  private static final int BEGINNING_LENGTH = 64;
  private static final HashFunction HASH = Hashing.murmur3_128(7);

  /** Sampled messages of one stream, by the hash of the message's end and of its beginning. */
  private record StreamSamples(
      NavigableMap<Long, String> byEnd, NavigableMap<Long, String> byBeginning) {}

  private final List<StreamSamples> streams;
  private volatile boolean isSampling;

  Samples(int streams) {
    this.streams =
        Stream.generate(() -> new StreamSamples(new TreeMap<>(), new TreeMap<>()))
            .limit(streams)
            .toList();
  }

  /** Enables or disables sampling. Disabling it discards all samples. */
  synchronized void enable(boolean isEnabled) {
    isSampling = isEnabled;
    for (StreamSamples each : isEnabled ? List.<StreamSamples>of() : streams) {
      each.byEnd().clear();
      each.byBeginning().clear();
    }
  }

  void offer(MessageBatch batch, int stream, BitSet delivered) {
    if (!isSampling) {
      return;
    }
    synchronized (this) {
      for (int i = delivered.nextSetBit(0); i >= 0; i = delivered.nextSetBit(i + 1)) {
        int start = batch.textStart(i);
        int end = batch.end(i);
        StreamSamples samples = streams.get(stream);
        put(samples.byEnd(), batch, i, Math.max(start, end - END_LENGTH), end);
        put(samples.byBeginning(), batch, i, start, Math.min(end, start + BEGINNING_LENGTH));
      }
    }
  }

  /** Adds a message to the samples if the hash of the given bytes is among the smallest. */
  private static void put(
      NavigableMap<Long, String> samples,
      MessageBatch batch,
      int message,
      int hashFrom,
      int hashTo) {
    long hash = HASH.hashBytes(batch.data(), hashFrom, hashTo - hashFrom).asLong();
    if (samples.size() == MAX_SAMPLES && hash >= samples.lastKey()) {
      return;
    }
    int from = batch.start(message);
    int to = Math.min(batch.end(message), from + MAX_LENGTH);
    samples.put(hash, new String(batch.data(), from, to - from, ISO_8859_1));
    if (samples.size() > MAX_SAMPLES) {
      samples.pollLastEntry();
    }
  }

  /**
   * Returns the samples of one stream, including their senders, as strings with a character for
   * each byte.
   */
  synchronized List<String> of(int stream) {
    List<String> all = new ArrayList<>(streams.get(stream).byEnd().values());
    all.addAll(streams.get(stream).byBeginning().values());
    return all;
  }
}
