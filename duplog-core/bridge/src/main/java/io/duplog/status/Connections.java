package io.duplog.status;

import com.google.common.collect.Maps;
import io.duplog.observe.RecurringWarning;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.eclipse.jetty.io.EndPoint;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits the open connections to the status page, and closes the oldest if there are too many or
 * they are too slow. A bounded number wait for a request, and a bounded number are being answered.
 * One connection too many closes the oldest, so that a client which sends its request at once is
 * answered even during a flood. Connections that take too long to send a request, or to read the
 * answer, are closed as well. May be used from any thread.
 */
final class Connections {
  static final int MOST_WAITING = 256;
  static final int MOST_ANSWERED = 64;

  private static final long TO_ASK_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long TO_READ_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long CALM_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final String FLOOD =
      "status page: more connections than are kept: of those that send no whole request, or don't"
          + " read the answer, the oldest are closed";

  private static final Logger log = LoggerFactory.getLogger(Connections.class);

  private final LongSupplier nanoClock;
  private final RecurringWarning flood;

  /**
   * Connections without a complete request, with the time in nanoseconds at which each began to
   * wait; the oldest first. Guarded by this.
   */
  private final Map<EndPoint, Long> waitingSinceNanos = new LinkedHashMap<>();

  /**
   * Connections that are being answered, with the time in nanoseconds at which each request was
   * complete; the oldest first. Guarded by this.
   */
  private final Map<EndPoint, Long> answeredSinceNanos = new LinkedHashMap<>();

  private volatile long floodNanos;

  /**
   * Makes an empty set.
   *
   * @param nanoClock {@code System::nanoTime}, or a test's clock
   */
  Connections(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.flood = new RecurringWarning(log, "status page", nanoClock);
  }

  /** Called when a connection was opened; the time-out for its first request begins. */
  void opened(EndPoint connection) {
    move(connection, null, waitingSinceNanos, MOST_WAITING);
  }

  /** Called when a connection has sent a complete request. */
  void asked(EndPoint connection) {
    move(connection, waitingSinceNanos, answeredSinceNanos, MOST_ANSWERED);
  }

  /** Called when the client has read the whole answer and may send another request. */
  void answered(EndPoint connection) {
    move(connection, answeredSinceNanos, waitingSinceNanos, MOST_WAITING);
  }

  /** Called when a connection was closed, or was handed over to a listener or a tap. */
  synchronized void left(EndPoint connection) {
    waitingSinceNanos.remove(connection);
    answeredSinceNanos.remove(connection);
  }

  /**
   * Moves a connection to the map {@code to}; closes the oldest one there if there are too many.
   */
  private void move(
      EndPoint connection, @Nullable Map<EndPoint, Long> from, Map<EndPoint, Long> to, int most) {
    EndPoint oldest;
    synchronized (this) {
      if (from != null && from.remove(connection) == null) {
        return;
      }
      to.put(connection, nanoClock.getAsLong());
      if (to.size() <= most) {
        return;
      }
      oldest = to.keySet().iterator().next();
      to.remove(oldest);
    }
    floodNanos = nanoClock.getAsLong();
    flood.occurred(FLOOD);
    oldest.close();
  }

  /** Closes connections that take too long to send a request or to read an answer. */
  void closeSlow() {
    long now = nanoClock.getAsLong();
    List<EndPoint> slow = new ArrayList<>();
    synchronized (this) {
      slow.addAll(
          Maps.filterValues(waitingSinceNanos, since -> now - since > TO_ASK_NANOS).keySet());
      slow.addAll(
          Maps.filterValues(answeredSinceNanos, since -> now - since > TO_READ_NANOS).keySet());
    }
    slow.forEach(EndPoint::close);
    if (now - floodNanos > CALM_NANOS) {
      flood.recovered();
    }
  }

  /** Returns the number of open connections, without those of listeners and taps. */
  synchronized int size() {
    return waitingSinceNanos.size() + answeredSinceNanos.size();
  }
}
