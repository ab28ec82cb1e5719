package io.duplog.deliver;

/**
 * Encodes single messages as the sink does, for programs that show what is sent. Belongs to one
 * thread.
 */
@FunctionalInterface
public interface Payload {
  /** Returns the bytes that the sink writes for one message, without a line feed at the end. */
  byte[] of(DeliveryRequest delivery, int message);
}
