package io.duplog.deliver.route;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The source of a Splunk event's host: a fixed name, the message's header or the sender's address.
 *
 * @param fixed the host itself, or null if each message decides
 * @param fromAddress whether the host is always the sender's address, whatever the message names
 * @param isShort whether the domain is removed from a name. An address stays unchanged.
 * @param lower whether ASCII capitals become lower-case letters
 */
public record HostChoice(
    @Nullable String fixed, boolean fromAddress, boolean isShort, boolean lower) {
  /** The host that the message names, or else the sender's address; unchanged. */
  static final HostChoice OF_MESSAGE = new HostChoice(null, false, false, false);

  private static final String FROM_MESSAGE = "from-message";
  private static final String FROM_ADDRESS = "from-address";
  private static final String SHORT = "short";
  private static final String LOWER = "lower";
  private static final String ALLOWED =
      "must be a name without spaces, or from-message or from-address, followed by short or lower";

  /** Texts that are probably a mistake and not a host name. */
  private static final Pattern MISTAKE = Pattern.compile("(?is)|from[-_].*|short|lower|.*\\s.*");

  /**
   * Reads a choice such as {@code web-1} or {@code from-message short lower}.
   *
   * @throws IllegalArgumentException with a message that says what is allowed
   */
  public static HostChoice parse(String text) {
    List<String> words = List.of(text.split(" ", -1));
    String source = words.get(0);
    if (!source.equals(FROM_MESSAGE) && !source.equals(FROM_ADDRESS)) {
      if (MISTAKE.matcher(text).matches()) {
        throw new IllegalArgumentException(ALLOWED);
      }
      return new HostChoice(text, false, false, false);
    }
    Set<String> changes = new HashSet<>(words.subList(1, words.size()));
    boolean isShort = changes.remove(SHORT);
    boolean lower = changes.remove(LOWER);
    if (!changes.isEmpty()) {
      throw new IllegalArgumentException(ALLOWED);
    }
    return new HostChoice(null, source.equals(FROM_ADDRESS), isShort, lower);
  }
}
