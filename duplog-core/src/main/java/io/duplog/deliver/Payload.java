package io.duplog.deliver;

/** How a sink writes a message, done once more beside the sink. Belongs to one thread. */
@FunctionalInterface
public interface Payload {
  /** The same bytes, without a line feed behind them. */
  byte[] of(DeliveryRequest delivery, int message);
}
