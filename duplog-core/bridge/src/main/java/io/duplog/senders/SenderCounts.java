package io.duplog.senders;

import com.google.common.primitives.ImmutableLongArray;
import io.duplog.wire.MessageBatch;
import org.jspecify.annotations.Nullable;

/**
 * Counts one sender's messages in this bridge until they are added to the record that all bridges
 * share. Not thread-safe.
 */
final class SenderCounts {
  /** When the first of these messages arrived, by the store's clock, in milliseconds. */
  final long firstArrivalMillis;

  /**
   * When the earliest of these messages was published, or {@link Long#MAX_VALUE} if there is none.
   */
  long firstMillis = Long.MAX_VALUE;

  /**
   * When the earliest delivered message was published; see {@link #lastDeliveredMillis} for the
   * latest one.
   */
  long firstDeliveredMillis = Long.MAX_VALUE;

  long lastDeliveredMillis;

  // The values of Totals, counted without an object for each message.
  private long messages;
  private long bytes;
  private long longest;
  private long equallyLong;

  /** Number of messages that the sink has permanently refused. */
  long refused;

  /** Number of copies that arrived on each stream. */
  final long[] copies;

  /** When the last copy of each stream was published, in milliseconds since the epoch. */
  final long[] lastMillis;

  /**
   * The sender's own numbers of the delivered messages, or null if there are no numbers to count.
   */
  private ImmutableLongArray.@Nullable Builder numbers;

  private int numbersHeld;

  /**
   * Greatest of the sender's own numbers if they can't be counted, otherwise 0. Numbers can't be
   * counted if there is no room for them or if messages may be delivered twice.
   */
  long uncountedNumber;

  /**
   * Result of reading the first delivered message's header, or null if none has been delivered yet.
   */
  @Nullable Long aheadMillis;

  /** Host name in this header, or empty if it has none. */
  String host = "";

  /** Whether the sender is not in the inventory yet. */
  boolean isNewSender;

  SenderCounts(int streams, long firstArrivalMillis, boolean isNewSender) {
    this.firstArrivalMillis = firstArrivalMillis;
    this.isNewSender = isNewSender;
    this.copies = new long[streams];
    this.lastMillis = new long[streams];
  }

  /**
   * Counts a copy.
   *
   * @param isDelivered whether the copy is delivered, because it is not a duplicate
   * @param isNumberCounted whether there is room for its number and no other copy of the message is
   *     delivered
   */
  void add(
      int stream,
      long publishedMillis,
      boolean isDelivered,
      boolean isNumberCounted,
      MessageBatch batch,
      int message,
      Headers.Reader reader) {
    firstMillis = Math.min(firstMillis, publishedMillis);
    lastMillis[stream] = Math.max(lastMillis[stream], publishedMillis);
    copies[stream]++;
    if (isDelivered) {
      firstDeliveredMillis = Math.min(firstDeliveredMillis, publishedMillis);
      lastDeliveredMillis = Math.max(lastDeliveredMillis, publishedMillis);
      messages++;
      int start = batch.textStart(message);
      int end = batch.end(message);
      int length = end - start;
      bytes += length;
      if (length > longest) {
        longest = length;
        equallyLong = 0;
      }
      equallyLong += length == longest ? 1 : 0;
      if (messages == 1) {
        aheadMillis = reader.aheadMillis(batch, message, publishedMillis);
        host = reader.host();
      }
      long number = reader.number(batch.data(), start, end);
      if (number > 0 && isNumberCounted && uncountedNumber == 0) {
        numbers = numbers == null ? ImmutableLongArray.builder() : numbers;
        numbers.add(number);
        numbersHeld++;
      } else if (number > 0) {
        long greatest = numbers().stream().max().orElse(0);
        uncountedNumber = Math.max(Math.max(uncountedNumber, number), greatest);
        numbers = null;
        numbersHeld = 0;
      }
    }
  }

  /** Returns the totals of the delivered and of the permanently refused messages. */
  Totals totals() {
    return new Totals(messages, bytes, refused, longest, equallyLong);
  }

  /** Returns the count of the numbers that are held. */
  int numbersHeld() {
    return numbersHeld;
  }

  /** Returns the held ones of the sender's own numbers of the delivered messages. */
  ImmutableLongArray numbers() {
    return numbers == null ? ImmutableLongArray.of() : numbers.build();
  }
}
