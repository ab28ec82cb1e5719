package io.duplog.ingest.hec;

import io.duplog.config.ByteSize;
import io.duplog.ingest.batch.Time;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs what clients do wrong or may do wrong, each kind at most once a minute with the number since
 * the start, so that no client can fill the log. Thread-safe.
 */
final class Warnings {
  private static final Logger log = LoggerFactory.getLogger(Warnings.class);
  private static final long INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final int MAX_PATH = 100;

  /** The kinds of mistakes. */
  private enum Kind {
    REFUSED,
    TOO_LARGE,
    UNUSABLE,
    BLANK,
    CROWDED,
    WRONG_PATH,
    WRONG_PRODUCT
  }

  /** The number of times that a mistake was made, and the time when it was last logged. */
  private record Count(long total, long loggedNanos) {}

  private final Time time;
  private final Map<Kind, Count> counts = new ConcurrentHashMap<>();

  private final Set<Product> warnedProducts = ConcurrentHashMap.newKeySet();

  Warnings(Time time) {
    this.time = time;
  }

  /**
   * Warns once of each product whose default settings lose events, because no request says which
   * settings the client has. Warns of a token for another product.
   */
  void connected(String client, @Nullable String userAgent, HecToken token) {
    Product product = Product.of(userAgent);
    if (product == null) {
      return;
    }
    if (warnedProducts.add(product)) {
      log.warn(
          "The HEC client at {} is {}. By default it {}. Check that it has the setting {}.",
          client,
          product.title(),
          product.lossByDefault(),
          product.remedy());
    }
    if (!token.identity().product().suits(product)) {
      warn(
          Kind.WRONG_PRODUCT,
          1,
          "The HEC client at %s is %s, but its token %s has identity.product %s. Events of the pair may arrive twice, or some are lost. Set identity.product: %s on all nodes, or use another token."
              .formatted(
                  client,
                  product.title(),
                  token.name(),
                  token.identity().product().key(),
                  product.key()));
    }
  }

  void wrongPath(String client, String path) {
    warn(
        Kind.WRONG_PATH,
        1,
        "A HEC client at "
            + client
            + " posted to "
            + (path.length() > MAX_PATH ? path.substring(0, MAX_PATH) + "…" : path)
            + ", which is no path of HEC. It was answered with 404, and may drop the events. Correct"
            + " the client's URL: its path is /services/collector/event.");
  }

  void refused(String client, Answer answer) {
    warn(
        Kind.REFUSED,
        1,
        "A HEC client at "
            + client
            + " was refused: "
            + answer.json(null)
            + ". Its events are not accepted. Compare its token with hec.tokens.");
  }

  void tooLarge(String client, ByteSize limit) {
    warn(
        Kind.TOO_LARGE,
        1,
        "A HEC client at "
            + client
            + " sent a body of more than "
            + limit
            + ". The client may drop it. Lower the client's batch size, or raise hec.max-body.");
  }

  void unusable(String token, Map<String, Messages> eventsByReason) {
    eventsByReason.forEach((reason, events) -> unusable(token, reason, events.count()));
  }

  private void unusable(String token, String reason, int events) {
    warn(
        Kind.UNUSABLE,
        events,
        "A client with the token "
            + token
            + " sent an unusable event ("
            + reason
            + "). It becomes a dead letter. Run `duplog dead-letter list` on a bridge.");
  }

  void blank(String token, int events) {
    if (events > 0) {
      warn(
          Kind.BLANK,
          events,
          "A client with the token "
              + token
              + " sent blank events, which Splunk rejects. They are left out.");
    }
  }

  void crowded(String client, int connections, int maxConnections) {
    warn(
        Kind.CROWDED,
        1,
        "The HEC client at "
            + client
            + " has "
            + connections
            + " connections, more than half of hec.max-connections ("
            + maxConnections
            + "), and three quarters of all are taken. Its further connections are closed, so that"
            + " other clients can connect. If this is a load balancer, raise hec.max-connections."
            + " Otherwise, limit this client.");
  }

  private void warn(Kind kind, int number, String line) {
    long now = time.nanos();
    boolean[] isDue = {false};
    Count count =
        counts.compute(
            kind,
            (any, before) -> {
              isDue[0] = before == null || now - before.loggedNanos() > INTERVAL_NANOS;
              return new Count(
                  (before == null ? 0 : before.total()) + number,
                  isDue[0] || before == null ? now : before.loggedNanos());
            });
    if (isDue[0]) {
      log.warn("{} ({} since the start)", line, count.total());
    }
  }
}
