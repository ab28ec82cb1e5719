package io.duplog.ingest.omprog;

/**
 * The way in which rsyslog's omprog hands messages to the shim: with confirmation, in unconfirmed
 * transactions, or line by line.
 */
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
