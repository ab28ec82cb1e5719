package io.duplog.deliver;

/** Encodes single messages as the sink would send them, for {@code duplog tap}. Not thread-safe. */
@FunctionalInterface
public interface Payload {
  /** Returns the bytes that the sink writes for one message, without a line feed at the end. */
  byte[] of(DeliveryRequest delivery, int message);
}
