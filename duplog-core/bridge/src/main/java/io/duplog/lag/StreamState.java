package io.duplog.lag;

import java.util.Locale;

/** The state of a stream, such as flowing, silent or dead, as all bridges together see it. */
public enum StreamState {
  /** Messages of the stream arrive. */
  FLOWING,
  /** Heartbeats arrive but no messages, because the stream's senders send none. */
  SILENT,
  /**
   * No shim runs, because none was started yet or the last one ended cleanly, and the other streams
   * bring nothing either. rsyslog starts a shim with the next message. Or a shim runs to which
   * rsyslog has long handed nothing, and it is unknown whether there are any messages.
   */
  WAITING,
  /**
   * Neither messages nor heartbeats arrive, although the broker answers and the queue is empty.
   * Either the heartbeats stopped, or other streams bring messages. Or heartbeats report that
   * rsyslog has been quiet for too long.
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
  /** Nothing has arrived on the stream so far, but too little time has passed to call it dead. */
  UNKNOWN;

  /** Returns the state as metrics and the page show it, such as {@code flowing}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
