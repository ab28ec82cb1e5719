package io.duplog.pipeline;

import io.duplog.wire.StreamBroker;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lists the RabbitMQs that this bridge reads, so that the ledger can refuse bridges that read
 * others. Thread-safe.
 *
 * @param known returns the last known broker of each place
 * @param places number of places that the bridge reads
 * @param waitsUntilNanos latest time at which the bridge names its brokers
 */
public record ReadBrokers(
    Supplier<List<StreamBroker>> known, int places, long waitsUntilNanos, LongSupplier nanoClock) {
  /**
   * Longest wait of a starting bridge until it knows all its brokers. Bridges recognise each other
   * by a common broker, and two that start together may reach different brokers first.
   */
  private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(3);

  /** Creates an instance for a bridge that starts now. */
  public static ReadBrokers of(
      Supplier<List<StreamBroker>> known, int places, LongSupplier nanoClock) {
    return new ReadBrokers(known, places, nanoClock.getAsLong() + WAIT_NANOS, nanoClock);
  }

  /**
   * Returns the brokers that the other bridges must agree on. The list is empty while it is too
   * early.
   */
  List<StreamBroker> toAgreeOn() {
    List<StreamBroker> all = known.get().stream().filter(StreamBroker::isIdentified).toList();
    boolean early = all.size() < places && nanoClock.getAsLong() - waitsUntilNanos < 0;
    return early ? List.of() : all;
  }

  /**
   * Whether the bridge no longer reads this broker, because a different one has replaced it. Its
   * deliveries can't be distinguished from another deployment's.
   */
  boolean isFormer(@Nullable StreamBroker broker) {
    return broker != null
        && known.get().stream()
            .anyMatch(
                each -> each.place().equals(broker.place()) && !each.id().equals(broker.id()));
  }
}
