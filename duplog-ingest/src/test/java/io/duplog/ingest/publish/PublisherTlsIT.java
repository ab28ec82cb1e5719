package io.duplog.ingest.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duplog.config.Secret;
import io.duplog.parts.RabbitMq;
import io.duplog.tls.Authority;
import io.duplog.tls.TlsConfig;
import io.duplog.wire.Topology;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that the publisher connects by TLS to a real RabbitMQ that requires client certificates,
 * and explains each refusal.
 */
class PublisherTlsIT {
  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(60);

  @TempDir private static Path folder;
  private static Authority ca;
  private static @AutoClose RabbitMq broker;

  @BeforeAll
  static void start() {
    ca = new Authority(folder, "ca").issue("client");
    broker = RabbitMq.encrypted(ca, "broker");
  }

  @BeforeEach
  void useValidBrokerCertificate() {
    broker.show(ca, "broker");
  }

  private static BrokerSettings settings(TlsConfig tls) {
    return new BrokerSettings(
        broker.host(),
        broker.tlsPort(),
        "/",
        "guest",
        new Secret("guest"),
        "duplog",
        Topology.QueueType.CLASSIC,
        1,
        true,
        Duration.ofSeconds(10),
        Duration.ofSeconds(10),
        tls);
  }

  private static void assertRefused(TlsConfig tls, String... expectedTexts) {
    assertThatThrownBy(() -> Publishing.check(settings(tls), "syslog-a", 1 << 20))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(
            "broker syslog-a (" + broker.host() + ":" + broker.tlsPort() + ") unreachable")
        .hasMessageNotContaining("\n")
        .hasMessageContainingAll(expectedTexts);
  }

  @Test
  void check_invalidBrokerCertificate_isRefusedWithReason() throws Exception {
    Publishing.check(settings(ca.client("client")), "syslog-a", 1 << 20);
    new Authority(folder, "other");
    assertRefused(
        new TlsConfig(ca.path("other.pem"), ca.path("client.pem"), ca.path("client.key")),
        "its certificate is of a CA that is not trusted here: CN=ca");
    broker.show(ca.issueExpired("expired", broker.host()), "expired");
    assertRefused(ca.client("client"), "its certificate expired on 20");
    broker.show(ca.issue("elsewhere", "b.example.net"), "elsewhere");
    assertRefused(
        ca.client("client"), "its certificate is for b.example.net, not for " + broker.host());
  }

  @Test
  void check_invalidClientCertificate_getsReason() {
    assertRefused(ca.client(), "a client certificate, and tls.certificate is not set");
    assertRefused(ca.issueExpired("late").client("late"), "our certificate", "late.pem expired on");
  }

  @Test
  void submit_replacedCertificates_areUsed() throws Exception {
    try (BatchPublisher publisher =
        Publishing.to(
            settings(ca.client("client")), HeartbeatSettings.NONE, null, "syslog-a", 1 << 20)) {
      publisher.start();
      publisher.submit(Batches.of("id-1"));
      assertThat(publisher.awaitConfirmed(TIMEOUT_NANOS)).isTrue();

      ca = new Authority(folder, "ca").issue("client").issue("broker", broker.host());
      broker.show(ca, "broker");
      broker.closeConnections("renewal");
      publisher.submit(Batches.of("id-2"));
      assertThat(publisher.awaitConfirmed(TIMEOUT_NANOS)).isTrue();
    }
  }
}
