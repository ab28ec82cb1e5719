package io.duplog.ingest.bulk;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.duplog.observe.LogLines;
import io.duplog.wire.Heartbeat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that the shim's HTTP server serves rsyslog despite slow or silent connections, notices when
 * rsyslog is silent, and stops cleanly.
 */
@Tag("slow")
class BulkServerConnectionsTest {
  private static final int CROWD_SIZE = 200;

  private @AutoClose BulkServerRig rig;

  @BeforeEach
  void open() throws Exception {
    rig = new BulkServerRig();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "GET / HT", "garbage\r\n\r\n"})
  void connection_withoutLogin_isClosedAndLogged(String bytes) throws Exception {
    rig.restart(50);
    List<String> lines =
        LogLines.of(
            BulkServer.class,
            () -> {
              try (Socket socket = rig.connect()) {
                socket.getOutputStream().write(bytes.getBytes(ISO_8859_1));
                assertThat(BulkServerRig.readAnswer(socket)).isEmpty();
              }
            });
    assertThat(lines).hasSize(1).first().asString().contains("closed unanswered (1 since");
  }

  /** Half of the connections are silent; the others send one byte after another. */
  @Test
  void transaction_manySilentAndSlowConnections_isAnswered() throws Exception {
    List<Socket> connections = new ArrayList<>();
    List<Future<?>> slowSenders = new ArrayList<>();
    ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    try {
      for (int i = 0; i < CROWD_SIZE; i++) {
        Socket each = rig.connect();
        connections.add(each);
        if (i % 2 == 0) {
          slowSenders.add(
              scheduler.scheduleWithFixedDelay(
                  () -> sendByte(each), 0, 200, TimeUnit.MILLISECONDS));
        }
      }
      // With so many connections, each has half a second, and rsyslog tries again, too.
      await().until(() -> rig.ask(BulkServerRig.post("h one")).startsWith("HTTP/1.1 200 "));
      assertThat(slowSenders).isNotEmpty();
    } finally {
      scheduler.shutdownNow();
      for (Socket each : connections) {
        each.close();
      }
    }
  }

  private static void sendByte(Socket socket) {
    try {
      socket.getOutputStream().write('x');
    } catch (IOException e) {
      throw new UncheckedIOException(e); // ends the periodic sending
    }
  }

  /**
   * Neither a request with an invalid login nor a health check proves that rsyslog's messages
   * arrive.
   */
  @Test
  void quietMillis_withoutTransaction_grows() throws Exception {
    assertThat(rig.quietMillisAfter(40)).isEqualTo(40_000);
    rig.ask(BulkServerRig.postWithLogin(BulkServerRig.login("duplog:wrong"), "h one"));
    rig.ask("GET /_cat/health HTTP/1.1\r\nHost: 127.0.0.1\r\n" + BulkServerRig.LOGIN + "\r\n");
    assertThat(rig.quietMillisAfter(40)).isEqualTo(80_000);

    rig.ask(BulkServerRig.post("h one"));

    assertThat(rig.quietMillisAfter(40)).isEqualTo(40_000);
  }

  @Test
  void trouble_noMarkMessagesAfterTheFirst_isReported() throws Exception {
    rig.ask(BulkServerRig.post("h one"));
    assertThat(rig.quietMillisAfter(40)).isEqualTo(40_000);
    assertThat(rig.contact.trouble()).as("not known without mark messages").isEmpty();

    rig.ask(BulkServerRig.post("h " + Heartbeat.Rsyslog.PROBE));
    assertThat(rig.quietMillisAfter(30)).isEqualTo(30_000);
    assertThat(rig.contact.trouble()).isEmpty();
    assertThat(rig.quietMillisAfter(1)).isEqualTo(31_000);

    assertThat(rig.contact.trouble()).contains("handed over nothing for more than 30 s");
  }

  @Test
  void quietMillis_duringAndAfterUnconfirmedTransaction_doesNotGrow() throws Exception {
    Future<String> answer = rig.postUnconfirmed("h 1");
    assertThat(rig.quietMillisAfter(40)).isZero();
    rig.publisher.confirming = false;
    rig.confirmation.countDown();
    assertThat(answer.get()).isEmpty();
    await().until(() -> rig.quietMillisAfter(1) <= 1000);
  }

  @Test
  void stop_duringTransaction_answersItAndAcceptsNoOther() throws Exception {
    int port = rig.server.port();
    Future<String> answer = rig.postUnconfirmed("h 1");
    Future<?> stopped =
        BulkServerRig.async(
            () -> {
              rig.server.stop();
              return null;
            });
    rig.confirmation.countDown();

    assertThat(answer.get()).startsWith("HTTP/1.1 200 ");
    stopped.get();
    assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port))
        .isInstanceOf(IOException.class);
  }

  @Test
  void open_portInUse_throwsForOperator() {
    assertThatThrownBy(() -> rig.open(rig.server.port(), BulkServer.LOGIN_MILLIS))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("listen.port " + rig.server.port())
        .hasMessageContaining("choose another");
  }

  @Test
  void isAlive_requestTakesTooLong_isFalse() throws Exception {
    assertThat(rig.server.isAlive()).isTrue();
    Future<String> answer = rig.postUnconfirmed("h 1");
    assertThat(rig.server.isAlive()).isTrue();

    rig.nanos.addAndGet(rig.server.maxStopTime().toNanos());

    assertThat(rig.server.isAlive()).isFalse();
    rig.confirmation.countDown();
    assertThat(answer.get()).startsWith("HTTP/1.1 200 ");
    await().until(rig.server::isAlive);
  }
}
