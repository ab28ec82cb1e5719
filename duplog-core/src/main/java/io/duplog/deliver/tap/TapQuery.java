package io.duplog.deliver.tap;

import com.google.common.primitives.Ints;
import io.duplog.deliver.route.Glob;
import io.duplog.deliver.route.Network;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What somebody wants to see.
 *
 * @param network of the sender; null for any
 * @param name of the sender's address or of the event's host, whichever fits; null for any
 * @param sourcetype of the event; null for any
 * @param sample of the messages that match, each so manieth; null for all
 */
record TapQuery(
    @Nullable Network network,
    @Nullable Glob name,
    @Nullable Glob sourcetype,
    @Nullable Integer sample) {

  /** What can only be meant as an address, so that a wrong one is no name. */
  private static final String ADDRESS = "[0-9./]+|[^*?]*[:/][^*?]*";

  /**
   * Reads it.
   *
   * @throws IllegalArgumentException in a line for who asks
   */
  static TapQuery of(Map<String, String> words) {
    boolean address = words.getOrDefault("sender", "").matches(ADDRESS);
    return new TapQuery(
        address ? read(words, "sender", Network::parse) : null,
        address ? null : read(words, "sender", Glob::parse),
        read(words, "sourcetype", Glob::parse),
        read(words, "sample", TapQuery::count));
  }

  private static Integer count(String text) {
    Integer count = Ints.tryParse(text);
    if (count == null || count < 1) {
      throw new IllegalArgumentException("must be a number from 1 on, not '" + text + "'");
    }
    return count;
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
    return (network == null || network.contains(message.sender))
        && (name == null || name.matches(message.sender) || name.matches(message.host))
        && (sourcetype == null || sourcetype.matches(message.sourcetype()));
  }

  /** Whether to show one that matches, after so many. */
  boolean takes(long matching) {
    return sample == null || matching % sample == 0;
  }
}
