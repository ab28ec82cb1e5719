package io.duplog.deliver.route;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds a message's metadata: by the first rule of which every condition holds, or else by the
 * defaults. Safe for any thread. It allocates only for a message that a regular expression has to
 * look at.
 */
public final class Router {
  private final Conditions[] conditions;

  /** The defaults', then each rule's. */
  private final Route[] routes;

  private final boolean askForSender;

  public Router(RoutingConfig config) {
    List<Conditions> ofRules = new ArrayList<>();
    List<Route> found = new ArrayList<>();
    found.add(Route.ofDefaults(config.defaults()));
    for (RoutingConfig.Rule rule : config.rules()) {
      ofRules.add(new Conditions(rule.match()));
      found.add(Route.ofRule(found.size(), rule.set(), config.defaults()));
    }
    conditions = ofRules.toArray(new Conditions[0]);
    askForSender = ofRules.stream().anyMatch(Conditions::askForSender);
    routes = found.toArray(new Route[0]);
  }

  /**
   * Routes a message.
   *
   * @param start offset of the sender's address, which a space follows
   * @param textStart offset of the message as the sender wrote it; equal to {@code start} where the
   *     sender is not known
   * @param end offset behind it
   * @param header that has parsed this message, of this thread
   * @return always the same instance for the same rule
   */
  public Route route(byte[] data, int start, int textStart, int end, SyslogHeader header) {
    @Nullable Address sender = askForSender ? sender(data, start, textStart, header) : null;
    @Nullable String text = null;
    for (int i = 0; i < conditions.length; i++) {
      if (conditions[i].holdWithoutMessage(data, header, sender)) {
        MessagePattern pattern = conditions[i].message();
        if (pattern == null) {
          return routes[i + 1];
        }
        if (text == null) {
          // Not the bytes: where they are not UTF-8, RE2/J's reader of bytes skips good ones.
          text = new String(data, textStart, end - textStart, StandardCharsets.UTF_8);
        }
        if (pattern.isFoundIn(text)) {
          return routes[i + 1];
        }
      }
    }
    return routes[0];
  }

  private static @Nullable Address sender(
      byte[] data, int start, int textStart, SyslogHeader header) {
    Address address = header.scratchAddress();
    return textStart > start && address.parse(data, start, textStart - 1) ? address : null;
  }
}
