package io.duplog.ingest.publish;

import io.duplog.observe.RecurringWarning;
import java.util.function.LongSupplier;
import org.slf4j.Logger;

/**
 * Describes the state of the connection to RabbitMQ in one line, for the shim's log and health. Not
 * thread-safe, except {@link #line} and {@link #health}; {@link BatchPublisher}'s lock guards it.
 */
final class BrokerStatus {
  private static final String CONSEQUENCE =
      ": retrying every 0.1-5 s, rsyslog keeps what is not confirmed";

  private final String name;
  private final Logger log;
  private final RecurringWarning brokerWarning;
  private volatile String line;

  /**
   * Creates the status of a broker that is not connected yet.
   *
   * @param name name of the broker for an operator
   */
  BrokerStatus(String name, Logger log, LongSupplier nanoClock) {
    this.name = name;
    this.log = log;
    this.brokerWarning = new RecurringWarning(log, name, nanoClock);
    this.line = name + " not connected yet";
  }

  /** Returns the reason why outstanding batches are not confirmed, as one line. */
  String line() {
    return line;
  }

  /** Returns the broker's current failure in one line, or {@code well} if there is no failure. */
  String health() {
    String current = brokerWarning.current();
    return current == null ? "well" : current;
  }

  void connected() {
    log.info("{} connected", name);
    line = name + " has not confirmed yet";
  }

  /** Called when no known failure delays confirms any more. */
  void recovered() {
    line = name + " has not confirmed yet";
    brokerWarning.recovered();
  }

  void occurred(String cause) {
    line = name + " " + cause;
    brokerWarning.occurred(line + CONSEQUENCE);
  }
}
