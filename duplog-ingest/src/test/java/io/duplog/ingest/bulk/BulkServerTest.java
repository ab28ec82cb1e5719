package io.duplog.ingest.bulk;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.observe.LogLines;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that the shim's HTTP server answers rsyslog's requests only with a valid login and after
 * their messages are confirmed.
 */
@Tag("slow")
class BulkServerTest {
  private @AutoClose BulkServerRig rig;

  @BeforeEach
  void open() throws Exception {
    rig = new BulkServerRig();
  }

  @Test
  void transactions_onOneConnection_areAnsweredLikeElasticsearch() throws Exception {
    try (Socket socket = rig.connect()) {
      for (int i = 0; i < 3; i++) {
        String request = BulkServerRig.post("h one", "h " + i);
        socket.getOutputStream().write(request.getBytes(ISO_8859_1));
        assertThat(BulkServerRig.readAnswer(socket))
            .startsWith("HTTP/1.1 200 ")
            .contains("\"errors\":false,\"items\":[]");
      }
    }
    assertThat(rig.publisher.messages())
        .containsExactly("h one", "h 0", "h one", "h 1", "h one", "h 2");
  }

  /** rsyslog 8.2302 interprets any answer as success. */
  @Test
  void transaction_unconfirmed_isNotAnswered() throws Exception {
    rig.publisher.confirming = false;
    assertThat(rig.ask(BulkServerRig.post("h one"))).isEmpty();
  }

  @Test
  void transaction_unexpectedError_isNotAnsweredAndLogged() throws Exception {
    rig.publisher.beforeConfirm =
        () -> {
          throw new NoClassDefFoundError("ZstdCompressCtx");
        };
    List<String> lines =
        LogLines.of(
            BulkServer.class, () -> assertThat(rig.ask(BulkServerRig.post("h one"))).isEmpty());
    rig.publisher.beforeConfirm = () -> {};

    assertThat(lines)
        .containsExactly(
            "ERROR a transaction can't be handled: rsyslog sends it again, and waits meanwhile");
    assertThat(rig.ask(BulkServerRig.post("h one"))).startsWith("HTTP/1.1 200 ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "duplog:wrong", "other:secret", "duplog:"})
  void request_invalidLogin_isNotAnsweredOrPublished(String user) throws Exception {
    String shown = user.isEmpty() ? "" : BulkServerRig.login(user);
    List<String> lines =
        LogLines.of(
            BulkServer.class,
            () -> {
              for (int i = 0; i < 3; i++) {
                assertThat(rig.ask(BulkServerRig.postWithLogin(shown, "h forged"))).isEmpty();
              }
            });

    assertThat(lines).hasSize(1).first().asString().contains("listen.password as its pwd");
    assertThat(rig.publisher.submittedBatches).isEmpty();
  }

  /** omelasticsearch sends these requests if it is configured differently. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          compress           | HTTP/1.1 | HTTP/1.1\\r\\nContent-Encoding: gzip | compress="off"
          bulkmode off       | /_bulk   | /duplog/events                  | bulkmode="on"
          another operation  | index    | create                          | no writeoperation
          no index at all    | {"index" | <13>"index"                     | bulkmode="on"
          no end of the line | e\\n     | ee                              | bulkmode="on"
          """)
  void request_otherForm_isNotAnsweredAndLogNamesParameter(
      String name, String form, String other, String remedy) throws Exception {
    String request = BulkServerRig.post("h one").replace(unescaped(form), unescaped(other));
    List<String> lines =
        LogLines.of(
            BulkServer.class,
            () -> {
              for (int i = 0; i < 3; i++) {
                assertThat(rig.ask(request)).as(name).isEmpty();
              }
              assertThat(rig.quietMillisAfter(40)).isEqualTo(40_000);
              assertThat(rig.ask(BulkServerRig.post("h two"))).startsWith("HTTP/1.1 200 ");
            });

    assertThat(lines).hasSize(2);
    assertThat(lines.get(0))
        .startsWith("WARN rsyslog's transactions can't be read")
        .contains(remedy);
    assertThat(lines.get(1)).startsWith("INFO the form of rsyslog's requests recovered");
    assertThat(rig.publisher.messages()).containsExactly("h two");
  }

  private static String unescaped(String text) {
    return text.replace("\\r", "\r").replace("\\n", "\n");
  }

  @Test
  void healthCheck_validLogin_isAnswered() throws Exception {
    String healthCheck = "GET /_cat/health HTTP/1.1\r\nHost: 127.0.0.1\r\n";

    assertThat(rig.ask(healthCheck + BulkServerRig.LOGIN + "\r\n")).startsWith("HTTP/1.1 200 ");
    assertThat(rig.ask(healthCheck + "\r\n")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"garbage\r\n\r\n", "GET /", "POST /_bulk HTTP/9.9\r\n\r\n"})
  void invalidHttp_isNotAnswered(String bytes) throws Exception {
    try (Socket socket = rig.connect()) {
      socket.getOutputStream().write(bytes.getBytes(ISO_8859_1));
      socket.shutdownOutput();
      assertThat(BulkServerRig.readAnswer(socket)).isEmpty();
    }
  }

  /**
   * The transaction of another worker can't be handled while the broker is unavailable, and is sent
   * again.
   */
  @Test
  void secondTransaction_whileFirstWaits_isNotAnsweredAndPublishedOnce() throws Exception {
    Future<String> first = rig.postUnconfirmed("h 1");

    assertThat(rig.ask(BulkServerRig.post("h 2"))).isEmpty();
    rig.confirmation.countDown();

    assertThat(first.get()).startsWith("HTTP/1.1 200 ");
    assertThat(rig.ask(BulkServerRig.post("h 2"))).startsWith("HTTP/1.1 200 ");
    assertThat(rig.publisher.messages()).containsExactly("h 1", "h 2");
  }

  @Test
  void putAndDelete_validLogin_areNotAnswered() throws Exception {
    String put = BulkServerRig.post("h 1").replaceFirst("POST", "PUT");

    assertThat(rig.ask(put)).isEmpty();
    assertThat(rig.ask(put.replaceFirst("PUT", "DELETE"))).isEmpty();
    assertThat(rig.publisher.submittedBatches).isEmpty();
  }

  @Test
  void request_connectionLost_isNotPublished() throws Exception {
    String whole = BulkServerRig.post("h one", "h two");
    try (Socket socket = rig.connect()) {
      socket.getOutputStream().write(whole.substring(0, whole.length() - 3).getBytes(ISO_8859_1));
    }

    assertThat(rig.ask(BulkServerRig.post("h three"))).startsWith("HTTP/1.1 200 ");
    assertThat(rig.publisher.messages()).containsExactly("h three");
  }
}
