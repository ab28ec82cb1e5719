package io.duplog.ingest.hec;

import io.duplog.ingest.batch.Time;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.ssl.SslConnection;

/**
 * Closes connections whose client does not finish a request in time, however often it sends a byte.
 * This way slow clients can't keep others out. A client that waits for its answer is left alone.
 * Thread-safe.
 */
final class Connections implements Connection.Listener {
  private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** Maximum time when connections are scarce. */
  private static final long MAX_SCARCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** Fraction of the connections, in quarters, from which on they are scarce. */
  private static final int SCARCE_QUARTERS = 3;

  private final int maxConnections;
  private final Time time;

  /** Time from which on a client owes a whole request, by its connection. */
  private final Map<Connection, Long> owedSinceNanos = new ConcurrentHashMap<>();

  Connections(int maxConnections, Time time) {
    this.maxConnections = maxConnections;
    this.time = time;
  }

  @Override
  public void onOpened(Connection connection) {
    if (!(connection instanceof SslConnection)) { // it has another connection inside
      owedSinceNanos.put(connection, time.nanos());
    }
  }

  @Override
  public void onClosed(Connection connection) {
    owedSinceNanos.remove(connection);
  }

  /** Called when a request has arrived as a whole. */
  void requestArrived(Connection connection) {
    owedSinceNanos.remove(connection);
  }

  /** Called when a request was answered; the client may send the next one. */
  void requestAnswered(Connection connection) {
    owedSinceNanos.put(connection, time.nanos());
  }

  /** Closes the connections that are too late. Called every second. */
  void closeLate() {
    boolean isScarce = owedSinceNanos.size() >= (long) maxConnections * SCARCE_QUARTERS / 4;
    long limit = isScarce ? MAX_SCARCE_NANOS : MAX_NANOS;
    long now = time.nanos();
    owedSinceNanos.forEach(
        (connection, since) -> {
          if (now - since > limit && owedSinceNanos.remove(connection, since)) {
            connection.getEndPoint().close();
          }
        });
  }
}
