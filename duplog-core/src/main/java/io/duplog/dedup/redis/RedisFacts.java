package io.duplog.dedup.redis;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a Redis says of itself.
 *
 * @param role master or slave
 * @param memory what it keeps its keys in
 * @param appendOnly whether it keeps an append-only file
 * @param save when it writes snapshots, empty for never; null where it doesn't say
 * @param ahead how far its clock is ahead of this host's
 * @param typical half of the round trips were faster
 * @param slowest of all round trips
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

  /** What follows from {@link Memory#mayEvictAnything}. */
  public static final String EVICTS_ANYTHING =
      "Redis may evict what has no TTL, such as the pending batches: the settle rule has no ground"
          + " to stand on, and messages can be lost";

  /**
   * The room for its keys.
   *
   * @param policy maxmemory-policy
   * @param most in bytes; 0 for no limit
   * @param used in bytes
   * @param evictedKeys since it started
   */
  public record Memory(String policy, long most, long used, long evictedKeys) {
    public boolean mayEvictAnything() {
      return policy.startsWith("allkeys-");
    }
  }

  static Memory memory(Map<String, String> info) {
    return new Memory(
        info.getOrDefault("maxmemory_policy", "?"),
        number(info, "maxmemory"),
        number(info, "used_memory"),
        number(info, "evicted_keys"));
  }

  static long number(Map<String, String> info, String name) {
    String value = info.getOrDefault(name, "0");
    return value.matches("\\d{1,18}") ? Long.parseLong(value) : 0;
  }

  /** Reads what {@code INFO} and {@code CLUSTER INFO} answer: lines of {@code name:value}. */
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
