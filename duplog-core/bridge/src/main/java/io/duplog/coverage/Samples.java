package io.duplog.coverage;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import io.duplog.observe.JsonValue;
import io.duplog.wire.EventHead;
import io.duplog.wire.MessageBatch;
import io.duplog.wire.MessageForm;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a small sample of each stream's messages, to show how the messages of two streams differ.
 * It consists of the messages whose end or beginning has the smallest hashes. So different streams
 * and different bridges sample the same messages, even if these differ in parts. Takes no samples
 * unless enabled. Thread-safe.
 */
final class Samples {
  private static final int MAX_SAMPLES = 16;
  private static final int MAX_LENGTH = 4096;
  private static final int END_LENGTH = 24;
  private static final int BEGINNING_LENGTH = 64;
  private static final HashFunction HASH = Hashing.murmur3_128(7);

  /** A hash for each value of a byte. */
  private static final long[] BYTE_HASHES =
      LongStream.range(0, 256).map(value -> HASH.hashLong(value).asLong()).toArray();

  /**
   * One message.
   *
   * @param message the sender, a space and the text, with a character for each byte
   * @param event the metadata of an event, or null if the message is none
   * @param identity what decides whether two messages are the same: the identity of an event, or
   *     the message
   * @param json the text of an event as JSON's maps, lists and values, or null if it is none or was
   *     cut
   */
  record Sample(String message, @Nullable EventHead event, String identity, @Nullable Object json) {

    private static Sample of(MessageBatch batch, int i) {
      byte[] data = batch.data();
      int from = batch.start(i);
      int to = Math.min(batch.end(i), from + MAX_LENGTH);
      String message = new String(data, from, to - from, ISO_8859_1);
      if (batch.form() != MessageForm.EVENT) {
        return new Sample(message, null, message, null);
      }
      EventHead event = batch.eventHead(i);
      int text = batch.textStart(i);
      return new Sample(
          message,
          event,
          new String(data, batch.eventIdentityStart(i), EventHead.IDENTITY_BYTES, ISO_8859_1),
          event.content() == EventHead.Content.JSON
              ? json(new String(data, text, Math.max(0, to - text), UTF_8))
              : null);
    }

    /** Returns a text as JSON's maps, lists and values, or null if it is no JSON. */
    static @Nullable Object json(String text) {
      try {
        return JsonValue.parse(text).value();
      } catch (IOException e) {
        return null;
      }
    }

    /** Returns the message without its sender. */
    String text() {
      return message.substring(message.indexOf(' ') + 1);
    }
  }

  /**
   * Sampled messages of one stream, by three hashes: of the message's end, of its beginning, and of
   * all its bytes in any order. The last hash finds JSON events whose keys are in another order.
   */
  private record StreamSamples(
      NavigableMap<Long, Sample> byEnd,
      NavigableMap<Long, Sample> byBeginning,
      NavigableMap<Long, Sample> byBytes) {

    Stream<NavigableMap<Long, Sample>> all() {
      return Stream.of(byEnd, byBeginning, byBytes);
    }
  }

  private final List<StreamSamples> streams;
  private volatile boolean isSampling;

  Samples(int streams) {
    this.streams =
        Stream.generate(() -> new StreamSamples(new TreeMap<>(), new TreeMap<>(), new TreeMap<>()))
            .limit(streams)
            .toList();
  }

  /** Enables or disables sampling. Disabling it discards all samples. */
  synchronized void enable(boolean isEnabled) {
    isSampling = isEnabled;
    for (StreamSamples each : isEnabled ? List.<StreamSamples>of() : streams) {
      each.all().forEach(NavigableMap::clear);
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
        byte[] data = batch.data();
        put(samples.byEnd(), batch, i, hash(data, Math.max(start, end - END_LENGTH), end));
        put(
            samples.byBeginning(),
            batch,
            i,
            hash(data, start, Math.min(end, start + BEGINNING_LENGTH)));
        if (batch.form() == MessageForm.EVENT) {
          put(samples.byBytes(), batch, i, hashInAnyOrder(data, start, end));
        }
      }
    }
  }

  private static long hash(byte[] data, int from, int to) {
    return HASH.hashBytes(data, from, to - from).asLong();
  }

  private static long hashInAnyOrder(byte[] data, int from, int to) {
    long sum = 0;
    for (int i = from; i < to; i++) {
      sum += BYTE_HASHES[data[i] & 0xff];
    }
    return sum;
  }

  /** Adds a message to the samples if its hash is among the smallest. */
  private static void put(
      NavigableMap<Long, Sample> samples, MessageBatch batch, int message, long hash) {
    if (samples.size() == MAX_SAMPLES && hash >= samples.lastKey()) {
      return;
    }
    samples.put(hash, Sample.of(batch, message));
    if (samples.size() > MAX_SAMPLES) {
      samples.pollLastEntry();
    }
  }

  /** Returns the samples of one stream. */
  synchronized List<Sample> of(int stream) {
    return streams.get(stream).all().flatMap(samples -> samples.values().stream()).toList();
  }
}
