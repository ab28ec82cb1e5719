package io.duplog.dedup.redis;

import io.duplog.dedup.ClockContract;
import org.junit.jupiter.api.extension.RegisterExtension;

class RedisClockIT extends ClockContract {
  @RegisterExtension static final FlushedRedis redis = new FlushedRedis();

  RedisClockIT() {
    super(redis::of);
  }
}
