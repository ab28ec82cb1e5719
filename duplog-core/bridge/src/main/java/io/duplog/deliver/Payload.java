package io.duplog.deliver;

/**
 * Encodes single messages in the same way as the sink, for programs that show what is sent. Not
 * thread-safe.
 */
@FunctionalInterface
public interface Payload {
  /** Returns the bytes that the sink writes for one message, without a line feed at the end. */
  byte[] of(DeliveryRequest delivery, int message);
}
