package io.duplog.deliver.route;

import java.util.List;

/**
 * What goes with a message beside its text: its time, its host, its route. Used again for each
 * message; of one thread at a time.
 */
public final class EventMetadata {
  private final SyslogHeader header;
  private final Routing routing;
  private Router router;
  private Route route;
  private int hostStart;
  private int hostEnd;

  public EventMetadata(Routing routing) {
    this.header = new SyslogHeader(routing.config().timeZone().id());
    this.routing = routing;
    this.router = new Router(routing.index());
    this.route = router.route(new byte[0], 0, 0, 0, header);
  }

  /**
   * Takes the rules that are in force now.
   *
   * @return whether they are others than before: no route is the same object then
   */
  public boolean refresh() {
    RuleIndex now = routing.index();
    if (now == router.index()) {
      return false;
    }
    router = new Router(now);
    return true;
  }

  /**
   * All routes whose rules match the message that was read, in the rules' order: the first is its
   * route. As {@link #read} has them.
   */
  public List<Route> matching(byte[] data, int start, int textStart, int end) {
    return router.matching(data, start, textStart, end, header);
  }

  /**
   * Reads those of a message; forgets the one before.
   *
   * @param start offset of the sender's address, which a space follows
   * @param textStart offset of the message as the sender wrote it; equal to {@code start} where the
   *     sender is not known
   * @param end offset behind it
   * @param receivedMillis as for {@link SyslogHeader#parse}
   */
  public void read(byte[] data, int start, int textStart, int end, long receivedMillis) {
    header.parse(data, textStart, end, receivedMillis);
    route = router.route(data, start, textStart, end, header);
    hostStart = namesHost() ? header.hostStart() : start;
    hostEnd = namesHost() ? header.hostEnd() : Math.max(start, textStart - 1);
  }

  /** When it happened, in milliseconds since the epoch. */
  public long timeMillis() {
    return header.timeMillis();
  }

  /** Whether that is the sender's time, not the receipt's. */
  public boolean hasTime() {
    return header.hasTime();
  }

  /** The same object for the same rule. Its host, if it has one, is the event's. */
  public Route route() {
    return route;
  }

  /**
   * Offset of the host of which the event is where the route names none: the one that the message
   * names, or else the sender's address. Equal to {@link #hostEnd} where nobody knows it.
   */
  public int hostStart() {
    return hostStart;
  }

  /** Offset behind it. */
  public int hostEnd() {
    return hostEnd;
  }

  /** Whether the message names its host. */
  public boolean namesHost() {
    return header.hostStart() < header.hostEnd();
  }
}
