package io.duplog.senders;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Finds senders by their address, network or host name, for {@code duplog senders} and the page.
 * Thread-safe.
 *
 * @param networks converts a network such as {@code 10.1.0.0/16} to a test for addresses, or throws
 *     an {@link IllegalArgumentException} whose message describes valid networks
 */
public record SenderSearch(SenderInventory senders, Function<String, Predicate<String>> networks) {

  /**
   * Returns a test for the addresses of matching senders. If a sender has exactly this address or
   * host name, only exact matches pass. The first label of a host name also counts as an exact
   * match. Otherwise, a part of an address or of a host name is enough.
   *
   * @throws IllegalArgumentException if the text is an invalid network
   */
  public Predicate<String> parse(String text) {
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
              for (String each : sender.record().headers().hosts()) {
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
