package io.duplog.explore;

import java.util.ArrayList;
import java.util.List;

/**
 * What the streams receive: batches of messages, each message one letter.
 *
 * @param initial how many of the streams are merged in the beginning: the first ones
 * @param streams how many there are
 * @param batches in the order of their publication
 */
record History(String name, int initial, int streams, List<Batch> batches) {

  /**
   * One batch.
   *
   * @param phase after how many changes of the streams it is published
   */
  record Batch(int stream, String messages, int phase) {}

  /** From a text such as {@code "0:m 1:mq"}. */
  static History of(String name, int streams, String text) {
    return of(name, streams, streams, text);
  }

  /** From a text such as {@code "0:m | 1:mq"}: what stands behind the bar comes after a change. */
  static History of(String name, int initial, int streams, String text) {
    List<Batch> batches = new ArrayList<>();
    int phase = 0;
    for (String part : text.split(" ")) {
      if (part.equals("|")) {
        phase++;
      } else {
        batches.add(new Batch(part.charAt(0) - '0', part.substring(2), phase));
      }
    }
    return new History(name, initial, streams, batches);
  }

  /** How often a message was published on a stream. */
  int published(int stream, char message, int lastPhase) {
    return (int)
        batches.stream()
            .filter(batch -> batch.stream() == stream && batch.phase() <= lastPhase)
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

  /** Those streams that come later are named so that bridges have them before the others. */
  String nameOf(int stream) {
    return (stream < initial ? "s" : "a") + stream;
  }

  /** The streams in a bridge's own order, all of them or those of the beginning. */
  List<String> names(boolean all) {
    List<String> names = new ArrayList<>();
    for (int stream = 0; stream < (all ? streams : initial); stream++) {
      names.add(nameOf(stream));
    }
    names.sort(null);
    return List.copyOf(names);
  }
}
