package io.duplog.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import io.duplog.dedup.redis.RedisFacts;
import io.duplog.dedup.redis.RedisSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisCheckTest {
  private static final RedisSettings SETTINGS =
      new RedisSettings(
          new RedisSettings.Server("redis", 6379),
          RedisSettings.Login.NONE,
          0,
          "duplog",
          Duration.ofMillis(500),
          1);

  private static final Map<String, String> WELL =
      Map.of(
          "version", "7.0.15",
          "role", "master",
          "policy", "volatile-ttl",
          "memory", "1073741824",
          "evicted", "0",
          "appendonly", "no",
          "save", "",
          "typical", "1",
          "slowest", "2",
          "rate", "0");

  private static List<String> told(String changes) {
    Map<String, String> facts = new HashMap<>(WELL);
    facts.putAll(Splitter.on(' ').omitEmptyStrings().withKeyValueSeparator('=').split(changes));
    String save = facts.getOrDefault("save", "");
    RedisFacts looked =
        new RedisFacts(
            facts.getOrDefault("version", ""),
            facts.getOrDefault("role", ""),
            new RedisFacts.Memory(
                facts.getOrDefault("policy", ""),
                number(facts, "memory"),
                1 << 20,
                number(facts, "evicted")),
            "yes".equals(facts.get("appendonly")),
            save.equals("unknown") ? null : save,
            Duration.ZERO,
            Duration.ofMillis(number(facts, "typical")),
            Duration.ofMillis(number(facts, "slowest")));
    RedisCheck check =
        new RedisCheck(
            SETTINGS,
            Duration.ofMinutes(10),
            number(facts, "rate"),
            new ClockCheck(),
            new RedisCheck.Part("Redis", "dedup.redis", RedisCheck.PASSES_THROUGH));
    return Told.by(findings -> check.judge(looked, check.rate(), findings));
  }

  private static long number(Map<String, String> facts, String name) {
    return Long.parseLong(facts.getOrDefault(name, ""));
  }

  @Test
  void wellSetUp_hasNothingToSay() {
    assertThat(told(""))
        .allMatch(line -> line.startsWith("OK"))
        .anyMatch(line -> line.contains("enough for 9725 messages/s over the window of 600 s"));
    assertThat(told("rate=9000")).allMatch(line -> line.startsWith("OK"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          policy=allkeys-lru; PROBLEM; settle rule has no ground
          policy=allkeys-lru; PROBLEM; | maxmemory-policy volatile-ttl
          policy=noeviction; WARNING; refuses every write
          policy=volatile-lru; WARNING; young digests before old ones
          rate=20000; WARNING; 20000 messages/s over 600 s with one stream dead take 2106 MiB
          memory=0 rate=20000; WARNING; | maxmemory 2633 MiB
          memory=0; WARNING; --rate
          version=5.0.14; PROBLEM; Redis is 5.0.14
          role=slave; PROBLEM; takes no writes
          save=3600; WARNING; Redis persists (save 3600)
          appendonly=yes; WARNING; Redis persists (append-only file)
          save=unknown; NOT_CHECKED; whether Redis writes snapshots
          evicted=17; WARNING; 17 keys were evicted
          typical=20 slowest=40; WARNING; throughput is limited
          typical=20 slowest=300; WARNING; run into their time-out
          """)
  void oneThingThatIsNotWell_isTold(String changes, String severity, String what) {
    assertThat(told(changes))
        .filteredOn(line -> !line.startsWith("OK"))
        .singleElement()
        .asString()
        .startsWith(severity)
        .contains(what);
  }
}
