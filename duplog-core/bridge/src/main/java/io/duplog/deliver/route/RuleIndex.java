package io.duplog.deliver.route;

import io.duplog.deliver.route.RoutingConfig.Match;
import io.duplog.deliver.route.literal.RequiredText;
import io.duplog.deliver.route.literal.TextSearch;
import io.duplog.wire.EventHead;
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
 * Selects the few routing rules that may apply to a message: those that its program may match, and
 * those that test no program. Of the latter, rules that require a text are tested only if one
 * search for all texts has found it. A rule is identified by its index. Arrays are in ascending
 * order. Immutable; thread-safe.
 */
final class RuleIndex {
  private static final RoutingConfig.Metadata NOTHING =
      new RoutingConfig.Metadata(null, null, null, null, Map.of(), null);

  private static final int NAMES = 1 << 10;

  /** Bits that a name's first byte and its second byte have in {@link #pair}, five each. */
  private static final int FIRST = 0x1f << 5;

  private static final int SECOND = 0x1f;

  /** Minimum length in characters of a required text for which {@link TextSearch} is used. */
  private static final int MIN_TEXT_LENGTH = 6;

  /**
   * A rule that may match.
   *
   * @param rule index of the rule
   * @param program pattern that the program must still match, or null if any program will do
   * @param hasOtherConditions whether the rule has conditions other than those on program and text
   */
  record Candidate(int rule, Match match, @Nullable Glob program, boolean hasOtherConditions) {}

  /**
   * Rules that may match whatever the program is.
   *
   * @param byText the rules that require a text
   * @param search finds out which of those texts a message has
   * @param others all other rules
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Candidates(Candidate[] byText, TextSearch search, Candidate[] others) {}

  private final RoutingConfig.Defaults defaults;
  private final List<RoutingConfig.Rule> rules;
  private final Predicate<RoutingConfig.Rule> purpose;

  /** Routes in order: first that of the defaults, then one for each rule. */
  private final List<Route> routes = new ArrayList<>();

  /**
   * Rules that name a program, by the name's hash; {@link #alike} has those with a pattern, by the
   * first two bytes that it may match.
   */
  private final Candidate[][] candidatesByName = new Candidate[NAMES][];

  private final Candidate[][] alike = new Candidate[NAMES][];
  private final Candidates ofAnyProgram;
  private final Candidates withoutProgram;
  private final boolean asksForSender;

  /**
   * @param rules all rules, which give each its number
   * @param purpose whether a rule can apply; the others are never found
   */
  RuleIndex(
      RoutingConfig.Defaults defaults,
      List<RoutingConfig.Rule> rules,
      Predicate<RoutingConfig.Rule> purpose) {
    this.defaults = defaults;
    this.rules = List.copyOf(rules);
    this.purpose = purpose;
    routes.add(Route.ofRule(0, NOTHING, defaults));
    for (RoutingConfig.Rule rule : rules) {
      routes.add(Route.ofRule(routes.size(), metadata(rule), defaults));
    }
    // A rule of another purpose may be asked one by one, after this index.
    asksForSender = rules.stream().anyMatch(rule -> !rule.match().sender().isEmpty());
    ofAnyProgram = candidates(match -> match.program().isEmpty());
    withoutProgram =
        candidates(
            match ->
                match.program().isEmpty() || match.program().stream().anyMatch(Glob::isNothing));
    for (int i = 0; i < NAMES; i++) {
      int hash = i;
      candidatesByName[i] = ofProgram(glob -> glob.isName() && hash(glob.pattern()) == hash);
      alike[i] = ofProgram(glob -> !glob.isName() && mayBegin(glob.pattern(), hash));
    }
  }

  private Candidates candidates(Predicate<Match> which) {
    Candidate[] byText = those(which.and(RuleIndex::wantsText));
    List<RequiredText> texts =
        Arrays.stream(byText)
            .map(each -> Objects.requireNonNull(each.match.message()).required())
            .toList();
    Candidate[] others = those(which.and(match -> !wantsText(match)));
    return new Candidates(byText, new TextSearch(texts), others);
  }

  private Candidate[] those(Predicate<Match> which) {
    return IntStream.range(0, rules.size())
        .filter(i -> canApply(i) && which.test(match(i)))
        .mapToObj(i -> candidate(i, null))
        .toArray(Candidate[]::new);
  }

  private Candidate[] ofProgram(Predicate<Glob> which) {
    return IntStream.range(0, rules.size())
        .filter(this::canApply)
        .boxed()
        .flatMap(i -> match(i).program().stream().filter(which).map(glob -> candidate(i, glob)))
        .toArray(Candidate[]::new);
  }

  /** Whether the rule has the purpose of this index. */
  boolean canApply(int rule) {
    return purpose.test(rules.get(rule));
  }

  private static RoutingConfig.Metadata metadata(RoutingConfig.Rule rule) {
    return Objects.requireNonNullElse(rule.set(), NOTHING);
  }

  private Candidate candidate(int rule, @Nullable Glob program) {
    Match match = match(rule);
    boolean hasOtherConditions =
        !match.sender().isEmpty()
            || !match.host().isEmpty()
            || !match.facility().isEmpty()
            || match.severity() != null
            || match.event() != null;
    return new Candidate(rule, match, program, hasOtherConditions);
  }

  private static boolean wantsText(Match match) {
    MessagePattern message = match.message();
    return message != null && message.required().shortest() >= MIN_TEXT_LENGTH;
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
   * Returns a rule's route.
   *
   * @param rule index of the rule, or -1 for the defaults
   */
  Route route(int rule) {
    return routes.get(rule + 1);
  }

  /**
   * Returns the route of an event that has metadata of its own. The rule's metadata goes before the
   * event's, and the event's goes before the defaults.
   *
   * @param route the route by the rules
   */
  Route ofEvent(Route route, EventHead event) {
    RoutingConfig.Metadata set =
        route.rule() == 0 ? NOTHING : metadata(rules.get(route.rule() - 1));
    return Route.ofEvent(route.rule(), set, event, defaults);
  }

  boolean asksForSender() {
    return asksForSender;
  }

  Candidates ofAnyProgram() {
    return ofAnyProgram;
  }

  Candidates withoutProgram() {
    return withoutProgram;
  }

  /** Returns the rules that may name this program; some may have only the same hash. */
  Candidate[] named(byte[] data, int start, int end) {
    return candidatesByName[hash(data, start, end)];
  }

  /** Returns the rules whose wildcard pattern can match a name that begins as this one does. */
  Candidate[] alike(byte[] data, int start, int end) {
    return alike[pair(data[start], end - start > 1 ? data[start + 1] : 0)];
  }

  /** Whether a pattern can match a name whose first two bytes have this {@link #pair}. */
  private static boolean mayBegin(String pattern, int pair) {
    char first = pattern.charAt(0);
    char second = first == '*' || pattern.length() == 1 ? '*' : pattern.charAt(1);
    int own = pair(first, second);
    int known = (isWildcard(first) ? 0 : FIRST) | (isWildcard(second) ? 0 : SECOND);
    return (own & known) == (pair & known);
  }

  private static boolean isWildcard(char c) {
    return c == '*' || c == '?';
  }

  private static int pair(int first, int second) {
    return (first << 5 & FIRST) | (second & SECOND);
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
