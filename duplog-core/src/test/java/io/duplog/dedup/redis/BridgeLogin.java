package io.duplog.dedup.redis;

import io.duplog.parts.Redis;
import java.time.Duration;

/** How the tests' bridges reach a Redis of theirs: as deployed ones do. */
final class BridgeLogin {
  private BridgeLogin() {}

  static RedisSettings at(Redis redis) {
    return new RedisSettings(
        new RedisSettings.Server(redis.host(), redis.port()),
        new RedisSettings.Login(Redis.USER, Redis.PASSWORD, null),
        0,
        "duplog",
        Duration.ofSeconds(2),
        4);
  }
}
