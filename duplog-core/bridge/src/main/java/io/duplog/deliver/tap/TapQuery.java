package io.duplog.deliver.tap;

import com.google.common.primitives.Ints;
import io.duplog.deliver.route.Glob;
import io.duplog.deliver.route.Network;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Selects the messages that a tap shows: those of certain senders, hosts or sourcetypes, or a
 * sample.
 *
 * @param network the sender's network, or null for any
 * @param name a pattern that must match the sender's address or the event's host, or null for any
 * @param sourcetype a pattern for the event's sourcetype, or null for any
 * @param sample shows one of this many matching messages, or null for all
 */
record TapQuery(
    @Nullable Network network,
    @Nullable Glob name,
    @Nullable Glob sourcetype,
    @Nullable Integer sample) {

  /** Texts that can only be an address or a network, so that a mistyped one is reported. */
  private static final String ADDRESS = "[0-9./]+|[^*?]*[:/][^*?]*";

  /**
   * Reads the conditions of a query.
   *
   * @param words conditions by name: {@code sender}, {@code sourcetype}, {@code sample}
   * @throws IllegalArgumentException whose message is a line for the reader of the tap
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
      throw new IllegalArgumentException("must be a number of at least 1, not '" + text + "'");
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

  /**
   * Whether to show a matching message.
   *
   * @param matching how many matched before it
   */
  boolean takes(long matching) {
    return sample == null || matching % sample == 0;
  }
}
