package io.duplog.doctor;

import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.redis.RedisClusterFacts;
import io.duplog.dedup.redis.RedisFacts;
import io.duplog.dedup.redis.RedisInspection;
import io.duplog.dedup.redis.RedisStore;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether Redis is reliable, and has room for a window's digests.
 *
 * @param rate most messages a second that senders log; 0 if unknown
 * @param beforeStart whether only that counts without which a bridge can't use Redis
 */
public record RedisCheck(
    RedisStore redis,
    Duration window,
    long rate,
    boolean beforeStart,
    ClockCheck clocks,
    RedisCheck.Part part)
    implements Check {
  /** Text for findings that says what happens by default if no Redis can be asked. */
  public static final String PASSES_THROUGH =
      "everything passes through undeduplicated, so that Splunk gets every message twice";

  private static final int OLDEST = 7;

  /** Median round trip above which to warn, because each batch waits for a round trip to Redis. */
  private static final Duration SLOW = Duration.ofMillis(5);

  public RedisCheck {
    clocks.expect(part.name());
  }

  /**
   * What a Redis is there for.
   *
   * @param name for findings, such as {@code Redis}
   * @param key of its section in the configuration
   * @param lossEffect what happens if this Redis can't be asked, or takes no writes
   */
  public record Part(String name, String key, String lossEffect) {}

  @Override
  public String subject() {
    return part.name() + " " + redis.address();
  }

  @Override
  public void examine(Findings findings) {
    try (RedisInspection inspection = new RedisInspection(redis)) {
      look(inspection, findings);
      if (Severity.PROBLEM.count(findings.list()) == 0) {
        inspection.probe();
        findings.ok("it takes what bridges write");
      }
    } catch (LedgerUnavailableException e) {
      findings.problem(
          String.valueOf(e.getMessage()),
          part.lossEffect(),
          "see whether "
              + (hasSentinels() ? "the master" : "Redis")
              + " runs, and "
              + part.key()
              + where()
              + ", user, password, timeout, tls");
    }
  }

  private void look(RedisInspection inspection, Findings findings)
      throws LedgerUnavailableException {
    RedisClusterFacts cluster = inspection.cluster();
    if (cluster != null) {
      examine(cluster, findings);
      return;
    }
    if (!beforeStart) {
      SentinelRule.judge(inspection.sentinels(), findings);
    }
    RedisFacts facts = inspection.facts();
    clocks.learn(part.name(), facts.ahead());
    judge(facts, rate, findings);
  }

  private String where() {
    if (redis.config().cluster() != null) {
      return ": cluster.addresses";
    }
    return hasSentinels() ? ": sentinel" : ": host, port";
  }

  private boolean hasSentinels() {
    return redis.config().sentinel() != null;
  }

  private void examine(RedisClusterFacts cluster, Findings findings) {
    if (!beforeStart) {
      ClusterRule.judge(cluster, part.lossEffect(), findings);
    }
    for (RedisClusterFacts.Master master : cluster.masters()) {
      RedisFacts facts = master.facts();
      if (facts != null && !master.parts().isEmpty()) {
        // One clock is shown for all servers, because each part goes by its own server's clock.
        clocks.learn(part.name(), facts.ahead());
        judge(facts, rate * master.parts().size() / cluster.parts(), findings.at(master.address()));
      }
    }
  }

  /**
   * Judges one server.
   *
   * @param share messages a second that this server counts
   */
  void judge(RedisFacts facts, long share, Findings findings) {
    if (!facts.role().equals("master")) {
      findings.problem(
          "this Redis is a replica (role " + facts.role() + ")",
          "it takes no writes: " + part.lossEffect(),
          hasSentinels()
              ? "wait for a failover to end; else see what the sentinels log"
              : part.key() + ".host of the master");
    }
    policy(facts, findings);
    if (!beforeStart) {
      version(facts.version(), findings);
      memory(facts.memory(), share, findings);
      persistence(facts.appendOnly(), facts.save(), findings);
      pace(facts, findings);
    }
  }

  private void version(String version, Findings findings) {
    String major = version.split("\\.", 2)[0];
    if (major.matches("\\d{1,4}") && Integer.parseInt(major) >= OLDEST) {
      findings.ok("Redis is " + version);
    } else {
      findings.problem(
          "Redis is " + version,
          "the scripts were never tried there; where one fails, " + part.lossEffect(),
          "Redis 7 or newer");
    }
  }

  private void policy(RedisFacts facts, Findings findings) {
    String policy = facts.memory().policy();
    if (policy.equals("volatile-ttl")) {
      findings.ok("maxmemory-policy is volatile-ttl: nothing but cache entries can be evicted");
    } else if (facts.memory().mayEvictAnything()) {
      findings.problem(
          "maxmemory-policy is " + policy,
          RedisFacts.EVICTS_ANYTHING,
          "maxmemory-policy volatile-ttl");
    } else if (policy.equals("noeviction")) {
      findings.warning(
          "maxmemory-policy is noeviction",
          "a full Redis refuses every write, where volatile-ttl would forget the oldest digests: "
              + part.lossEffect(),
          "maxmemory-policy volatile-ttl");
    } else {
      findings.warning(
          "maxmemory-policy is " + policy,
          "a full Redis forgets young digests before old ones: more duplicates than need be",
          "maxmemory-policy volatile-ttl");
    }
    long evicted = facts.memory().evictedKeys();
    if (evicted > 0) {
      findings.warning(
          evicted + " keys were evicted since Redis was started",
          "each holds up to half a window's digests, whose copies come twice if they were still to"
              + " come",
          "a larger maxmemory, or a shorter dedup.window");
    }
  }

  private void memory(RedisFacts.Memory memory, long rate, Findings findings) {
    long seconds = Math.max(1, window.toSeconds());
    long perRate = seconds * RedisInspection.KEPT_WINDOWS * RedisInspection.DIGEST_BYTES;
    long needed = rate * perRate;
    if (memory.most() == 0) {
      findings.warning(
          "maxmemory is not set; "
              + (rate > 0
                  ? "%s would be needed".formatted(mib(needed))
                  : "a digest takes %d bytes".formatted(RedisInspection.DIGEST_BYTES)),
          "while a stream is dead every message of a window is remembered; Redis grows until the"
              + " kernel kills something",
          "maxmemory " + (rate > 0 ? mib(needed * 5 / 4) : "(give --rate to have it computed)"));
      return;
    }
    long affords = memory.most() / perRate;
    if (needed > memory.most()) {
      findings.warning(
          "maxmemory is %s; %d messages/s over %d s with one stream dead take %s"
              .formatted(mib(memory.most()), rate, seconds, mib(needed)),
          "digests are evicted when a stream is away for long: duplicates when it comes back",
          "maxmemory " + mib(needed * 5 / 4) + ", or a shorter dedup.window");
    } else {
      findings.ok(
          "maxmemory is %s (%s in use): enough for %d messages/s over the window of %d s, even with one stream dead"
              .formatted(mib(memory.most()), mib(memory.used()), affords, seconds));
    }
  }

  private static String mib(long bytes) {
    return "%d MiB".formatted((bytes + (1 << 20) - 1) >> 20);
  }

  private static void persistence(boolean appendOnly, @Nullable String save, Findings findings) {
    if (appendOnly || (save != null && !save.isEmpty())) {
      findings.warning(
          "Redis persists (" + (appendOnly ? "append-only file" : "save " + save) + ")",
          "it costs memory and pauses for nothing: what an earlier run has left is never read",
          "save \"\" and appendonly no");
    } else if (save == null) {
      findings.notChecked(
          "whether Redis writes snapshots: it doesn't show its configuration",
          "save \"\" in redis.conf");
    } else {
      findings.ok("Redis does not persist");
    }
  }

  private void pace(RedisFacts facts, Findings findings) {
    String times =
        "a round trip takes %s, at worst %s"
            .formatted(Times.millis(facts.typical()), Times.millis(facts.slowest()));
    if (facts.slowest().multipliedBy(2).compareTo(redis.config().timeout()) > 0) {
      findings.warning(
          times
              + ", and "
              + part.key()
              + ".timeout is "
              + redis.config().timeout().toMillis()
              + " ms",
          "calls run into their time-out, and what they ask for passes through undeduplicated",
          "a Redis that is nearer, or has less else to do");
    } else if (facts.typical().compareTo(SLOW) > 0) {
      findings.warning(
          times,
          "each batch waits for one: throughput is limited to receive.workers batches in that time",
          "a Redis that is nearer; or more receive.workers");
    } else {
      findings.ok(times);
    }
  }
}
