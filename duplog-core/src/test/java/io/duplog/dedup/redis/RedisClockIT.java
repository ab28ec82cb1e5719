package io.duplog.dedup.redis;

import io.duplog.dedup.ClockContract;
import io.duplog.dedup.Ledger;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.extension.RegisterExtension;

class RedisClockIT extends ClockContract {
  @RegisterExtension static final FlushedRedis redis = new FlushedRedis();

  @Override
  public Ledger open(String bridge, Duration lease) {
    return new RedisLedger(redis.settings(), bridge, List.of("a", "b"), WINDOW, lease);
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
