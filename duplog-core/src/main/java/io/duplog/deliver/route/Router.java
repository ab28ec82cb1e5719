package io.duplog.deliver.route;

import io.duplog.deliver.route.RoutingConfig.Match;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds a message's metadata: by the first rule of which every condition holds, or else by the
 * defaults. Of one thread at a time. It allocates only for a message whose sender's address is
 * wanted, or that a regular expression has to look at.
 */
final class Router {
  private static final int NONE = Integer.MAX_VALUE;

  private final RuleIndex index;

  /** A bit for each rule whose text was found; valid where the message was searched. */
  private final long[] found;

  private boolean searched;
  private boolean anyFound;

  /** Of the message at hand. */
  private byte[] data = {};

  private int textStart;
  private int end;
  private @Nullable Address sender;

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
   * @param textStart offset of the message as the sender wrote it; equal to {@code start} where the
   *     sender is not known
   * @param end offset behind it
   * @param header that has parsed this message, of this thread
   * @return always the same instance for the same rule
   */
  Route route(byte[] data, int start, int textStart, int end, SyslogHeader header) {
    begin(data, start, textStart, end);
    int first = first(index.others(), NONE, header);
    int program = header.programStart();
    if (program < header.programEnd()) {
      first = first(index.named(data, program, header.programEnd()), first, header);
      first = first(index.alike(data[program]), first, header);
    }
    int[] byText = index.byText();
    if (byText.length > 0 && byText[0] < first && search()) {
      first = first(byText, first, header);
    }
    return index.route(first == NONE ? -1 : first);
  }

  /** All whose rules' conditions hold, in their order, by the plain way: each rule is tried. */
  List<Route> matching(byte[] data, int start, int textStart, int end, SyslogHeader header) {
    begin(data, start, textStart, end);
    return IntStream.range(0, index.size())
        .filter(
            i ->
                holdsWithoutMessage(index.match(i), data, header, sender)
                    && (index.match(i).message() == null
                        || index.match(i).message().isFoundPlainlyIn(data, textStart, end)))
        .mapToObj(index::route)
        .toList();
  }

  private void begin(byte[] data, int start, int textStart, int end) {
    this.data = data;
    this.textStart = textStart;
    this.end = end;
    sender =
        index.asksForSender() && textStart > start
            ? Address.parse(data, start, textStart - 1)
            : null;
    searched = false;
  }

  /** The first of some that holds, if it stands before the one that was found so far. */
  private int first(int[] some, int before, SyslogHeader header) {
    for (int i = 0; i < some.length && some[i] < before; i++) {
      if (holds(some[i], header)) {
        return some[i];
      }
    }
    return before;
  }

  private boolean holds(int rule, SyslogHeader header) {
    Match match = index.match(rule);
    MessagePattern message = match.message();
    if (message != null && index.isSearched(rule)) {
      return search()
          && (found[rule / Long.SIZE] & 1L << rule) != 0
          && holdsWithoutMessage(match, data, header, sender)
          && (message.required().sufficient() || message.isFoundPlainlyIn(data, textStart, end));
    }
    return holdsWithoutMessage(match, data, header, sender)
        && (message == null || message.isFoundIn(data, textStart, end));
  }

  /** Whether the text of any rule is in the message. */
  private boolean search() {
    if (!searched) {
      searched = true;
      Arrays.fill(found, 0);
      anyFound = index.search().find(data, textStart, end, found);
    }
    return anyFound;
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
