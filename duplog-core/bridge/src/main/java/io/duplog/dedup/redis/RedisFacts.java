package io.duplog.dedup.redis;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.UnifiedJedis;

/**
 * The facts that the doctor judges about a Redis server, such as its memory and its snapshots.
 *
 * @param role the role as Redis names it, which is {@code master} for a server that is not a
 *     replica
 * @param memory limit and use of its memory
 * @param appendOnly whether the server keeps an append-only file
 * @param save when the server writes snapshots, or empty for never, or null if it hides the setting
 * @param ahead how far the server's clock is ahead of this host's clock
 * @param typical median of the round trips
 * @param slowest longest of the round trips
 */
public record RedisFacts(
    String version,
    String role,
    Memory memory,
    boolean appendOnly,
    @Nullable String save,
    Duration ahead,
    Duration typical,
    Duration slowest) {

  /** Warning for an operator if {@link Memory#mayEvictAnything} is true. */
  public static final String EVICTS_ANYTHING =
      "Redis may evict keys without a TTL, such as the pending batches. Then bridges settle too early,"
          + " and messages can be lost";

  /** Sentences for an operator that say what it means if Redis forgot digests too soon. */
  public static final String FORGOTTEN =
      "Messages whose digests were forgotten may be delivered twice. No message is lost, and no node is"
          + " at fault. Coverage does not compare them";

  /**
   * Limit and use of a server's memory.
   *
   * @param policy the setting {@code maxmemory-policy}
   * @param most limit in bytes, or 0 for no limit
   * @param used bytes in use
   * @param evictedKeys number of keys that were evicted since the server started
   */
  public record Memory(String policy, long most, long used, long evictedKeys) {
    public boolean mayEvictAnything() {
      return policy.startsWith("allkeys-");
    }

    /** Returns why digests are missing before their window has ended. */
    public String causeOfForgetting() {
      return evictedKeys > 0
          ? "Redis evicted digests before their window ended: its maxmemory, %d MiB, is too small"
              .formatted(most >> 20)
          : "digests disappeared from Redis before their window ended, although Redis evicted"
              + " nothing: another client deleted them";
    }

    /** Returns the remedy for the {@link #causeOfForgetting}. */
    public String remedyOfForgetting() {
      return evictedKeys > 0
          ? "raise maxmemory, or shorten dedup.window"
          : "let no other program use Duplog's prefix, and don't run DEL or UNLINK by hand";
    }
  }

  static Memory memory(Map<String, String> info) {
    return new Memory(
        info.getOrDefault("maxmemory_policy", "?"),
        number(info, "maxmemory"),
        number(info, "used_memory"),
        number(info, "evicted_keys"));
  }

  /**
   * Queries the id that a server gave itself when it started. Two connections lead to the same
   * server if both return the same id, whatever names were used.
   *
   * @return the id, or null if the server hides it
   */
  static @Nullable String runId(UnifiedJedis redis) {
    String id = fields(redis.info("server")).getOrDefault("run_id", "");
    return id.isBlank() ? null : id;
  }

  static long number(Map<String, String> info, String name) {
    String value = info.getOrDefault(name, "0");
    return value.matches("\\d{1,18}") ? Long.parseLong(value) : 0;
  }

  /** Parses {@code name:value} lines, such as Redis' answer to {@code INFO}. */
  static Map<String, String> fields(String info) {
    Map<String, String> fields = new HashMap<>();
    info.lines()
        .forEach(
            line -> {
              int colon = line.indexOf(':');
              if (colon > 0) {
                fields.put(line.substring(0, colon), line.substring(colon + 1));
              }
            });
    return fields;
  }
}
