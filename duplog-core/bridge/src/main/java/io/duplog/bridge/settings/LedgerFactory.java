package io.duplog.bridge.settings;

import io.duplog.dedup.Ledger;
import io.duplog.dedup.memory.MemoryLedger;
import io.duplog.dedup.redis.GuardedLedger;
import io.duplog.dedup.redis.RedisLedger;
import io.duplog.dedup.redis.RedisStore;
import io.duplog.pipeline.Ledgers;
import java.util.ArrayList;
import java.util.List;

/**
 * Creates the ledgers, in Redis or in memory, that the configuration section {@code dedup}
 * describes. Does not connect to Redis.
 */
public final class LedgerFactory {
  private LedgerFactory() {}

  /** Creates the ledgers and their fallbacks. */
  public static Ledgers ledgers(BridgeConfig config) {
    DedupConfig dedup = config.dedup();
    return switch (dedup.store()) {
      case MEMORY -> new Ledgers(List.of(memory(config, dedup.memory().maxDigests())), List.of());
      case REDIS -> {
        List<RedisLedger> parts = parts(config, config.redis());
        yield new Ledgers(
            parts.stream()
                .<Ledger>map(part -> guarded(part, part.name(), dedup.meanwhile()))
                .toList(),
            fallbacks(config, parts));
      }
    };
  }

  /** Wraps a ledger in a circuit breaker that retries Redis immediately after a failover. */
  private static GuardedLedger guarded(RedisLedger redis, String name, String meanwhile) {
    GuardedLedger guarded = new GuardedLedger(redis, redis, name, meanwhile, System::nanoTime);
    redis.onMove(guarded::probeNow);
    return guarded;
  }

  private static List<Ledgers.Fallback> fallbacks(BridgeConfig config, List<RedisLedger> parts) {
    DedupConfig dedup = config.dedup();
    List<Ledgers.Fallback> fallbacks = new ArrayList<>();
    RedisStore spare = config.spare();
    if (spare != null) {
      RedisLedger redis = parts(config, spare).get(0);
      redis.setMainLedgers(parts);
      fallbacks.add(
          new Ledgers.Fallback(
              "spare",
              spare.address(),
              guarded(
                  redis,
                  "spare Redis " + spare.address(),
                  "while dedup.redis is unavailable too, " + dedup.effectOfLastResort())));
    }
    if (dedup.whenUnavailable() == DedupConfig.WhenUnavailable.LOCAL) {
      fallbacks.add(
          new Ledgers.Fallback("local", "in this process", memory(config, dedup.localLimit())));
    }
    return fallbacks;
  }

  /**
   * Creates a memory ledger. Its clock shows the time of day, which the inventory of senders needs,
   * and never steps.
   */
  private static MemoryLedger memory(BridgeConfig config, int maxDigests) {
    long ahead = System.currentTimeMillis() * 1_000_000 - System.nanoTime();
    return MemoryLedger.ofOneBridge(
        config.name(),
        config.streamOrder(),
        config.dedup().window(),
        config.dedup().lease(),
        maxDigests,
        () -> ahead + System.nanoTime());
  }

  /** Creates a Redis ledger for each part. Without a cluster there is one part. */
  private static List<RedisLedger> parts(BridgeConfig config, RedisStore store) {
    DedupConfig dedup = config.dedup();
    return RedisLedger.ofParts(
        store,
        RedisLedger.processOf(config.name()),
        config.streamOrder(),
        dedup.window(),
        dedup.identity(),
        dedup.lease());
  }
}
