package io.duplog.dedup.memory;

import io.duplog.dedup.StreamSet;
import io.duplog.dedup.Tallies;
import java.util.List;
import java.util.Map;

/** One bridge's view of the tallies of a {@link MemoryStore}, whose lock guards them. */
final class StoreTallies implements Tallies {
  private final MemoryStore store;
  private final MemoryTallies tallies;
  private final String bridge;
  private final long silenceMillis;
  private final Bounds bounds;

  StoreTallies(
      MemoryStore store, MemoryTallies tallies, String bridge, long silenceMillis, Bounds bounds) {
    this.store = store;
    this.tallies = tallies;
    this.bridge = bridge;
    this.silenceMillis = silenceMillis;
    this.bounds = bounds;
  }

  @Override
  public Added add(Addition addition) {
    synchronized (store) {
      StreamSet agreed = store.agreed;
      return tallies.add(
          bridge,
          silenceMillis,
          bounds,
          addition,
          store.token,
          agreed == null ? List.of() : agreed.merged(),
          store.nowMillis(),
          store.revocations.values().stream().map(MemoryStore.Logged::revocation).toList());
    }
  }

  @Override
  public Map<String, String> read(long period) {
    synchronized (store) {
      return tallies.read(period);
    }
  }

  @Override
  public void settle(Settlement settlement) {
    synchronized (store) {
      tallies.settle(settlement, store.token);
    }
  }

  @Override
  public List<String> history(long afterPeriod) {
    synchronized (store) {
      return tallies.history(afterPeriod);
    }
  }

  @Override
  public List<String> hours() {
    synchronized (store) {
      return tallies.hours();
    }
  }
}
