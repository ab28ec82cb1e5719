package io.duplog.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duplog.observe.LogLines;
import io.duplog.tls.Authority;
import io.duplog.tls.ServerTlsConfig;
import io.duplog.tls.TlsConfig;
import java.io.BufferedReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the status page over HTTPS: which clients may read it, and how a refusal is explained. */
@Timeout(120)
@Tag("slow")
class EncryptedPageTest {
  @TempDir private Path folder;
  private Authority ca;
  private @Nullable ServedPage page;

  @BeforeEach
  void certify() {
    ca = new Authority(folder, "ca");
    ca.issue("server", "127.0.0.1").issue("client");
  }

  @AfterEach
  void close() {
    if (page != null) {
      page.close();
    }
  }

  private String serve(ServerTlsConfig tls) throws StatusException {
    ServedPage made = new ServedPage(tls);
    page = made;
    made.state.add("bridge", () -> "one");
    assertThat(made.url()).startsWith("https://127.0.0.1:");
    return made.url();
  }

  private static String read(String url, TlsConfig trust) throws StatusException {
    return new StateReader(url, trust).read();
  }

  @Test
  void page_isServed_toWhoTrustsIt() throws Exception {
    assertThat(read(serve(ca.server("server")), ca.client())).contains("\"bridge\":\"one\"");
  }

  @Test
  void page_thatDemandsACertificate_isServed_toWhoHasOne() throws Exception {
    String url = serve(ca.demandingServer("server"));
    assertThat(read(url, ca.client("client"))).contains("\"bridge\":\"one\"");
    assertThatThrownBy(() -> read(url, ca.client()))
        .isInstanceOf(StatusException.class)
        .hasMessageContaining(url)
        .hasMessageContaining("a client certificate, and --certificate is not set");
    assertThatThrownBy(() -> new StateReader(url, ca.client()).tap(Map.of()))
        .isInstanceOf(StatusException.class)
        .hasMessageContaining("a client certificate, and --certificate is not set");
    StateReader reader = new StateReader(url, ca.client("client"));
    assertThat(
            LogLines.of(
                Watchers.class,
                () -> {
                  try (BufferedReader tap = reader.tap(Map.of("a", "b&c"))) {
                    assertThat(tap.readLine()).startsWith("{a=b&c}xxx");
                  }
                }))
        .contains("INFO tap: 127.0.0.1 (CN=client) reads messages: /api/tap?a=b%26c");
  }

  @Test
  void page_thatIsNotTrusted_isRefused_withTheReason() throws Exception {
    String url = serve(ca.issueExpired("expired", "127.0.0.1").server("expired"));
    assertThatThrownBy(() -> read(url, ca.client()))
        .hasMessageContaining("its certificate expired on 20");
    assertThatThrownBy(() -> read(url, new TlsConfig(null, null, null)))
        .hasMessageContaining("a CA that is not trusted here: CN=ca");
    assertThatThrownBy(() -> read(url.replace("127.0.0.1", "localhost"), ca.client()))
        .isInstanceOf(StatusException.class);
  }

  @Test
  void pageAskedInPlainText_saysThatItMayHaveTls() throws Exception {
    String url = serve(ca.server("server")).replace("https:", "http:");
    assertThatThrownBy(() -> read(url, ca.client())).hasMessageContaining("status.tls");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void check_knowsTheBridgeThatHoldsThePort_byACertificateOfAnotherName(boolean demands)
      throws Exception {
    ca.issue("named", "bridge.example.com").issue("other", "bridge.example.com");
    ServerTlsConfig tls = demands ? ca.demandingServer("named") : ca.server("named");
    String listen = serve(tls).substring("https://".length());

    ListenCheck.run(new StatusConfig(listen, tls, false), "one");

    StatusConfig other = new StatusConfig(listen, ca.server("other"), false);
    assertThatThrownBy(() -> ListenCheck.run(other, "one"))
        .isInstanceOf(StatusException.class)
        .hasMessageContaining("Address already in use");
  }

  @Test
  void check_findsAPortTaken_byWhoSpeaksNoTls() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      StatusConfig config =
          new StatusConfig("127.0.0.1:" + silent.getLocalPort(), ca.server("server"), false);
      assertThatThrownBy(() -> ListenCheck.run(config, "one"))
          .isInstanceOf(StatusException.class)
          .hasMessageContaining("Address already in use");
    }
  }

  @Test
  void certificate_isReplaced_whileThePageIsServed() throws Exception {
    String url = serve(ca.issueExpired("server", "127.0.0.1").server("server"));
    assertThatThrownBy(() -> read(url, ca.client())).hasMessageContaining("expired on");
    ca.issue("server", "127.0.0.1");
    assertThat(read(url, ca.client())).contains("\"bridge\":\"one\"");
  }

  @Test
  void filesThatCanNotBeRead_stopTheStart() {
    ServerTlsConfig missing = new ServerTlsConfig(ca.path("no.pem"), ca.path("no.key"), null);
    assertThatThrownBy(() -> serve(missing))
        .isInstanceOf(StatusException.class)
        .hasMessage(
            "status.tls can't be used: " + ca.path("no.pem") + " can't be read (no such file)");
  }
}
