package io.duplog.explore;

import java.util.Arrays;
import java.util.List;

/**
 * What the streams receive: batches of messages, each message one letter.
 *
 * @param streams how many
 * @param batches in the order of their publication
 */
record History(String name, int streams, List<Batch> batches) {
  static final History AB = of("AB", 2, "0:m 1:m");
  static final History ABB = of("ABB", 2, "0:m 1:m 1:m");
  static final History AAB = of("AAB", 2, "0:m 0:m 1:mm");
  static final History MIXED = of("MIXED", 2, "0:mq 1:qm");

  /** The second batch keeps something of its own, and so may be delivered late. */
  static final History LATE = of("LATE", 2, "0:m 1:mn");

  /** Of a ledger in two parts: the pair is the first one's, and the last is the second one's. */
  static final History PARTED = of("PARTED", 2, "0:m 1:m 1:q");

  static final History THREE = of("THREE", 3, "0:m 1:m 2:m");

  /** A stream that has seen a message once more than both others. */
  static final History THREE_UNEVEN = of("THREE_UNEVEN", 3, "0:mm 1:m 2:m");

  /** What each sender logged twice. */
  static final History THREE_TWICE = of("THREE_TWICE", 3, "0:mm 1:mm 2:mm");

  /** One batch. */
  record Batch(int stream, String messages) {
    /** Whose ledger counts it where there are two: messages that are the same are in one part. */
    int part() {
      return messages.startsWith("q") ? 1 : 0;
    }
  }

  /** From a text such as {@code "0:m 1:mq"}. */
  static History of(String name, int streams, String text) {
    return new History(
        name,
        streams,
        Arrays.stream(text.split(" "))
            .map(part -> new Batch(part.charAt(0) - '0', part.substring(2)))
            .toList());
  }

  /** How often a message was published on a stream. */
  int published(int stream, char message) {
    return (int)
        batches.stream()
            .filter(batch -> batch.stream() == stream)
            .flatMapToInt(batch -> batch.messages().chars())
            .filter(each -> each == message)
            .count();
  }

  /** The distinct messages. */
  List<Character> messages() {
    return batches.stream()
        .flatMapToInt(batch -> batch.messages().chars())
        .distinct()
        .mapToObj(each -> (char) each)
        .toList();
  }
}
