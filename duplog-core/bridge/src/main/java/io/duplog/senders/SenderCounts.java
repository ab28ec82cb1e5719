package io.duplog.senders;

import com.google.common.primitives.ImmutableLongArray;
import org.jspecify.annotations.Nullable;

/** What this bridge has seen of one sender and not handed over yet. Not safe for threads. */
final class SenderCounts {
  /** When the first of these messages came, by the store's clock, in milliseconds. */
  final long beganMillis;

  /** When the earliest of these messages was published; {@link Long#MAX_VALUE} if there is none. */
  long firstMillis = Long.MAX_VALUE;

  /**
   * When the earliest delivered message was published; {@link #lastDeliveredMillis} is for the
   * latest.
   */
  long firstDeliveredMillis = Long.MAX_VALUE;

  long lastDeliveredMillis;

  // What Totals has, counted without an object for each message.
  private long messages;
  private long bytes;
  private long longest;
  private long asLong;

  /** Number of messages that the sink has refused for good. */
  long refused;

  /** Number of copies that each stream brought. */
  final long[] copies;

  /** When the last copy of each stream was published, in milliseconds since the epoch. */
  final long[] lastMillis;

  /** The sender's own numbers of the delivered messages; null if there are none to count. */
  private ImmutableLongArray.@Nullable Builder numbers;

  private int numbersHeld;

  /**
   * Greatest of the sender's own numbers, if there is no room to hold them or messages may be
   * delivered twice; otherwise 0.
   */
  long uncountedNumber;

  /** What the header of the first delivered message says; null if none is delivered yet. */
  @Nullable Long aheadMillis;

  /** The host that this header names; empty if it names none. */
  String host = "";

  /** Whether the sender is not known, so that it takes a place of the inventory. */
  boolean newcomer;

  SenderCounts(int streams, long beganMillis, boolean newcomer) {
    this.beganMillis = beganMillis;
    this.newcomer = newcomer;
    this.copies = new long[streams];
    this.lastMillis = new long[streams];
  }

  /**
   * Counts a copy.
   *
   * @param kept whether the copy is delivered, and not a duplicate
   * @param numbered whether there is room for its number, and no other copy is delivered
   * @param start offset of the message
   * @param end offset after the message
   */
  void add(
      int stream,
      long publishedMillis,
      boolean kept,
      boolean numbered,
      byte[] data,
      int start,
      int end,
      Headers.Reader reader) {
    firstMillis = Math.min(firstMillis, publishedMillis);
    lastMillis[stream] = Math.max(lastMillis[stream], publishedMillis);
    copies[stream]++;
    if (kept) {
      firstDeliveredMillis = Math.min(firstDeliveredMillis, publishedMillis);
      lastDeliveredMillis = Math.max(lastDeliveredMillis, publishedMillis);
      messages++;
      int length = end - start;
      bytes += length;
      if (length > longest) {
        longest = length;
        asLong = 0;
      }
      asLong += length == longest ? 1 : 0;
      if (aheadMillis == null) {
        aheadMillis = reader.aheadMillis(data, start, end, publishedMillis);
        host = reader.host(data);
      }
      long number = reader.number(data, start, end);
      if (number > 0 && numbered && uncountedNumber == 0) {
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

  /** Returns what was delivered, and what the sink has refused for good. */
  Totals totals() {
    return new Totals(messages, bytes, refused, longest, asLong);
  }

  /** Returns how many numbers are held. */
  int numbersHeld() {
    return numbersHeld;
  }

  /** Returns the sender's own numbers of the delivered messages, as far as they are held. */
  ImmutableLongArray numbers() {
    return numbers == null ? ImmutableLongArray.of() : numbers.build();
  }
}
