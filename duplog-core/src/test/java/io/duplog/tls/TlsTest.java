package io.duplog.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.google.common.base.Throwables;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/**
 * Both ends of the same class, over real sockets: who is let in, and what is said of the others.
 */
@Timeout(120)
class TlsTest {
  @TempDir private Path folder;

  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private final Logger logger = (Logger) LoggerFactory.getLogger(Tls.class);
  private Authority ca;
  private @Nullable ServerSocket server;

  @BeforeEach
  void certify() {
    log.start();
    logger.addAppender(log);
    ca = new Authority(folder, "ca");
    ca.issue("server", "localhost", "127.0.0.1").issue("client");
  }

  @AfterEach
  void stop() throws IOException {
    logger.detachAppender(log);
    if (server != null) {
      server.close();
    }
  }

  private int serve(ServerTlsConfig config, String... protocols) throws IOException {
    Tls tls = Tls.ofServer("test", config);
    SSLServerSocket made =
        (SSLServerSocket)
            tls.context()
                .getServerSocketFactory()
                .createServerSocket(0, 50, InetAddress.getLoopbackAddress());
    SSLParameters parameters = tls.parameters();
    if (protocols.length > 0) {
      parameters.setProtocols(protocols);
    }
    made.setSSLParameters(parameters);
    return answer(made);
  }

  /** A greeting to each who is let in. */
  private int answer(ServerSocket made) {
    server = made;
    Thread thread =
        new Thread(
            () -> {
              while (!made.isClosed()) {
                try (Socket socket = made.accept()) {
                  socket.getOutputStream().write("hello".getBytes(US_ASCII));
                } catch (IOException e) {
                  // its client says why
                }
              }
            });
    thread.setDaemon(true);
    thread.start();
    return made.getLocalPort();
  }

  /** The serial number of the certificate that was shown. */
  private static String ask(Tls tls, String host, int port) throws IOException {
    try (SSLSocket socket = (SSLSocket) tls.sockets().createSocket()) {
      socket.connect(new InetSocketAddress(host, port));
      socket.setSoTimeout(30_000);
      assertThat(socket.getInputStream().read()).isEqualTo('h');
      assertThat(socket.getSession().getProtocol()).isIn("TLSv1.3", "TLSv1.2");
      return ((X509Certificate) socket.getSession().getPeerCertificates()[0])
          .getSerialNumber()
          .toString();
    }
  }

  /**
   * What the operator reads at last. A reset can overtake the alert while our side of the handshake
   * still writes (then the log has the hint only), and a later attempt is told why.
   */
  private static String refusal(TlsConfig config, String host, int port) {
    Tls tls = Tls.ofClient("test", config);
    return Awaitility.await().until(() -> attempt(tls, host, port), Objects::nonNull);
  }

  private static @Nullable String attempt(Tls tls, String host, int port) {
    try {
      ask(tls, host, port);
    } catch (IOException e) {
      return Throwables.getRootCause(e) instanceof SocketException ? null : tls.reason(e);
    }
    throw new AssertionError("was let in");
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  void rightCertificates_areLetIn(String protocol) throws Exception {
    int port = serve(ca.demandingServer("server"), protocol);
    Tls client = Tls.ofClient("test", ca.client("client"));
    ask(client, "localhost", port);
    ask(client, "127.0.0.1", port);
  }

  @Test
  void server_ofAnUnknownCa_isRefused_withItsIssuer() throws Exception {
    int port = serve(ca.server("server"));
    TlsConfig other = new TlsConfig(other().path("other.pem"), null, null);
    assertThat(refusal(other, "localhost", port))
        .isEqualTo(
            "its certificate is of a CA that is not trusted here: CN=ca is not in "
                + folder.resolve("other.pem"));
    assertThat(refusal(new TlsConfig(null, null, null), "localhost", port))
        .endsWith("CN=ca is not in what Java trusts; set tls.ca");
  }

  @Test
  void server_ofACaOfTheSameName_isRefused() throws Exception {
    int port = serve(ca.server("server"));
    new Authority(Files.createDirectory(folder.resolve("fake")), "ca");
    TlsConfig fake = new TlsConfig(folder.resolve("fake/ca.pem").toString(), null, null);
    assertThat(refusal(fake, "localhost", port))
        .startsWith("its certificate is of a CA that is not");
  }

  @Test
  void server_ofAnotherName_isRefused_withTheNamesItHas() throws Exception {
    int port = serve(ca.issue("elsewhere", "b.example.net", "10.1.2.3").server("elsewhere"));
    assertThat(refusal(ca.client(), "localhost", port))
        .isEqualTo("its certificate is for b.example.net, 10.1.2.3, not for localhost");
    assertThat(refusal(ca.client(), "127.0.0.1", port)).endsWith("not for 127.0.0.1");
    server.close();
    port = serve(ca.server("client"));
    assertThat(refusal(ca.client(), "localhost", port)).contains("subjectAltName is missing");
  }

  @Test
  void server_thatExpired_isRefused_withTheDate() throws Exception {
    int port = serve(ca.issueExpired("expired", "localhost").server("expired"));
    assertThat(refusal(ca.client(), "localhost", port))
        .matches("its certificate expired on 20\\d\\d-\\d\\d-\\d\\dT.*Z");
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  void client_withoutACertificate_isToldSo(String protocol) throws Exception {
    int port = serve(ca.demandingServer("server"), protocol);
    assertThat(refusal(ca.client(), "localhost", port))
        .contains("demands a client certificate")
        .contains("tls.certificate");
  }

  @Test
  void client_ofAnUnknownCa_isToldSo() throws Exception {
    int port = serve(ca.demandingServer("server"));
    other().issue("stranger");
    TlsConfig stranger =
        new TlsConfig(ca.path("ca.pem"), ca.path("stranger.pem"), ca.path("stranger.key"));
    assertThat(refusal(stranger, "localhost", port))
        .contains("our certificate " + ca.path("stranger.pem"))
        .contains("CN=other");
  }

  @Test
  void client_thatExpired_isToldSo_withTheDate() throws Exception {
    int port = serve(ca.demandingServer("server"));
    assertThat(refusal(ca.issueExpired("late").client("late"), "localhost", port))
        .matches("our certificate .*late.pem expired on 20.*Z, and it refuses it");
  }

  @Test
  void serverWithoutTls_isToldSo() throws Exception {
    int port = answer(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
    assertThat(refusal(ca.client(), "localhost", port))
        .isEqualTo(
            "it answers without TLS: is this its port for TLS? Else turn TLS on there, or off here"
                + " (http://, or no section tls)");
  }

  @Test
  void connection_whoseNameNobodyVerifies_isRefused() throws Exception {
    int port = serve(ca.server("server"));
    Tls tls = Tls.ofClient("test", ca.client());
    try (Socket socket = tls.context().getSocketFactory().createSocket("localhost", port)) {
      assertThatThrownBy(() -> ((SSLSocket) socket).startHandshake())
          .hasMessageContaining("whose name nobody verifies");
    }
  }

  @Test
  void filesOfBothSides_areReplaced_underLivingEnds() throws Exception {
    int port = serve(ca.demandingServer("server"));
    Tls client = Tls.ofClient("broker a", ca.client("client"));
    String before = ask(client, "localhost", port);

    // Another CA of the same name, and everything anew: nobody of before is trusted any more.
    ca = new Authority(folder, "ca");
    ca.issue("server", "localhost", "127.0.0.1").issue("client");

    // A session lives for a second, in which it is resumed.
    Awaitility.await().until(() -> !ask(client, "localhost", port).equals(before));
    assertThat(messages(Level.INFO))
        .contains("TLS of broker a: the files were replaced, new connections use the new ones");
    assertThat(messages(Level.WARN)).isEmpty();
  }

  @Test
  void clientThatIsTrustedNoMore_isRefused_evenIfItWasJustLetIn() throws Exception {
    int port = serve(ca.demandingServer("server"));
    Tls client = Tls.ofClient("broker a", ca.client("client"));
    ask(client, "localhost", port);
    Files.copy(
        Path.of(other().path("other.pem")),
        folder.resolve("ca.pem"),
        StandardCopyOption.REPLACE_EXISTING);

    // A session lives for a second, in which it is resumed.
    Awaitility.await()
        .until(
            () -> {
              try {
                ask(client, "localhost", port);
                return false;
              } catch (IOException e) {
                return client.reason(e) != null;
              }
            });
  }

  @Test
  void replacementThatIsHalfWritten_changesNothing_andIsWarnedOfOnce() throws Exception {
    int port = serve(ca.demandingServer("server"));
    Tls client = Tls.ofClient("broker a", ca.client("client"));
    ask(client, "localhost", port);
    Path key = folder.resolve("client.key");
    String whole = Files.readString(key);

    Files.writeString(key, whole.substring(0, 60));
    ask(client, "localhost", port);
    ask(client, "localhost", port);
    assertThat(messages(Level.WARN))
        .containsExactly(
            "TLS of broker a: "
                + key
                + " holds no PEM private key (BEGIN PRIVATE KEY): what was read before stays in"
                + " use, the files are read again at the next connection");

    Files.delete(key);
    ask(client, "localhost", port);
    Files.writeString(key, whole);
    ask(client, "localhost", port);
    assertThat(messages(Level.INFO)).anyMatch(line -> line.startsWith("TLS of broker a is well"));
  }

  @Test
  void certificateWithoutItsNewKey_changesNothing() throws Exception {
    int port = serve(ca.demandingServer("server"));
    Tls client = Tls.ofClient("broker a", ca.client("client"));
    ask(client, "localhost", port);
    ca.issue("next");

    Files.copy(
        folder.resolve("next.pem"),
        folder.resolve("client.pem"),
        StandardCopyOption.REPLACE_EXISTING);
    ask(client, "localhost", port);
    assertThat(messages(Level.WARN))
        .singleElement()
        .asString()
        .contains("client.key is not the key of the certificate CN=next");
  }

  @Test
  void filesThatCanNotBeRead_areNamed_asLongAsThereIsNothingToGoOnWith() throws Exception {
    assertThatThrownBy(() -> context(new TlsConfig(ca.path("no.pem"), null, null)))
        .hasMessage(ca.path("no.pem") + " can't be read (no such file)");
    assertThatThrownBy(() -> context(new TlsConfig(ca.path("client.key"), null, null)))
        .hasMessageStartingWith(ca.path("client.key") + " holds no PEM certificates");
    assertThatThrownBy(() -> context(new TlsConfig(null, ca.path("ca.pem"), ca.path("client.key"))))
        .hasMessageStartingWith(ca.path("client.key") + " is not the key of the certificate CN=ca");
    Tls late = Tls.ofClient("test", new TlsConfig(ca.path("late.pem"), null, null));
    assertThatThrownBy(() -> late.sockets().createSocket()).hasMessageContaining("late.pem");
    Files.copy(folder.resolve("ca.pem"), folder.resolve("late.pem"));
    ask(late, "localhost", serve(ca.server("server")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"RSA PRIVATE KEY", "EC PRIVATE KEY", "ENCRYPTED PRIVATE KEY"})
  void keyInAnotherForm_isRefused_withTheCommandThatConvertsIt(String form) throws Exception {
    Path key = folder.resolve("old.key");
    Files.writeString(key, "-----BEGIN " + form + "-----\nMHc=\n-----END " + form + "-----\n");
    assertThatThrownBy(
            () -> context(new TlsConfig(null, ca.path("client.pem"), ca.path("old.key"))))
        .hasMessage(
            "%1$s holds a key in another form (BEGIN %2$s); convert it: openssl pkcs8 -topk8 -nocrypt -in %1$s -out %1$s.pkcs8"
                .formatted(key, form));
  }

  private static void context(TlsConfig config) throws IOException {
    Tls.ofClient("test", config).context();
  }

  private Authority other() {
    return new Authority(folder, "other");
  }

  private List<String> messages(Level level) {
    return log.list.stream()
        .filter(event -> event.getLevel() == level)
        .map(ILoggingEvent::getFormattedMessage)
        .filter(message -> message.contains("broker a"))
        .toList();
  }
}
