package io.duplog.explore;

import io.duplog.deliver.DeliveryRequests;
import io.duplog.wire.MessageBatch;
import java.util.Collections;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The messages that the streams receive in one test that tries every order of events; each message
 * is one letter.
 */
@SuppressWarnings("ImmutableEnumChecker") // the lists are never changed
enum History {
  AB(2, "0:m 1:m"),
  ABB(2, "0:m 1:m 1:m"),
  AAB(2, "0:m 0:m 1:mm"),
  MIXED(2, "0:mq 1:qm"),

  /** History in which one batch is dropped because of two others. */
  SPLIT(2, "0:m 0:q 1:mq"),

  /**
   * History whose second batch has a message of its own to keep, and may therefore be delivered
   * late.
   */
  LATE(2, "0:m 1:mn"),

  /**
   * History for a ledger in two parts: the first part counts the pair, the second the last batch.
   */
  PARTED(2, "0:m 1:m 1:q"),
  THREE(3, "0:m 1:m 2:m"),

  /** History in which one stream has a message once more than both others. */
  THREE_UNEVEN(3, "0:mm 1:m 2:m"),

  /** History in which each sender logged the message twice. */
  THREE_TWICE(3, "0:mm 1:mm 2:mm");

  record Batch(int stream, String messages, MessageBatch encoded) {
    Batch(int stream, String messages) {
      this(stream, messages, DeliveryRequests.batch(false, messages.split("")));
    }

    /**
     * Returns the part that counts the batch, if the ledger has two; equal messages are in one
     * part.
     */
    int part() {
      return messages.startsWith("q") ? 1 : 0;
    }
  }

  /** Number of streams. */
  final int streams;

  /** Batches in the order of their publication. */
  final List<Batch> batches;

  /** Distinct messages of all batches. */
  final List<Character> messages;

  History(int streams, String text) {
    this.streams = streams;
    this.batches =
        Stream.of(text.split(" "))
            .map(part -> new Batch(part.charAt(0) - '0', part.substring(2)))
            .toList();
    this.messages =
        batches.stream()
            .flatMapToInt(batch -> batch.messages().chars())
            .distinct()
            .mapToObj(each -> (char) each)
            .toList();
  }

  /**
   * Returns how often a message is in those of a stream's batches whose indexes the predicate
   * takes.
   */
  int count(int stream, char message, IntPredicate some) {
    return (int)
        IntStream.range(0, batches.size())
            .filter(some)
            .mapToObj(batches::get)
            .filter(batch -> batch.stream() == stream)
            .flatMapToInt(batch -> batch.messages().chars())
            .filter(each -> each == message)
            .count();
  }

  /** Whether one of the two hosts that may be lost has more of a message than every other host. */
  boolean isFullestOnOneHost() {
    return messages.stream()
        .anyMatch(
            message -> {
              List<Integer> counts =
                  IntStream.range(0, streams)
                      .mapToObj(stream -> count(stream, message, all -> true))
                      .toList();
              int most = Collections.max(counts);
              return Collections.frequency(counts, most) == 1 && counts.indexOf(most) < 2;
            });
  }
}
