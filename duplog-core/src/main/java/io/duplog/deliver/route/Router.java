package io.duplog.deliver.route;

import io.duplog.deliver.route.RoutingConfig.Match;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds a message's metadata: by the first rule of which every condition holds, or else by the
 * defaults. Safe for any thread. It allocates only for a message whose sender's address is wanted,
 * or that a regular expression has to look at.
 */
final class Router {
  private static final RoutingConfig.Metadata NOTHING =
      new RoutingConfig.Metadata(null, null, null, null, Map.of());

  private final List<RoutingConfig.Rule> rules;

  /** The defaults', then each rule's. */
  private final List<Route> routes = new ArrayList<>();

  private final boolean askForSender;

  Router(RoutingConfig config) {
    rules = config.rules();
    askForSender = rules.stream().anyMatch(rule -> !rule.match().sender().isEmpty());
    routes.add(Route.ofRule(0, NOTHING, config.defaults()));
    for (RoutingConfig.Rule rule : rules) {
      routes.add(Route.ofRule(routes.size(), rule.set(), config.defaults()));
    }
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
  Route route(byte[] data, int start, int textStart, int end, SyslogHeader header) {
    @Nullable Address sender =
        askForSender && textStart > start ? Address.parse(data, start, textStart - 1) : null;
    @Nullable String text = null;
    for (int i = 0; i < rules.size(); i++) {
      Match match = rules.get(i).match();
      if (holdsWithoutMessage(match, data, header, sender)) {
        MessagePattern pattern = match.message();
        if (pattern == null) {
          return routes.get(i + 1);
        }
        if (text == null) {
          // Not the bytes: where they are not UTF-8, RE2/J's reader of bytes skips good ones.
          text = new String(data, textStart, end - textStart, StandardCharsets.UTF_8);
        }
        if (pattern.isFoundIn(text)) {
          return routes.get(i + 1);
        }
      }
    }
    return routes.get(0);
  }

  /** Whether all conditions hold but for that on the message; in the order of what they cost. */
  private static boolean holdsWithoutMessage(
      Match match, byte[] data, SyslogHeader header, @Nullable Address sender) {
    int facility = header.facility();
    return (match.facility().isEmpty()
            || (facility >= 0 && match.facility().contains(Facility.of(facility))))
        && (match.severity() == null || match.severity().contain(header.severity()))
        && isLikeOne(match.program(), data, header.programStart(), header.programEnd(), false)
        && isLikeOne(match.host(), data, header.hostStart(), header.hostEnd(), true)
        && (match.sender().isEmpty() || (sender != null && isInOne(match.sender(), sender)));
  }

  /** Nothing is not even like *. */
  private static boolean isLikeOne(
      List<Glob> globs, byte[] data, int start, int end, boolean ignoreCase) {
    boolean found = globs.isEmpty();
    for (int i = 0; i < globs.size() && start < end && !found; i++) {
      found = globs.get(i).matches(data, start, end, ignoreCase);
    }
    return found;
  }

  private static boolean isInOne(List<Network> networks, Address address) {
    boolean found = false;
    for (int i = 0; i < networks.size() && !found; i++) {
      found = networks.get(i).contains(address);
    }
    return found;
  }
}
