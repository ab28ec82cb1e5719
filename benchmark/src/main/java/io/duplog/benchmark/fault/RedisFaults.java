package io.duplog.benchmark.fault;

import io.duplog.rig.LabException;
import io.duplog.rig.RedisProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** A Redis that answers, and not as it should. */
final class RedisFaults {
  private static final int SECONDS = 10;
  private static final int LONG_SECONDS = 20;
  private static final int SNAPSHOT_AGE_SECONDS = 3;
  private static final int RESTART_SECONDS = 5;
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration HOUR = Duration.ofHours(1);

  /** A lease, and what it takes to deliver what its bridge had held. */
  private static final int LEASE_SECONDS = 15;

  private static final String MAXMEMORY = "maxmemory";
  private static final String POLICY = "maxmemory-policy";
  private static final String LAB_MAXMEMORY = "256mb";
  private static final String LAB_POLICY = "volatile-ttl";
  private static final int PRESSURE_KEYS = 2000;

  /** Nothing listens there. */
  private static final String NO_PORT = "1";

  private RedisFaults() {}

  static List<Fault> all() {
    return List.of(
        Fault.of(
                "redis-flushall",
                "FLUSHALL, three times",
                scene -> scene.repeat(3, 1, again -> again.lab().redis().command("FLUSHALL")))
            .allowing(ExpectedDuplicates.redisForgot(0).times(3)),
        Fault.of(
                "redis-oom",
                "Redis out of memory with noeviction for " + SECONDS + " s",
                RedisFaults::outOfMemory)
            .allowing(ExpectedDuplicates.redisAway(SECONDS)),
        Fault.of(
                "redis-evicting",
                "Redis evicts digests under pressure for " + SECONDS + " s",
                RedisFaults::evicting)
            .allowing(ExpectedDuplicates.redisForgot(SECONDS)),
        Fault.of(
                "redis-readonly",
                "Redis is a replica, READONLY, for " + SECONDS + " s",
                RedisFaults::readOnly)
            .allowing(ExpectedDuplicates.redisAway(SECONDS)),
        Fault.of(
                "redis-snapshot",
                "Redis killed, and started with a snapshot that is "
                    + SNAPSHOT_AGE_SECONDS
                    + " s old",
                RedisFaults::oldSnapshot)
            .allowing(ExpectedDuplicates.redisAway(RESTART_SECONDS)),
        Fault.of(
                "redis-local",
                "SIGSTOP of Redis for "
                    + LONG_SECONDS
                    + " s, with one bridge and dedup.when-unavailable: local",
                scene -> scene.freeze(List.of(scene.redis()), Duration.ofSeconds(LONG_SECONDS)))
            .inSetup(Setup.LOCAL)
            .allowing(ExpectedDuplicates.redisReplaced()),
        clock(
                "redis-clock-back",
                "kill -9 of one bridge, Redis's clock set back by an hour, the bridge started again"
                    + " after "
                    + LEASE_SECONDS
                    + " s",
                scene -> {
                  scene.burn(List.of(scene.bridge().server()));
                  scene.lab().redisClock().set(HOUR.negated());
                  scene.hold(LEASE_SECONDS);
                  scene.revive(List.of(scene.bridge().server()));
                })
            .allowing(ExpectedDuplicates.bridgeLost(1).and(ExpectedDuplicates.redisForgot(0))),
        clock(
            "redis-clock-forward",
            "Redis's clock set forward by a minute: more than a lease, less than a window",
            scene -> {
              scene.lab().redisClock().set(MINUTE);
              scene.hold(LEASE_SECONDS);
            }),
        clock(
                "redis-clock-hour",
                "Redis's clock set forward by an hour: more than a window",
                scene -> {
                  scene.lab().redisClock().set(HOUR);
                  scene.hold(LEASE_SECONDS);
                })
            .allowing(ExpectedDuplicates.redisForgot(0)));
  }

  private static Fault clock(String name, String what, Fault.Strike strike) {
    return Fault.of(name, what, strike)
        .inSetup(Setup.SETTABLE_REDIS_CLOCK)
        .pausingAtMost(Fault.BRIDGE_DIED);
  }

  private static void outOfMemory(Scene scene) throws IOException, InterruptedException {
    RedisProcess redis = scene.lab().redis();
    redis.command("CONFIG", "SET", POLICY, "noeviction");
    redis.command("CONFIG", "SET", MAXMEMORY, "1mb");
    scene.hold(SECONDS);
    redis.command("CONFIG", "SET", MAXMEMORY, LAB_MAXMEMORY);
    redis.command("CONFIG", "SET", POLICY, LAB_POLICY);
  }

  /** Others' keys with a TTL push out what has one of Duplog's. */
  private static void evicting(Scene scene) throws IOException, InterruptedException {
    RedisProcess redis = scene.lab().redis();
    redis.command("CONFIG", "SET", MAXMEMORY, "4mb");
    String ballast = "x".repeat(4096);
    long end = System.nanoTime() + Duration.ofSeconds(SECONDS).toNanos();
    for (int i = 0; System.nanoTime() - end < 0; i = (i + 1) % PRESSURE_KEYS) {
      redis.command("SET", "ballast:" + i, ballast, "EX", "3600");
      scene.hold(Duration.ofMillis(2));
    }
    redis.command("CONFIG", "SET", MAXMEMORY, LAB_MAXMEMORY);
  }

  private static void readOnly(Scene scene) throws IOException, InterruptedException {
    RedisProcess redis = scene.lab().redis();
    redis.command("REPLICAOF", "127.0.0.1", NO_PORT);
    scene.hold(SECONDS);
    redis.command("REPLICAOF", "NO", "ONE");
  }

  private static void oldSnapshot(Scene scene)
      throws LabException, IOException, InterruptedException {
    scene.lab().redis().command("SAVE");
    scene.hold(SNAPSHOT_AGE_SECONDS);
    scene.redis().kill();
    scene.revive(List.of(scene.redis()));
  }
}
