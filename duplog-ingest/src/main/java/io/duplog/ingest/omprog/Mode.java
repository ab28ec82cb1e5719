package io.duplog.ingest.omprog;

/** The set-up of rsyslog's omprog action, which the shim's configuration has to match. */
public enum Mode {
  /**
   * The action has useTransactions and confirmMessages on: rsyslog waits for an answer to each
   * line.
   */
  CONFIRM,
  /**
   * The action has only useTransactions on: marks enclose transactions, and nothing is answered.
   */
  TRANSACTIONS,
  /**
   * The action has useTransactions and confirmMessages off: each line is a message, and nothing is
   * answered.
   */
  LINES
}
