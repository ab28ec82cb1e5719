package io.duplog.deliver.route;

import org.jspecify.annotations.Nullable;

/**
 * Which host an event is of: the one that the route names; or else the host name in the message; or
 * else the sender's address. Used again for each message, of one thread at a time.
 */
public final class EventHost {
  private @Nullable String name;
  private int start;
  private int end;

  /**
   * Decides.
   *
   * @param start offset of the sender's address, as for {@link Router#route}
   * @param textStart offset of the message as the sender wrote it
   * @param header of that message
   */
  public void choose(Route route, SyslogHeader header, int start, int textStart) {
    name = route.host();
    if (header.hostStart() < header.hostEnd()) {
      this.start = header.hostStart();
      this.end = header.hostEnd();
    } else {
      this.start = start;
      this.end = Math.max(start, textStart - 1);
    }
  }

  /** The route's host; null where {@link #start} and {@link #end} say it. */
  public @Nullable String name() {
    return name;
  }

  /** Offset of the host in the message's array; equal to {@link #end} where nobody knows it. */
  public int start() {
    return start;
  }

  /** Offset behind it. */
  public int end() {
    return end;
  }
}
