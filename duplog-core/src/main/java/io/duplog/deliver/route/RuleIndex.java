package io.duplog.deliver.route;

import io.duplog.deliver.route.RoutingConfig.Match;
import io.duplog.deliver.route.literal.RequiredText;
import io.duplog.deliver.route.literal.TextSearch;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Rules, so ordered that few have to be tried on a message: those that its program may match, and
 * those that want no program. Of the latter, the ones that want a certain text are tried only where
 * one search for all texts has found it. Rules are told by their indexes, in ascending order.
 * Immutable; safe for any thread.
 */
final class RuleIndex {
  private static final RoutingConfig.Metadata NOTHING =
      new RoutingConfig.Metadata(null, null, null, null, Map.of());

  private static final int NAMES = 1 << 10;

  /** The search goes in steps of the shortest text: a shorter one slows it down for all. */
  private static final int SHORTEST_TEXT = 6;

  private final List<RoutingConfig.Rule> rules;

  /** The defaults', then each rule's. */
  private final List<Route> routes = new ArrayList<>();

  /**
   * Of those that name a program, by its hash; of those with a pattern for it, by its first byte.
   */
  private final int[][] named = new int[NAMES][];

  private final int[][] alike = new int[1 << Byte.SIZE][];
  private final int[] byText;
  private final int[] others;
  private final TextSearch search;
  private final boolean asksForSender;

  RuleIndex(RoutingConfig.Defaults defaults, List<RoutingConfig.Rule> rules) {
    this.rules = List.copyOf(rules);
    routes.add(Route.ofRule(0, NOTHING, defaults));
    for (RoutingConfig.Rule rule : rules) {
      routes.add(Route.ofRule(routes.size(), rule.set(), defaults));
    }
    asksForSender = rules.stream().anyMatch(rule -> !rule.match().sender().isEmpty());
    byText = those(match -> match.program().isEmpty() && isSearched(match));
    others = those(match -> match.program().isEmpty() && !isSearched(match));
    search = new TextSearch(rules.stream().map(rule -> searched(rule.match())).toList());
    for (int i = 0; i < NAMES; i++) {
      int hash = i;
      named[i] = ofProgram(glob -> glob.isName() && hash(glob.pattern()) == hash);
    }
    for (int i = 0; i < alike.length; i++) {
      char first = (char) i;
      alike[i] = ofProgram(glob -> !glob.isName() && glob.mayBegin(first));
    }
  }

  private int[] ofProgram(Predicate<Glob> which) {
    return those(match -> match.program().stream().anyMatch(which));
  }

  private int[] those(Predicate<Match> which) {
    return IntStream.range(0, rules.size()).filter(i -> which.test(match(i))).toArray();
  }

  private static boolean isSearched(Match match) {
    return !searched(match).texts().isEmpty();
  }

  private static RequiredText searched(Match match) {
    MessagePattern message = match.message();
    return message != null && message.required().shortest() >= SHORTEST_TEXT
        ? message.required()
        : RequiredText.UNKNOWN;
  }

  int size() {
    return rules.size();
  }

  List<RoutingConfig.Rule> rules() {
    return rules;
  }

  Match match(int rule) {
    return rules.get(rule).match();
  }

  /**
   * @param rule -1 for the defaults
   */
  Route route(int rule) {
    return routes.get(rule + 1);
  }

  boolean asksForSender() {
    return asksForSender;
  }

  /** Whether it wants a text for which the search looks. */
  boolean isSearched(int rule) {
    return isSearched(match(rule));
  }

  TextSearch search() {
    return search;
  }

  /** Those that want no program but a text of the search. */
  int[] byText() {
    return byText;
  }

  /** Those that want neither. */
  int[] others() {
    return others;
  }

  /** Those that may name the program; a few more. */
  int[] named(byte[] data, int start, int end) {
    return named[hash(data, start, end)];
  }

  /** Those that may have a pattern like it. */
  int[] alike(byte first) {
    return alike[first & 0xff];
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
}
