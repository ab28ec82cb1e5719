package io.duplog.ingest.omprog;

/** How rsyslog's omprog action is set up; the shim must be configured to match. */
public enum Mode {
  /** useTransactions and confirmMessages are on: rsyslog waits for an answer to each line. */
  CONFIRM,
  /** Only useTransactions is on: marks stand between the messages, and nothing is answered. */
  TRANSACTIONS,
  /** Neither is on: each line is a message, and nothing is answered. */
  LINES
}
