package io.duplog.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.dedup.redis.RedisFacts;
import io.duplog.dedup.redis.RedisSettings;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisCheckTest {
  private static final RedisSettings SETTINGS =
      new RedisSettings("redis", 6379, null, null, 0, "duplog", Duration.ofMillis(500), 1);
  private static final long GIB = 1L << 30;

  private String version = "7.0.15";
  private String role = "master";
  private String policy = "volatile-ttl";
  private long maxMemory = GIB;
  private long evicted;
  private boolean appendOnly;
  private @Nullable String save = "";
  private Duration slowest = Duration.ofMillis(2);
  private Duration typical = Duration.ofMillis(1);

  @Test
  void wellSetUp_hasNothingToSay() {
    assertThat(wrong(0)).isEmpty();
    assertThat(examine(0))
        .anySatisfy(
            finding ->
                assertThat(finding.what())
                    .contains("enough for 9725 messages/s over the window of 600 s"));
  }

  @ParameterizedTest
  @CsvSource({
    "allkeys-lru, PROBLEM, settle rule has no ground",
    "noeviction, WARNING, refuses every write",
    "volatile-lru, WARNING, young digests before old ones",
  })
  void policy_thatIsNotVolatileTtl_isNamed(String other, Severity severity, String consequence) {
    policy = other;

    assertThat(wrong(0))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(severity);
              assertThat(finding.consequence()).contains(consequence);
              assertThat(finding.remedy()).isEqualTo("maxmemory-policy volatile-ttl");
            });
  }

  @Test
  void memory_forRateAndWindow_isComputed() {
    assertThat(wrong(9_000)).isEmpty();
    assertThat(only(wrong(20_000)).what())
        .isEqualTo(
            "maxmemory is 1024 MiB; 20000 messages/s over 600 s with one stream dead take 2106"
                + " MiB");
    maxMemory = 0;
    assertThat(only(wrong(20_000)).remedy()).isEqualTo("maxmemory 2633 MiB");
    assertThat(only(wrong(0)).remedy()).contains("--rate");
  }

  @Test
  void version_tooOldForTheScripts_isAProblem() {
    version = "5.0.14";

    assertThat(only(wrong(0)).severity()).isEqualTo(Severity.PROBLEM);
  }

  @Test
  void replica_isAProblem() {
    role = "slave";

    assertThat(only(wrong(0)).consequence()).contains("takes no writes");
  }

  @Test
  void persistence_isAWarning_orUnknown() {
    save = "3600 1 300 100";
    assertThat(only(wrong(0)).what()).isEqualTo("Redis persists (save 3600 1 300 100)");
    save = "";
    appendOnly = true;
    assertThat(only(wrong(0)).what()).isEqualTo("Redis persists (append-only file)");
    appendOnly = false;
    save = null;
    assertThat(only(wrong(0)).severity()).isEqualTo(Severity.NOT_CHECKED);
  }

  @Test
  void evictions_areAWarning() {
    evicted = 17;

    assertThat(only(wrong(0)).what()).startsWith("17 keys were evicted");
  }

  @Test
  void slowRoundTrips_areAWarning() {
    typical = Duration.ofMillis(20);
    slowest = Duration.ofMillis(40);
    assertThat(only(wrong(0)).consequence()).contains("throughput is limited");
    slowest = Duration.ofMillis(300);
    assertThat(only(wrong(0)).consequence()).contains("run into their time-out");
  }

  private List<Finding> wrong(long rate) {
    return examine(rate).stream().filter(each -> each.severity() != Severity.OK).toList();
  }

  private List<Finding> examine(long rate) {
    RedisFacts facts =
        new RedisFacts(
            version,
            role,
            policy,
            maxMemory,
            1 << 20,
            evicted,
            appendOnly,
            save,
            Duration.ZERO,
            typical,
            slowest);
    Findings findings = new Findings("redis");
    new RedisCheck(SETTINGS, Duration.ofMinutes(10), rate, new Clocks(), RedisCheck.Part.ONLY)
        .judge(facts, findings);
    return findings.list();
  }

  private static Finding only(List<Finding> findings) {
    assertThat(findings).hasSize(1);
    return findings.get(0);
  }
}
