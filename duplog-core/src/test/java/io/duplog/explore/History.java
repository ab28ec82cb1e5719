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

  /** One batch. */
  record Batch(int stream, String messages) {}

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
