package io.duplog.deliver.route;

import io.duplog.deliver.route.RoutingConfig.EventMatch;
import io.duplog.deliver.route.RoutingConfig.Match;
import io.duplog.deliver.route.RuleIndex.Candidate;
import io.duplog.deliver.route.RuleIndex.Candidates;
import io.duplog.deliver.syslog.Address;
import io.duplog.deliver.syslog.SyslogHeader;
import io.duplog.wire.EventHead;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the routing rule that applies to a message: the first one whose conditions all hold. Not
 * thread-safe. Allocates only if a sender's address is tested or a regular expression is applied.
 */
final class Router {
  private static final int NONE = Integer.MAX_VALUE;

  private final RuleIndex index;

  /** One bit for each rule with a required text, set if the message contains the text. */
  private final long[] found;

  /** Array with the message that is being routed. */
  private byte[] data = {};

  private int textStart;
  private int end;
  private @Nullable Address sender;

  /** Metadata that the message has as an event of HEC, or null if it has none. */
  private @Nullable EventHead event;

  Router(RuleIndex index) {
    this.index = index;
    this.found = new long[(index.size() + Long.SIZE - 1) / Long.SIZE];
  }

  RuleIndex index() {
    return index;
  }

  /**
   * Routes a message.
   *
   * @param start offset of the sender's address, which a space follows
   * @param textStart offset of the message as the sender wrote it; equal to {@code start} if the
   *     sender is not known
   * @param end offset after the message
   * @param header of this message, already parsed by this thread
   * @param event metadata that the message has as an event of HEC, or null if it has none
   * @return always the same instance for the same rule
   */
  Route route(
      byte[] data,
      int start,
      int textStart,
      int end,
      SyslogHeader header,
      @Nullable EventHead event) {
    begin(data, start, textStart, end, event);
    int program = header.programStart();
    boolean isNamed = program < header.programEnd();
    Candidates candidates = isNamed ? index.ofAnyProgram() : index.withoutProgram();
    int first = first(candidates.others(), NONE, header);
    if (isNamed) {
      first = first(index.named(data, program, header.programEnd()), first, header);
      first = first(index.alike(data, program, header.programEnd()), first, header);
    }
    if (mayHold(candidates.byText(), first, header)) {
      first = firstByText(candidates, first, header);
    }
    return index.route(first == NONE ? -1 : first);
  }

  private int firstByText(Candidates candidates, int before, SyslogHeader header) {
    Arrays.fill(found, 0);
    Candidate[] some = candidates.byText();
    boolean any = candidates.search().find(data, textStart, end, found);
    for (int i = 0; any && i < some.length && some[i].rule() < before; i++) {
      if ((found[i / Long.SIZE] & (1L << i)) != 0 && holds(some[i], header)) {
        return some[i].rule();
      }
    }
    return before;
  }

  /** Returns the routes of all matching rules in order; tests every rule, without the index. */
  List<Route> matching(
      byte[] data,
      int start,
      int textStart,
      int end,
      SyslogHeader header,
      @Nullable EventHead event) {
    begin(data, start, textStart, end, event);
    return IntStream.range(0, index.size())
        .filter(i -> index.canApply(i) && holdsPlainly(index.match(i), header))
        .mapToObj(index::route)
        .toList();
  }

  private boolean holdsPlainly(Match match, SyslogHeader header) {
    MessagePattern message = match.message();
    return holdsBesidesText(match, header)
        && (message == null || message.isFoundPlainlyIn(data, textStart, end));
  }

  private boolean holdsBesidesText(Match match, SyslogHeader header) {
    return holdsBesides(match, header)
        && isLikeOne(match.program(), data, header.programStart(), header.programEnd(), false);
  }

  /**
   * Whether all conditions of one rule hold for the message that was routed last, whatever the
   * purpose of the rule is.
   */
  boolean holds(int rule, SyslogHeader header) {
    Match match = index.match(rule);
    MessagePattern message = match.message();
    return holdsBesidesText(match, header)
        && (message == null || message.isFoundIn(data, textStart, end));
  }

  private void begin(byte[] data, int start, int textStart, int end, @Nullable EventHead event) {
    this.data = data;
    this.event = event;
    this.textStart = textStart;
    this.end = end;
    sender =
        index.asksForSender() && textStart > start
            ? Address.parse(data, start, textStart - 1)
            : null;
  }

  /** Returns the first matching rule below {@code before}, or {@code before} if there is none. */
  private int first(Candidate[] some, int before, SyslogHeader header) {
    for (int i = 0; i < some.length && some[i].rule() < before; i++) {
      if (holds(some[i], header)) {
        return some[i].rule();
      }
    }
    return before;
  }

  /**
   * Whether any rule with a number below {@code before} matches, not counting its conditions on
   * program and text.
   */
  private boolean mayHold(Candidate[] some, int before, SyslogHeader header) {
    for (int i = 0; i < some.length && some[i].rule() < before; i++) {
      if (holdsBesides(some[i], header)) {
        return true;
      }
    }
    return false;
  }

  private boolean holds(Candidate candidate, SyslogHeader header) {
    Glob program = candidate.program();
    MessagePattern message = candidate.match().message();
    return (program == null
            || program.matches(data, header.programStart(), header.programEnd(), false))
        && holdsBesides(candidate, header)
        && (message == null || message.isFoundIn(data, textStart, end));
  }

  private boolean holdsBesides(Candidate candidate, SyslogHeader header) {
    return !candidate.hasOtherConditions() || holdsBesides(candidate.match(), header);
  }

  /** Whether all conditions hold, leaving aside those on program and text. */
  private boolean holdsBesides(Match match, SyslogHeader header) {
    int facility = header.facility();
    return (match.facility().isEmpty()
            || (facility >= 0 && match.facility().contains(Facility.of(facility))))
        && (match.severity() == null || match.severity().contain(header.severity()))
        && isLikeOne(match.host(), data, header.hostStart(), header.hostEnd(), true)
        && (match.sender().isEmpty() || (sender != null && isInOne(match.sender(), sender)))
        && (match.event() == null || (event != null && holds(match.event(), event)));
  }

  private static boolean holds(EventMatch match, EventHead event) {
    return isLikeOne(match.source(), event.source())
        && isLikeOne(match.sourcetype(), event.sourcetype())
        && isLikeOne(match.index(), event.index())
        && (match.fields().isEmpty()
            || EventFields.of(event).entrySet().containsAll(match.fields().entrySet()));
  }

  private static boolean isLikeOne(List<Glob> globs, @Nullable String name) {
    byte[] bytes = name == null ? new byte[0] : name.getBytes(StandardCharsets.UTF_8);
    return isLikeOne(globs, bytes, 0, bytes.length, false);
  }

  /**
   * Whether a name matches one of the patterns. Without patterns, every name does. A missing name
   * matches only {@code -}, not even {@code *}.
   */
  private static boolean isLikeOne(
      List<Glob> globs, byte[] data, int start, int end, boolean ignoreCase) {
    boolean found = globs.isEmpty();
    for (int i = 0; i < globs.size() && !found; i++) {
      Glob glob = globs.get(i);
      found = start < end ? glob.matches(data, start, end, ignoreCase) : glob.isNothing();
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
