package io.duplog.deliver.route;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The conditions of one rule, in the order of what they cost. Immutable. */
final class Conditions {
  /** Bit n is facility n; 0 where any will do. */
  private final int facilities;

  private final @Nullable Severities severities;
  private final Glob.Matcher[] programs;
  private final Glob.Matcher[] hosts;
  private final Network[] senders;
  private final @Nullable MessagePattern message;

  Conditions(RoutingConfig.Match match) {
    int mask = 0;
    for (Facility facility : match.facility()) {
      mask |= 1 << facility.code();
    }
    facilities = mask;
    severities = match.severity();
    programs = matchers(match.program(), false);
    hosts = matchers(match.host(), true);
    senders = match.sender().toArray(new Network[0]);
    message = match.message();
  }

  /** Null where any message will do. */
  @Nullable MessagePattern message() {
    return message;
  }

  /** Whether the sender's address is needed. */
  boolean askForSender() {
    return senders.length > 0;
  }

  /**
   * Whether all hold but for that on the message, which costs more.
   *
   * @param sender null where it is not known or not asked for
   */
  boolean holdWithoutMessage(byte[] data, SyslogHeader header, @Nullable Address sender) {
    if (facilities != 0 && (header.facility() < 0 || (facilities & 1 << header.facility()) == 0)) {
      return false;
    }
    if (severities != null && !severities.contain(header.severity())) {
      return false;
    }
    if (programs.length > 0
        && !isLikeOne(programs, data, header.programStart(), header.programEnd())) {
      return false;
    }
    if (hosts.length > 0 && !isLikeOne(hosts, data, header.hostStart(), header.hostEnd())) {
      return false;
    }
    return senders.length == 0 || (sender != null && isInOne(sender));
  }

  private static boolean isLikeOne(Glob.Matcher[] globs, byte[] data, int start, int end) {
    if (start == end) {
      return false; // not even like *
    }
    for (Glob.Matcher glob : globs) {
      if (glob.matches(data, start, end)) {
        return true;
      }
    }
    return false;
  }

  private boolean isInOne(Address address) {
    for (Network network : senders) {
      if (network.contains(address)) {
        return true;
      }
    }
    return false;
  }

  private static Glob.Matcher[] matchers(List<Glob> globs, boolean ignoreCase) {
    return globs.stream().map(glob -> glob.matcher(ignoreCase)).toArray(Glob.Matcher[]::new);
  }
}
