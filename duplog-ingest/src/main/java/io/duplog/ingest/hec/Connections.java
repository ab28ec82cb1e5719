package io.duplog.ingest.hec;

import io.duplog.ingest.batch.Time;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.ssl.SslConnection;

/**
 * Closes connections whose client does not finish a request in time, however often it sends a byte.
 * This way slow clients can't keep others out. A client that waits for its answer is left alone.
 * When connections are scarce, an address that has many gets no further one. Thread-safe.
 */
final class Connections implements Connection.Listener {
  private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** Maximum time when connections are scarce. */
  private static final long MAX_SCARCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** Fraction of the connections, in quarters, from which on they are scarce. */
  private static final int SCARCE_QUARTERS = 3;

  private final int maxConnections;
  private final Time time;
  private final Warnings warnings;

  /** Addresses of the clients that are connected. */
  private final Map<Connection, String> clients = new ConcurrentHashMap<>();

  private final Map<String, Integer> countByClient = new ConcurrentHashMap<>();

  /** Time from which on a client owes a whole request, by its connection. */
  private final Map<Connection, Long> owedSinceNanos = new ConcurrentHashMap<>();

  Connections(int maxConnections, Time time) {
    this.maxConnections = maxConnections;
    this.time = time;
    this.warnings = new Warnings(time);
  }

  @Override
  public void onOpened(Connection connection) {
    if (connection instanceof SslConnection) { // it has another connection inside
      return;
    }
    owedSinceNanos.put(connection, time.nanos());
    if (!admit(connection, address(connection))) {
      connection.getEndPoint().close();
    }
  }

  /** Counts the connection. Synchronized, or two that open at once would close each other. */
  private synchronized boolean admit(Connection connection, String client) {
    clients.put(connection, client);
    int connections = countByClient.merge(client, 1, Integer::sum);
    // A load balancer has many clients behind one address, so the limit applies only when others
    // need the rest.
    if (connections <= maxConnections / 2 || !areScarce(clients.size() - 1)) {
      return true;
    }
    warnings.crowded(client, connections, maxConnections);
    return false;
  }

  private static String address(Connection connection) {
    return connection.getEndPoint().getRemoteSocketAddress() instanceof InetSocketAddress remote
        ? remote.getHostString()
        : "";
  }

  private boolean areScarce(int connections) {
    return 4L * connections >= (long) maxConnections * SCARCE_QUARTERS;
  }

  @Override
  public void onClosed(Connection connection) {
    owedSinceNanos.remove(connection);
    String client = clients.remove(connection);
    if (client != null) {
      countByClient.computeIfPresent(client, (any, count) -> count == 1 ? null : count - 1);
    }
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
    long limit = areScarce(owedSinceNanos.size()) ? MAX_SCARCE_NANOS : MAX_NANOS;
    long now = time.nanos();
    owedSinceNanos.forEach(
        (connection, since) -> {
          if (now - since > limit && owedSinceNanos.remove(connection, since)) {
            connection.getEndPoint().close();
          }
        });
  }
}
