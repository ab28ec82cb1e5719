package io.duplog.senders;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Finds the senders that an operator's text names: by address, by a part of it, by a network, or by
 * a host name that their messages carry. May be used from any thread.
 *
 * @param networks parses a network such as {@code 10.1.0.0/16} into a test for addresses; throws an
 *     {@link IllegalArgumentException} whose message says what is allowed
 */
public record SenderSearch(SenderInventory senders, Function<String, Predicate<String>> networks) {

  /**
   * Returns a test for addresses. If a sender has exactly this address or host name, only such
   * senders pass; a host's first label counts as its name, too. Otherwise a part of an address or
   * of a host name is enough.
   *
   * @throws IllegalArgumentException if the text is a network that is invalid
   */
  public Predicate<String> named(String text) {
    if (text.indexOf('/') >= 0) {
      return networks.apply(text);
    }
    String host = text.toLowerCase(Locale.ROOT);
    Set<String> exact = new HashSet<>();
    Set<String> similar = new HashSet<>();
    senders
        .report()
        .forEach(
            sender -> {
              if (sender.sender().equals(text)) {
                exact.add(text);
              }
              for (String each : sender.known().headers().hosts()) {
                String name = each.toLowerCase(Locale.ROOT);
                if (name.equals(host) || (!host.isEmpty() && name.startsWith(host + "."))) {
                  exact.add(sender.sender());
                } else if (name.contains(host)) {
                  similar.add(sender.sender());
                }
              }
            });
    return exact.isEmpty()
        ? address -> address.contains(text) || similar.contains(address)
        : exact::contains;
  }
}
