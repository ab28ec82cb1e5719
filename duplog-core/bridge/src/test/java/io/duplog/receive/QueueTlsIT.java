package io.duplog.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duplog.amqp.BrokerLogin;
import io.duplog.parts.RabbitMq;
import io.duplog.tls.Authority;
import io.duplog.tls.Tls;
import io.duplog.tls.TlsConfig;
import io.duplog.wire.Topology;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that a bridge and a real RabbitMQ accept only valid certificates of each other, and that
 * each refusal names its reason.
 */
class QueueTlsIT {
  @TempDir private static Path folder;
  private static Authority ca;
  private static @AutoClose RabbitMq broker;

  @BeforeAll
  static void start() {
    ca = new Authority(folder, "ca").issue("client");
    broker = RabbitMq.encrypted(ca, "broker");
  }

  private static QueueSettings settings(@Nullable TlsConfig tls, int port) {
    Duration patience = Duration.ofSeconds(10);
    @Nullable Tls ours = tls == null ? null : Tls.ofClient("broker a", tls);
    return TestQueues.of(
        "a",
        new BrokerLogin(broker.host(), port, "/", "guest", "guest", patience, patience, ours),
        Topology.QueueType.CLASSIC,
        10);
  }

  private static QueueSettings settings(TlsConfig tls) {
    return settings(tls, broker.tlsPort());
  }

  private static void refused(QueueSettings settings, String... words) {
    assertThatThrownBy(() -> QueueProbe.open(settings))
        .hasMessageStartingWith("broker a " + broker.host() + ":" + settings.login().port() + " ")
        .hasMessageNotContaining("\n")
        .hasMessageContainingAll(words);
  }

  /** The shim's operator reads the same words: PublisherTlsIT has more cases. */
  @Test
  void whoIsNotTheRightOne_isRefused_withTheReason() {
    new Authority(folder, "other").issue("stranger");
    refused(
        settings(new TlsConfig(ca.path("other.pem"), ca.path("client.pem"), ca.path("client.key"))),
        "unreachable by TLS: its certificate is of a CA that is not trusted here: CN=ca");
    // Its word, "unknown CA", may be lost where ours crosses it.
    refused(settings(ca.client("stranger")), "our certificate " + ca.path("stranger.pem"));
    refused(settings(ca.client("client"), broker.port()), "is this its port for TLS?");
    refused(
        settings(null, broker.tlsPort()),
        "unreachable (",
        "if this is its port for TLS, add a section tls");
  }

  @Test
  void everyWayToTheBroker_works_andTheConsumerGoesOnWhenCertificatesAreReplaced()
      throws Exception {
    QueueSettings settings = settings(ca.client("client"));
    QueueConsumer consumer =
        new QueueConsumer(
            settings,
            AcknowledgePolicy.EACH,
            new HeldBytes(1 << 20),
            Delivery::settle,
            QueueConsumer.Environment.ofSystem());
    try (consumer;
        QueueProbe probe = QueueProbe.open(settings);
        DeadLetterQueue letters = DeadLetterQueue.open(settings)) {
      consumer.start();
      awaitWell(consumer);
      assertThat(probe.canary().confirmedNanos()).isPositive();
      assertThat(letters.depth()).isZero();

      // Everything is new, also the CA, so nobody can connect by the old one.
      ca = new Authority(folder, "ca").issue("client").issue("broker", broker.host());
      broker.show(ca, "broker");
      broker.closeConnections("renewal");
      awaitWell(consumer);
      QueueProbe.open(settings).close();
    }
  }

  /** A probe's connection may be closed between two questions. */
  @Test
  void connectionThatTheBrokerCloses_isOneLine_whateverIsAsked() throws Exception {
    QueueSettings settings = settings(ca.client("client"));
    try (QueueProbe probe = QueueProbe.open(settings)) {
      probe.queue();
      broker.closeConnections("maintenance");

      Awaitility.await().untilAsserted(() -> isClosed(probe::queue));
      isClosed(probe::deadLetterQueue);
      isClosed(() -> probe.sees("duplog.doctor.none"));
      isClosed(probe::mark);
      isClosed(probe::headStream);
      isClosed(probe::canary);
      isClosed(probe::broker);
    }
  }

  private static void isClosed(ThrowingCallable question) {
    assertThatThrownBy(question)
        .isInstanceOf(IOException.class)
        .hasMessage(
            "broker a %s:%d queue duplog closed (CONNECTION_FORCED - maintenance)",
            broker.host(), broker.tlsPort());
  }

  private static void awaitWell(QueueConsumer consumer) {
    Awaitility.await().until(() -> consumer.isConsuming() && consumer.trouble() == null);
  }
}
