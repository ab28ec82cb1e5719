package io.duplog.deliver.tap;

import com.google.common.primitives.Ints;
import io.duplog.deliver.route.Glob;
import io.duplog.deliver.route.Network;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What somebody wants to see.
 *
 * @param network of the sender; null for any
 * @param name of the sender's address or of the event's host, whichever fits; null for any
 * @param sourcetype of the event; null for any
 * @param sample of the messages that match, each so manieth
 * @param seconds after which the tap ends
 */
record TapQuery(
    @Nullable Network network,
    @Nullable Glob name,
    @Nullable Glob sourcetype,
    int sample,
    int seconds) {
  static final int LONGEST_SECONDS = 900;

  private static final int MOST_SAMPLED = 1_000_000;
  private static final Set<String> WORDS =
      new TreeSet<>(Set.of("sender", "sourcetype", "sample", "seconds"));

  /** Words that can only be meant as an address, so that a wrong one is no name. */
  private static final String ADDRESS = "[0-9./]+|[^*?]*[:/][^*?]*";

  /**
   * Reads it.
   *
   * @throws IllegalArgumentException in a line for who asks
   */
  static TapQuery of(Map<String, String> words) {
    if (!WORDS.containsAll(words.keySet())) {
      throw new IllegalArgumentException("A tap has " + WORDS + ", and nothing else.");
    }
    boolean address = words.getOrDefault("sender", "").matches(ADDRESS);
    return new TapQuery(
        address ? read(words, "sender", Network::parse) : null,
        address ? null : read(words, "sender", Glob::parse),
        read(words, "sourcetype", Glob::parse),
        number(words, "sample", MOST_SAMPLED, 1),
        number(words, "seconds", LONGEST_SECONDS, LONGEST_SECONDS));
  }

  private static int number(Map<String, String> words, String word, int most, int otherwise) {
    Integer value =
        read(
            words,
            word,
            text -> {
              Integer number = Ints.tryParse(text);
              if (number == null || number < 1 || number > most) {
                throw new IllegalArgumentException("must be a number from 1 to " + most);
              }
              return number;
            });
    return value == null ? otherwise : value;
  }

  private static <T> @Nullable T read(
      Map<String, String> words, String word, Function<String, T> reader) {
    String text = words.get(word);
    try {
      return text == null ? null : reader.apply(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(word + " " + e.getMessage(), e);
    }
  }

  boolean matches(TappedMessage message) {
    return (network == null || network.contains(message.sender()))
        && (name == null || name.matches(message.sender()) || name.matches(message.host()))
        && (sourcetype == null || sourcetype.matches(message.sourcetype()));
  }
}
