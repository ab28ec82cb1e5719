package io.duplog.deliver.route;

import io.duplog.deliver.route.RoutingConfig.Match;
import io.duplog.deliver.route.literal.RequiredText;
import io.duplog.deliver.route.literal.TextSearch;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds a message's metadata: by the first rule of which every condition holds, or else by the
 * defaults. Safe for any thread. It allocates only for a message whose sender's address is wanted,
 * or in which the text of a rule is found.
 *
 * <p>Few rules are tried on a message: those that its program may match, and those that want no
 * program. Of the latter the ones that want a certain text are tried only where {@link TextSearch}
 * has found it.
 */
final class Router {
  private static final RoutingConfig.Metadata NOTHING =
      new RoutingConfig.Metadata(null, null, null, null, Map.of());

  private static final int NAMES = 1 << 10;
  private static final int NONE = Integer.MAX_VALUE;

  /** A shorter text would be found too often, and slow the search down for all. */
  private static final int SHORTEST_TEXT = 4;

  private final List<RoutingConfig.Rule> rules;

  /** The defaults', then each rule's. */
  private final List<Route> routes = new ArrayList<>();

  private final boolean askForSender;

  /** Rules by the hash of a program that they name, and by the first byte of a pattern for it. */
  private final int[][] byName = new int[NAMES][];

  private final int[][] byFirst = new int[1 << Byte.SIZE][];

  /** Without a condition on the program: by a text that they want; all others. */
  private final int[] byText;

  private final int[] others;
  private final TextSearch search;

  Router(RoutingConfig.Defaults defaults, List<RoutingConfig.Rule> rules) {
    this.rules = rules;
    askForSender = rules.stream().anyMatch(rule -> !rule.match().sender().isEmpty());
    routes.add(Route.ofRule(0, NOTHING, defaults));
    for (RoutingConfig.Rule rule : rules) {
      routes.add(Route.ofRule(routes.size(), rule.set(), defaults));
    }
    byText = those(match -> match.program().isEmpty() && wantsText(match));
    others = those(match -> match.program().isEmpty() && !wantsText(match));
    search = new TextSearch(Arrays.stream(byText).mapToObj(this::required).toList());
    for (int i = 0; i < NAMES; i++) {
      int hash = i;
      byName[i] =
          those(
              match ->
                  match.program().stream()
                      .anyMatch(glob -> glob.isName() && hash(glob.pattern()) == hash));
    }
    for (int i = 0; i < byFirst.length; i++) {
      char first = (char) i;
      byFirst[i] =
          those(
              match ->
                  match.program().stream().anyMatch(glob -> !glob.isName() && glob.mayBegin(first)));
    }
  }

  private int[] those(Predicate<Match> which) {
    return IntStream.range(0, rules.size())
        .filter(i -> which.test(rules.get(i).match()))
        .toArray();
  }

  private static boolean wantsText(Match match) {
    return match.message() != null && match.message().required().shortest() >= SHORTEST_TEXT;
  }

  private RequiredText required(int rule) {
    return Objects.requireNonNull(rules.get(rule).match().message()).required();
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
    @Nullable Address sender = sender(data, start, textStart);
    int first = first(others, NONE, data, textStart, end, header, sender);
    int program = header.programStart();
    if (program < header.programEnd()) {
      int[] named = byName[hash(data, program, header.programEnd())];
      first = first(named, first, data, textStart, end, header, sender);
      int[] alike = byFirst[data[program] & 0xff];
      first = first(alike, first, data, textStart, end, header, sender);
    }
    if (byText.length > 0 && byText[0] < first) {
      long[] found = search.find(data, textStart, end);
      for (int i = 0; found != null && i < byText.length && byText[i] < first; i++) {
        if ((found[i / Long.SIZE] & 1L << i) != 0
            && holds(byText[i], data, textStart, end, header, sender)) {
          first = byText[i];
        }
      }
    }
    return routes.get(first == NONE ? 0 : first + 1);
  }

  /** All whose conditions hold, in their order, by the plain way: each rule is tried. */
  List<Route> matching(byte[] data, int start, int textStart, int end, SyslogHeader header) {
    @Nullable Address sender = sender(data, start, textStart);
    return IntStream.range(0, rules.size())
        .filter(i -> holds(i, data, textStart, end, header, sender))
        .mapToObj(i -> routes.get(i + 1))
        .toList();
  }

  private @Nullable Address sender(byte[] data, int start, int textStart) {
    return askForSender && textStart > start ? Address.parse(data, start, textStart - 1) : null;
  }

  /** The first of some that holds, if it stands before the one that was found so far. */
  private int first(
      int[] some,
      int before,
      byte[] data,
      int textStart,
      int end,
      SyslogHeader header,
      @Nullable Address sender) {
    for (int i = 0; i < some.length && some[i] < before; i++) {
      if (holds(some[i], data, textStart, end, header, sender)) {
        return some[i];
      }
    }
    return before;
  }

  private boolean holds(
      int rule,
      byte[] data,
      int textStart,
      int end,
      SyslogHeader header,
      @Nullable Address sender) {
    Match match = rules.get(rule).match();
    return holdsWithoutMessage(match, data, header, sender)
        && (match.message() == null || match.message().isFoundIn(data, textStart, end));
  }

  private static int hash(String program) {
    byte[] bytes = program.getBytes(StandardCharsets.US_ASCII);
    return hash(bytes, 0, bytes.length);
  }

  private static int hash(byte[] data, int start, int end) {
    int hash = 0;
    for (int i = start; i < end; i++) {
      hash = 31 * hash + data[i];
    }
    return (hash ^ hash >>> 10) & (NAMES - 1);
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
