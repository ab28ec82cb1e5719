package io.duplog.lag;

import java.util.Locale;

/** What a stream is doing, as far as this bridge and those that share its store know. */
public enum StreamState {
  /** Messages come. */
  FLOWING,
  /** Heartbeats come and no messages: its senders have nothing to say. */
  SILENT,
  /**
   * No shim runs, since none was started yet or the last one ended in good order, and the other
   * streams bring nothing either: rsyslog starts it with the next message.
   */
  WAITING,
  /**
   * Neither messages nor heartbeats come, though the broker answers and its queue is empty: the
   * heartbeats broke off, or other streams bring messages.
   */
  DEAD,
  /** This bridge can't read the queue. */
  DISCONNECTED,
  /** What its queue brings says that it is of another stream. */
  MISNAMED,
  /** It lags by more than half of the window. */
  BEHIND,
  /** This bridge takes nothing from it at present, and so can't know. */
  HELD,
  /** Nothing has come yet, for less time than would prove it dead. */
  UNKNOWN;

  /** As it stands in metrics and on the page: {@code flowing}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
