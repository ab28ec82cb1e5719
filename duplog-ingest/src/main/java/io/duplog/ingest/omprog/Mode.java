package io.duplog.ingest.omprog;

/** How the omprog action is set up; the shim must be told the same. */
public enum Mode {
  /** useTransactions and confirmMessages: rsyslog waits for an answer to each line. */
  CONFIRM,
  /** useTransactions alone: marks end the batches, nothing is answered. */
  TRANSACTIONS,
  /** Neither: one line a message, nothing is answered. */
  LINES
}
