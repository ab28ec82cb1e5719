package io.duplog.pipeline;

import io.duplog.wire.StreamBroker;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The brokers that this bridge reads. May be used from any thread.
 *
 * @param known returns the broker of each place that the bridge is or was connected to
 * @param places number of places that it reads
 * @param waitsUntilNanos when the bridge names its brokers at the latest
 */
public record ReadBrokers(
    Supplier<List<StreamBroker>> known, int places, long waitsUntilNanos, LongSupplier nanoClock) {
  /**
   * Longest wait of a bridge that begins until it knows all its brokers. Bridges recognise each
   * other by a broker that both read, and two that begin together may reach different ones first.
   */
  private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(3);

  /** Creates the brokers of a bridge that begins now. */
  public static ReadBrokers of(
      Supplier<List<StreamBroker>> known, int places, LongSupplier nanoClock) {
    return new ReadBrokers(known, places, nanoClock.getAsLong() + WAIT_NANOS, nanoClock);
  }

  /** Returns the brokers that the other bridges have to agree on; none while it is too early. */
  List<StreamBroker> toAgreeOn() {
    List<StreamBroker> all = known.get().stream().filter(StreamBroker::isIdentified).toList();
    boolean early = all.size() < places && nanoClock.getAsLong() - waitsUntilNanos < 0;
    return early ? List.of() : all;
  }

  /**
   * Whether the bridge reads this broker no more, because another one is in its place. What it had
   * delivered can't be told from another deployment's messages.
   */
  boolean isFormer(@Nullable StreamBroker broker) {
    return broker != null
        && known.get().stream()
            .anyMatch(
                each -> each.place().equals(broker.place()) && !each.id().equals(broker.id()));
  }
}
