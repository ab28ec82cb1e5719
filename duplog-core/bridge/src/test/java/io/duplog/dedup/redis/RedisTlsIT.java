package io.duplog.dedup.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duplog.dedup.Identity;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.parts.Redis;
import io.duplog.tls.Authority;
import io.duplog.tls.TlsConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that a bridge and a real Redis accept only valid certificates of each other, and that each
 * refusal names its reason.
 */
class RedisTlsIT {
  @TempDir private static Path folder;
  private static Authority ca;
  private static @AutoClose Redis redis;

  @BeforeAll
  static void start() {
    ca = new Authority(folder, "ca").issue("client");
    redis = Redis.encrypted(ca, "redis");
  }

  @BeforeEach
  void showTheRightOne() {
    redis.show(ca, "redis");
  }

  private static RedisStore store(@Nullable TlsConfig tls, int port) {
    return store(tls, "host: %s, port: %d".formatted(redis.host(), port));
  }

  private static RedisStore store(@Nullable TlsConfig tls, String place) {
    return FlushedRedis.store(
        "%s, user: %s, password: %s%s".formatted(place, Redis.USER, Redis.PASSWORD, section(tls)));
  }

  private static String section(@Nullable TlsConfig tls) {
    if (tls == null) {
      return "";
    }
    return tls.certificate() == null
        ? ", tls: {ca: %s}".formatted(tls.ca())
        : ", tls: {ca: %s, certificate: %s, key: %s}"
            .formatted(tls.ca(), tls.certificate(), tls.key());
  }

  private static RedisLedger ledger(RedisStore store) {
    return RedisLedger.ofParts(
            store,
            "bridge",
            List.of("a", "b"),
            Duration.ofMinutes(1),
            Identity.SENDER_AND_MESSAGE,
            Duration.ofSeconds(5))
        .get(0);
  }

  private static void refused(@Nullable TlsConfig tls, int port, String... words) {
    try (RedisLedger ledger = ledger(store(tls, port))) {
      assertThatThrownBy(ledger::probe)
          .isInstanceOf(LedgerUnavailableException.class)
          .hasMessageStartingWith("Redis " + redis.host() + ":" + port + " unavailable (")
          .hasMessageNotContaining("\n")
          .hasMessageContainingAll(words);
    }
  }

  private static void refused(TlsConfig tls, String... words) {
    refused(tls, redis.tlsPort(), words);
  }

  @Test
  void redis_thatIsNotTheRightOne_isRefused_withTheReason() {
    new Authority(folder, "other");
    refused(
        new TlsConfig(ca.path("other.pem"), ca.path("client.pem"), ca.path("client.key")),
        "its certificate is of a CA that is not trusted here: CN=ca");
    redis.show(ca.issueExpired("expired", redis.host()), "expired");
    refused(ca.client("client"), "its certificate expired on 20");
    redis.show(ca.issue("elsewhere", "b.example.net"), "elsewhere");
    refused(ca.client("client"), "its certificate is for b.example.net, not for " + redis.host());
  }

  @Test
  void wayThatIsNotTheServers_isNamed() {
    refused(null, redis.tlsPort(), "if this is its port for TLS, add a section tls");
    refused(ca.client("client"), redis.port(), "it does not answer the TLS handshake: ");
  }

  @Test
  void client_thatIsNotTheRightOne_isToldWhy() {
    refused(ca.client(), "a client certificate, and tls.certificate is not set");
    refused(ca.issueExpired("late").client("late"), "our certificate", "late.pem expired on");
    // Its word, "unknown CA", may be lost where ours crosses it.
    new Authority(folder, "foreign").issue("stranger");
    refused(
        new TlsConfig(ca.path("ca.pem"), ca.path("stranger.pem"), ca.path("stranger.key")),
        "our certificate " + ca.path("stranger.pem"));
  }

  @Test
  void everyWayToRedis_isInTls() throws Exception {
    TlsConfig tls = ca.client("client");
    String sentinel =
        "sentinel: {addresses: ['%s:%d']%s}"
            .formatted(redis.host(), redis.startEncryptedSentinel(), section(tls));

    try (RedisInspection inspection = new RedisInspection(store(tls, redis.tlsPort()));
        RedisLedger ledger = ledger(store(tls, sentinel));
        RedisLedger plain = ledger(store(null, sentinel))) {
      assertThat(inspection.facts().role()).isEqualTo("master");
      ledger.probe();
      assertThatThrownBy(plain::probe)
          .hasMessageStartingWith(
              "Redis %s:%d unavailable (".formatted(redis.host(), redis.tlsPort()));
    }
  }

  @Test
  void certificates_areReplaced_underALivingLedger() throws Exception {
    try (RedisLedger ledger = ledger(store(ca.client("client"), redis.tlsPort()))) {
      ledger.probe();
      ca = new Authority(folder, "ca").issue("client").issue("redis", redis.host());
      redis.show(ca, "redis");
      redis.cli("client", "kill", "type", "normal");
      Awaitility.await()
          .ignoreExceptionsInstanceOf(LedgerUnavailableException.class)
          .untilAsserted(ledger::probe);
    }
  }
}
