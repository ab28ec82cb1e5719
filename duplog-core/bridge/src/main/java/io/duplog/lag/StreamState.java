package io.duplog.lag;

import java.util.Locale;

/** The state of a stream, by the observations of all bridges that share a ledger. */
public enum StreamState {
  /** Messages of the stream arrive. */
  FLOWING,
  /** Heartbeats arrive but no messages, because the stream's senders send none. */
  SILENT,
  /**
   * No shim runs, because none was started yet or the last one ended in good order, and the other
   * streams bring nothing either. rsyslog starts a shim with the next message. Or a shim runs that
   * rsyslog has handed nothing for long, and nobody can tell whether there is anything to hand
   * over.
   */
  WAITING,
  /**
   * Neither messages nor heartbeats arrive, although the broker answers and the queue is empty.
   * Either the heartbeats broke off, or other streams bring messages. Or heartbeats say that
   * rsyslog is quiet for too long.
   */
  DEAD,
  /** This bridge can't read the stream's queues. */
  DISCONNECTED,
  /** Batches or heartbeats in the stream's queue state the name of another stream. */
  MISNAMED,
  /** The stream lags by more than half of the window. */
  BEHIND,
  /**
   * This bridge currently receives nothing from the stream, so that the stream's state is unknown.
   */
  HELD,
  /** Nothing of the stream has arrived so far, but too little time has passed to call it dead. */
  UNKNOWN;

  /** Returns the state as metrics and the page show it, such as {@code flowing}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
