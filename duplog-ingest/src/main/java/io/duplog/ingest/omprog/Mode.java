package io.duplog.ingest.omprog;

/** Configuration of rsyslog's omprog action, which the shim's configuration must match. */
public enum Mode {
  /**
   * The action has useTransactions and confirmMessages on: rsyslog waits for an answer to each
   * line.
   */
  CONFIRM,
  /**
   * The action has only useTransactions on: begin and commit marks enclose transactions, and
   * rsyslog expects no answers.
   */
  TRANSACTIONS,
  /**
   * The action has useTransactions and confirmMessages off: each line is a message, and rsyslog
   * expects no answers.
   */
  LINES
}
