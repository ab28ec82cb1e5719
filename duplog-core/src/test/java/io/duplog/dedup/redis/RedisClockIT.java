package io.duplog.dedup.redis;

import io.duplog.dedup.ClockContract;
import io.duplog.dedup.Ledger;
import io.duplog.parts.Redis;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

class RedisClockIT extends ClockContract {
  private static Redis redis;

  @BeforeAll
  static void startRedis() {
    redis = Redis.started();
  }

  @AfterAll
  static void stopRedis() {
    redis.close();
  }

  @BeforeEach
  void flush() {
    redis.cli("flushall");
  }

  @Override
  public Ledger open(String bridge, Duration lease) {
    return new RedisLedger(BridgeLogin.at(redis), bridge, List.of("a", "b"), WINDOW, lease);
  }

  /** The server's clock is the machine's. What it has noted of it is set the other way instead. */
  @Override
  public void setClock(Duration by) {
    String set =
        """
        local by = tonumber(ARGV[1])
        redis.call('INCRBY', 'duplog:clock', -by)
        for _, bridge in ipairs(redis.call('ZRANGE', 'duplog:leases', 0, -1)) do
          redis.call('ZINCRBY', 'duplog:leases', -by, bridge)
        end
        """;
    redis.cli("eval", set, "0", Long.toString(by.toMillis()));
  }
}
