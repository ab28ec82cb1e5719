package io.duplog.deliver.line;

import io.duplog.deliver.DeliveryRequest;

/** Puts messages into the buffer from which they are written, in the form that readers expect. */
@FunctionalInterface
public interface Framing {
  /**
   * Adds one message.
   *
   * @param message the message's index in the batch
   * @return false if there is no room, so that nothing was added
   */
  boolean put(DeliveryRequest delivery, int message, LineBuffer buffer);
}
