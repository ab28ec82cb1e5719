package io.duplog.bridge;

import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.config.ConfigException;
import io.duplog.config.ConfigLoader;
import io.duplog.dedup.Ledger;
import io.duplog.deliver.Sinks;
import io.duplog.deliver.hec.HecSinkConfig;
import io.duplog.observe.Counters;
import io.duplog.pipeline.Ledgers;
import io.duplog.receive.QueueConsumer;
import io.duplog.receive.SteppedConsumer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Runs a whole bridge without threads, so that the simulation can take each thread's next step
 * itself.
 */
public final class SteppedBridge {
  private static final Map<String, BridgeConfig> CONFIGS = new ConcurrentHashMap<>();

  private final Bridge bridge;

  public SteppedBridge(String yaml, Ledger ledger, Sinks sinks, QueueConsumer.Environment brokers) {
    this.bridge = new Bridge(config(yaml), new Ledgers(List.of(ledger), List.of()), sinks, brokers);
  }

  public static HecSinkConfig hec(String yaml) {
    return Objects.requireNonNull(config(yaml).sink().hec());
  }

  private static BridgeConfig config(String yaml) {
    return CONFIGS.computeIfAbsent(yaml, SteppedBridge::parse);
  }

  private static BridgeConfig parse(String yaml) {
    try {
      return ConfigLoader.of(Map.of(), "h").parse("duplog.yaml", yaml, BridgeConfig.class);
    } catch (ConfigException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns a step of each consumer's thread. */
  public List<Runnable> consumers() {
    return bridge.consumers().stream()
        .<Runnable>map(consumer -> () -> SteppedConsumer.step(consumer))
        .toList();
  }

  /** Takes a step of the thread that publishes dead letters. */
  public void putAway() {
    SteppedConsumer.step(bridge.deadLetters());
  }

  /** Does what a worker's thread does next; returns whether there was anything. */
  public boolean work() {
    return bridge.pipeline().workOnce();
  }

  /** Takes a turn of the settling thread; returns how long it has nothing to do. */
  public long settle() {
    return bridge.runOnce();
  }

  /** Returns what became of the copies that the bridge received. */
  public Counters counters() {
    return bridge.counters();
  }

  /** Releases what would outlive the bridge in this process. */
  public void forget() {
    bridge.status().close();
  }
}
