package io.duplog.lag;

import java.util.Locale;

/** The state of a stream, as far as this bridge and those that share its store know it. */
public enum StreamState {
  /** Messages arrive. */
  FLOWING,
  /** Heartbeats arrive but no messages, because the stream's senders have nothing to say. */
  SILENT,
  /**
   * No shim runs, because none was started yet or the last one ended in good order, and the other
   * streams bring nothing either. rsyslog starts a shim with the next message.
   */
  WAITING,
  /**
   * Neither messages nor heartbeats arrive, although the broker answers and the queue is empty.
   * Either the heartbeats broke off, or other streams bring messages.
   */
  DEAD,
  /** This bridge can't read the stream's queues. */
  DISCONNECTED,
  /** Batches or heartbeats in the stream's queue name another stream. */
  MISNAMED,
  /** The stream lags by more than half of the window. */
  BEHIND,
  /** This bridge takes nothing from the stream at present, and so can't know its state. */
  HELD,
  /** Nothing has arrived yet, but not for long enough to call the stream dead. */
  UNKNOWN;

  /** Returns the state as metrics and the page show it, such as {@code flowing}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
