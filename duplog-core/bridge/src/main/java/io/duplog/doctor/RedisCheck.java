package io.duplog.doctor;

import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.redis.RedisClusterFacts;
import io.duplog.dedup.redis.RedisFacts;
import io.duplog.dedup.redis.RedisInspection;
import io.duplog.dedup.redis.RedisStore;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether Redis is configured to keep its data safe, and has enough memory for the digests
 * of a window.
 *
 * @param rate peak number of messages that senders log per second, or 0 if unknown
 * @param beforeStart whether to check only what a bridge needs to use Redis
 */
public record RedisCheck(
    RedisStore redis,
    Duration window,
    long rate,
    boolean beforeStart,
    ClockCheck clocks,
    RedisCheck.Part part)
    implements Check {
  /** Clause for findings that says what happens by default if no Redis is available. */
  public static final String PASSES_THROUGH =
      "all messages pass through undeduplicated, so Splunk gets every message twice";

  private static final int MIN_MAJOR = 7;

  /** Median round trip above which to warn, because each batch waits for a round trip. */
  private static final Duration SLOW_ROUND_TRIP = Duration.ofMillis(5);

  public RedisCheck {
    clocks.expect(part.name());
  }

  /**
   * The role of a Redis in the deployment.
   *
   * @param name for findings, such as {@code Redis}
   * @param key the key of its section in the configuration
   * @param lossEffect what happens if this Redis is unavailable or accepts no writes
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
        findings.ok("it accepts the bridges' writes");
      }
    } catch (LedgerUnavailableException e) {
      findings.problem(
          String.valueOf(e.getMessage()),
          part.lossEffect(),
          "check whether "
              + (hasSentinels() ? "the master" : "Redis")
              + " runs, and check "
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
    clocks.record(part.name(), facts.ahead());
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
        // One clock is reported for all servers, because each part uses its own server's clock.
        clocks.record(part.name(), facts.ahead());
        judge(facts, rate * master.parts().size() / cluster.parts(), findings.at(master.address()));
      }
    }
  }

  /**
   * Judges one server.
   *
   * @param messagesPerSecond messages per second that this server counts
   */
  void judge(RedisFacts facts, long messagesPerSecond, Findings findings) {
    if (!facts.role().equals("master")) {
      findings.problem(
          "this Redis is a replica (role " + facts.role() + ")",
          "it accepts no writes: " + part.lossEffect(),
          hasSentinels()
              ? "wait until a failover has ended; otherwise check the sentinels' logs"
              : "set " + part.key() + ".host to the master");
    }
    policy(facts, findings);
    if (!beforeStart) {
      version(facts.version(), findings);
      memory(facts.memory(), messagesPerSecond, findings);
      persistence(facts.appendOnly(), facts.save(), findings);
      pace(facts, findings);
    }
  }

  private void version(String version, Findings findings) {
    String major = version.split("\\.", 2)[0];
    if (major.matches("\\d{1,4}") && Integer.parseInt(major) >= MIN_MAJOR) {
      findings.ok("Redis is " + version);
    } else {
      findings.problem(
          "Redis is " + version,
          "the scripts were never tested with it; if one fails, " + part.lossEffect(),
          "use Redis 7 or newer");
    }
  }

  private void policy(RedisFacts facts, Findings findings) {
    String policy = facts.memory().policy();
    if (policy.equals("volatile-ttl")) {
      findings.ok("maxmemory-policy is volatile-ttl: only cache entries can be evicted");
    } else if (facts.memory().mayEvictAnything()) {
      findings.problem(
          "maxmemory-policy is " + policy,
          RedisFacts.EVICTS_ANYTHING,
          "maxmemory-policy volatile-ttl");
    } else if (policy.equals("noeviction")) {
      findings.warning(
          "maxmemory-policy is noeviction",
          "a full Redis rejects every write, whereas volatile-ttl would forget the oldest digests: "
              + part.lossEffect(),
          "maxmemory-policy volatile-ttl");
    } else {
      findings.warning(
          "maxmemory-policy is " + policy,
          "a full Redis forgets recent digests before old ones, which causes unnecessary duplicates",
          "maxmemory-policy volatile-ttl");
    }
    long evicted = facts.memory().evictedKeys();
    if (evicted > 0) {
      findings.warning(
          evicted + " keys were evicted since Redis was started",
          "each had up to half a window's digests; copies of these messages that arrived later were"
              + " delivered twice",
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
          "while a stream is dead, every message of a window is remembered; Redis grows until the"
              + " kernel kills a process",
          "maxmemory " + (rate > 0 ? mib(needed * 5 / 4) : "(give --rate to have it computed)"));
      return;
    }
    long affords = memory.most() / perRate;
    if (needed > memory.most()) {
      findings.warning(
          "maxmemory is %s, but %s is needed: %d messages/s are remembered for %d s while one stream is dead"
              .formatted(mib(memory.most()), mib(needed), rate, seconds),
          "digests are evicted if a stream is down for long, which causes duplicates when it returns",
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
          "persistence costs memory and causes pauses, but data of an earlier run is never read",
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
          "calls time out, and their messages pass through undeduplicated",
          "use a Redis that is nearer or less busy");
    } else if (facts.typical().compareTo(SLOW_ROUND_TRIP) > 0) {
      findings.warning(
          times,
          "each batch waits for a round trip, which limits throughput to receive.workers batches in that time",
          "use a Redis that is nearer, or raise receive.workers");
    } else {
      findings.ok(times);
    }
  }
}
