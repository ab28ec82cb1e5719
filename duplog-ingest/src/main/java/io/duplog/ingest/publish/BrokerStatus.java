package io.duplog.ingest.publish;

import io.duplog.observe.RecurringWarning;
import java.util.function.LongSupplier;
import org.slf4j.Logger;

/**
 * State of the broker in one line, for rsyslog's log and the shim's own log. {@link
 * BatchPublisher}'s lock guards it; {@link #line} may be called from any thread.
 */
final class BrokerStatus {
  private static final String CONSEQUENCE =
      ": retrying every 0.1-5 s, rsyslog keeps what is not confirmed";

  private final String name;
  private final Logger log;
  private final RecurringWarning trouble;
  private volatile String line;

  /**
   * Makes a state of a broker that is not connected yet.
   *
   * @param name of the broker, for an operator
   */
  BrokerStatus(String name, Logger log, LongSupplier nanoClock) {
    this.name = name;
    this.log = log;
    this.trouble = new RecurringWarning(log, name, nanoClock);
    this.line = name + " not connected yet";
  }

  /** Returns one line on what keeps outstanding batches from being confirmed. */
  String line() {
    return line;
  }

  /** Returns the broker's current failure in one line; {@code well} if there is none. */
  String health() {
    String current = trouble.current();
    return current == null ? "well" : current;
  }

  void connected() {
    log.info("{} connected", name);
    line = name + " has not confirmed yet";
  }

  /** Called when no trouble is known any more that would delay confirms. */
  void recovered() {
    line = name + " has not confirmed yet";
    trouble.recovered();
  }

  void occurred(String cause) {
    line = name + " " + cause;
    trouble.occurred(line + CONSEQUENCE);
  }
}
