package io.duplog.dedup.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.config.ConfigException;
import io.duplog.config.ConfigLoader;
import io.duplog.dedup.Identity;
import io.duplog.dedup.Ledger;
import io.duplog.dedup.SharedStore;
import io.duplog.parts.Redis;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Starts a real Redis for all tests of a class, and empties it before each test. */
final class FlushedRedis implements BeforeAllCallback, BeforeEachCallback, AfterAllCallback {
  private Redis server;

  @Override
  public void beforeAll(ExtensionContext context) {
    server = Redis.started();
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    cli("flushall");
  }

  @Override
  public void afterAll(ExtensionContext context) {
    server.close();
  }

  Redis server() {
    return server;
  }

  RedisStore store() {
    return store(server);
  }

  /** Returns a Redis as the tests' bridges use it, and as deployed ones do. */
  static RedisStore store(Redis redis) {
    return store(redis.asBridge());
  }

  /** Returns a Redis by its section, with a time-out that is long enough on a busy machine. */
  static RedisStore store(String section) {
    String yaml = "{timeout: 8s, " + section + "}";
    try {
      return new RedisStore(
          ConfigLoader.of(Map.of(), "host").parse("redis.yaml", yaml, RedisConfig.class), 1, 4);
    } catch (ConfigException e) {
      throw new IllegalArgumentException(yaml, e);
    }
  }

  String cli(String... command) {
    return server.cli(command);
  }

  /** Returns the store that bridges of this window share in it. */
  SharedStore of(Duration window) {
    return of(window, Identity.SENDER_AND_MESSAGE);
  }

  /** Returns the store that bridges of this window and this identity share. */
  SharedStore of(Duration window, Identity identity) {
    return new SharedStore() {
      @Override
      public Ledger open(String bridge, List<String> streams, Duration lease) {
        return RedisLedger.ofParts(store(), bridge, streams, window, identity, lease).get(0);
      }

      @Override
      public void remove(String stream) throws Exception {
        try (RedisStreams known = new RedisStreams(store(), window)) {
          assertThat(known.remove(stream)).isEqualTo(RedisStreams.Removal.REMOVED);
        }
      }

      @Override
      public int remembered() {
        return cli("--scan", "--pattern", "duplog:d*")
            .lines()
            .mapToInt(hash -> Integer.parseInt(cli("hlen", hash).strip()) - 1) // the filler
            .sum();
      }

      /** Sets back the times that the server has noted, because its clock is the machine's. */
      @Override
      public void pass(Duration time) {
        String set =
            """
            local by = tonumber(ARGV[1])
            redis.call('INCRBY', 'duplog:clock', -by)
            for _, bridge in ipairs(redis.call('ZRANGE', 'duplog:leases', 0, -1)) do
              redis.call('ZINCRBY', 'duplog:leases', -by, bridge)
            end
            """;
        cli("eval", set, "0", Long.toString(time.toMillis()));
      }

      @Override
      public void forgetDigests() {
        cli("--scan", "--pattern", "duplog:d*").lines().forEach(hash -> cli("del", hash));
      }

      @Override
      public void forgetAll() {
        cli("flushall");
      }
    };
  }
}
