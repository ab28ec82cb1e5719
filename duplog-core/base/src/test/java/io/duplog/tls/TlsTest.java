package io.duplog.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.duplog.observe.LogLines;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests both ends over real sockets: who is let in, and what is said of the others. */
@Timeout(120)
@Tag("slow")
class TlsTest {
  @TempDir private Path folder;

  /** Server names (SNI) of the clients that were greeted. */
  private final List<String> serverNames = new CopyOnWriteArrayList<>();

  private Authority ca;
  private @Nullable ServerSocket server;

  @BeforeEach
  void certify() {
    ca = new Authority(folder, "ca");
    ca.issue("server", "localhost", "127.0.0.1").issue("client");
  }

  @AfterEach
  void stop() throws IOException {
    if (server != null) {
      server.close();
    }
  }

  private int serve(ServerTlsConfig config, String... protocols) throws IOException {
    return serve(config, false, protocols);
  }

  private int serve(ServerTlsConfig config, boolean hangsUp, String... protocols)
      throws IOException {
    Tls tls = Tls.ofServer("test", config);
    SSLParameters parameters = tls.parameters();
    if (protocols.length > 0) {
      parameters.setProtocols(protocols);
    }
    SSLSocketFactory sockets = tls.context().getSocketFactory();
    return answer(
        plain -> {
          SSLSocket socket = (SSLSocket) sockets.createSocket(plain, null, false);
          socket.setSSLParameters(parameters);
          return socket;
        },
        hangsUp);
  }

  private interface Encryption {
    Socket of(Socket plain) throws IOException;
  }

  /**
   * Sends a greeting to each client that is let in.
   *
   * @param hangsUp by a reset, which may overtake what was sent; otherwise what the client sends is
   *     read until it hangs up, so that everything reaches it
   */
  private int answer(Encryption encryption, boolean hangsUp) throws IOException {
    ServerSocket made = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    server = made;
    Runnable greeting =
        () -> {
          while (!made.isClosed()) {
            try (Socket plain = made.accept()) {
              greet(encryption.of(plain));
              if (hangsUp) {
                plain.setSoLinger(true, 0);
              } else {
                plain.getInputStream().transferTo(OutputStream.nullOutputStream());
              }
            } catch (IOException e) {
              // its client says why
            }
          }
        };
    new Thread(greeting).start();
    return made.getLocalPort();
  }

  private void greet(Socket client) {
    try {
      client.getOutputStream().write("hello".getBytes(US_ASCII));
      if (client instanceof SSLSocket encrypted
          && encrypted.getSession() instanceof ExtendedSSLSession session) {
        session.getRequestedServerNames().stream()
            .map(name -> new String(name.getEncoded(), US_ASCII))
            .forEach(serverNames::add);
      }
    } catch (IOException e) {
      // the client was sent an alert
    }
  }

  /** Returns the certificate that the server showed. */
  private static String ask(Tls tls, String host, int port) throws IOException {
    try (SSLSocket socket = (SSLSocket) tls.sockets().createSocket()) {
      socket.connect(new InetSocketAddress(host, port));
      socket.setSoTimeout(30_000);
      assertThat(socket.getInputStream().read()).isEqualTo('h');
      assertThat(socket.getSession().getProtocol()).isIn("TLSv1.3", "TLSv1.2");
      return socket.getSession().getPeerCertificates()[0].toString();
    }
  }

  /** Returns what the operator reads. */
  private String refusal(TlsConfig config, String host, int port) {
    Tls tls = Tls.ofClient("test", config);
    Throwable failure = catchThrowable(() -> ask(tls, host, port));
    String reason = tls.reason(failure);
    return inTable(reason == null ? failure.getMessage() + tls.hint() : reason, folder);
  }

  /** Returns the words of a client whose certificate a server demands and does not trust. */
  private String refusalOf(@Nullable String ours, boolean hangsUp, String protocol)
      throws Exception {
    other().issue("stranger");
    ca.issueExpired("late");
    int port = serve(ca.demandingServer("server"), hangsUp, protocol);
    return refusal(ours == null ? ca.client() : ca.client(ours), "localhost", port);
  }

  static String inTable(String words, Path folder) {
    return words
        .replace(folder.toString(), "FOLDER")
        .replaceAll("20\\d\\d-\\d\\d-\\d\\dT\\S*Z", "DATE");
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  void rightCertificates_areLetIn(String protocol) throws Exception {
    int port = serve(ca.demandingServer("server"), protocol);
    Tls client = Tls.ofClient("test", ca.client("client"));
    ask(client, "localhost", port);
    ask(client, "127.0.0.1", port);
  }

  /**
   * The sockets are made as AMQP's client, a URL's or Redis's client, and HTTP's client make
   * theirs.
   */
  @Test
  void nameThatEndsInADot_isVerifiedAndSent_withoutIt() throws Exception {
    ca.issue("named", "node-a.test");
    int port = serve(ca.server("named"));
    byte[] loopback = InetAddress.getLoopbackAddress().getAddress();
    for (String host : List.of("node-a.test", "node-a.test.", "NODE-A.test.")) {
      Tls client = Tls.ofClient("test", ca.client());
      InetSocketAddress server =
          new InetSocketAddress(InetAddress.getByAddress(host, loopback), port);
      try (Socket later = client.socketsTo(host).createSocket()) {
        later.connect(server);
        assertThat(later.getInputStream().read()).isEqualTo('h');
      }
      try (Socket plain = new Socket()) {
        plain.connect(server);
        Socket layered = client.sockets().createSocket(plain, host, port, true);
        assertThat(layered.getInputStream().read()).isEqualTo('h');
      }
      assertThat(client.contextFor(host).createSSLEngine("10.0.0.7", port).getPeerHost())
          .isEqualToIgnoringCase("node-a.test");
      assertThat(client.parametersFor(host).getServerNames()).hasSize(1);
    }
    Awaitility.await().until(() -> serverNames.size() == 6);
    assertThat(serverNames).allMatch(name -> name.equalsIgnoreCase("node-a.test"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"node_a", "10.0.0.7", "::1", "[::1]", ".", "a..b"})
  void nameThatCanNotBeSent_isNone(String host) {
    assertThat(Tls.ofClient("test", ca.client()).parametersFor(host).getServerNames()).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # server's  | its CA that we trust | host      | what is said
          server      | other/other          | localhost | its certificate is of a CA that is not trusted here: CN=ca is not in FOLDER/other/other.pem
          server      |                      | localhost | its certificate is of a CA that is not trusted here: CN=ca is not in what Java trusts; set tls.ca
          server      | other/ca             | localhost | its certificate is of a CA that is not trusted here: CN=ca is not in FOLDER/other/ca.pem
          elsewhere   | ca                   | localhost | its certificate is for b.example.net, 10.1.2.3, not for localhost
          elsewhere   | ca                   | 127.0.0.1 | its certificate is for b.example.net, 10.1.2.3, not for 127.0.0.1
          dns         | ca                   | 127.0.0.1 | its certificate is for b.example.net, 127.0.0.1, not for 127.0.0.1: an address counts only as IP:127.0.0.1 in subjectAltName, not as DNS:127.0.0.1
          dotted      | ca                   | localhost | its certificate is for localhost., not for localhost: in a certificate no name ends in a dot
          uri         | ca                   | localhost | its certificate is for no name (subjectAltName is missing; the common name does not count), not for localhost
          client      | ca                   | localhost | its certificate is for no name (subjectAltName is missing; the common name does not count), not for localhost
          expired     | ca                   | localhost | its certificate expired on DATE
          """)
  void server_thatIsNotTrusted_isRefused_withTheReason(
      String shown, @Nullable String trusted, String host, String reason) throws Exception {
    Path other = Files.createDirectory(folder.resolve("other"));
    new Authority(other, "other");
    new Authority(other, "ca"); // of the same name
    ca.issue("elsewhere", "b.example.net", "10.1.2.3").issueExpired("expired", "localhost");
    ca.issue("dns", "b.example.net", "DNS:127.0.0.1").issue("dotted", "localhost.");
    ca.issue("uri", "URI:https://localhost");
    TlsConfig client =
        new TlsConfig(trusted == null ? null : ca.path(trusted + ".pem"), null, null);
    assertThat(refusal(client, host, serve(ca.server(shown)))).isEqualTo(reason);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # protocol | ours     | what is said
          TLSv1.3    |          | it demands a client certificate, and tls.certificate is not set
          TLSv1.2    |          | it demands a client certificate, and tls.certificate is not set
          TLSv1.3    | stranger | it refuses our certificate FOLDER/stranger.pem of CN=stranger, issued by CN=other (certificate_unknown)
          TLSv1.3    | late     | our certificate FOLDER/late.pem expired on DATE, and it refuses it
          """)
  void client_thatIsNotTrusted_isToldSo(String protocol, @Nullable String ours, String reason)
      throws Exception {
    assertThat(refusalOf(ours, false, protocol)).isEqualTo(reason);
  }

  /** Whether the alert or the reset arrives differs each time, and with it the beginning. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # protocol | ours     | what is said
          TLSv1.3    |          | a client certificate, and tls.certificate is not set
          TLSv1.2    |          | a client certificate, and tls.certificate is not set
          TLSv1.3    | stranger | our certificate FOLDER/stranger.pem
          TLSv1.2    | stranger | our certificate FOLDER/stranger.pem
          TLSv1.3    | late     | our certificate FOLDER/late.pem expired on DATE
          TLSv1.2    | late     | our certificate FOLDER/late.pem expired on DATE
          """)
  void client_thatIsHungUpOn_isToldSo_evenIfTheAlertIsLost(
      String protocol, @Nullable String ours, String words) throws Exception {
    assertThat(refusalOf(ours, true, protocol)).contains(words);
  }

  @Test
  void serverWithoutTls_isToldSo() throws Exception {
    int port = answer(plain -> plain, false);
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

  /**
   * Returns what is logged of the client's hop while it asks, has a file changed, and asks again.
   */
  private List<String> logged(Tls client, int port, LogLines.Steps change) throws Exception {
    ask(client, "localhost", port);
    return LogLines.of(
            Tls.class,
            () -> {
              change.run();
              ask(client, "localhost", port);
              ask(client, "localhost", port);
            })
        .stream()
        .filter(line -> line.contains("broker a"))
        .toList();
  }

  @Test
  void filesOfBothSides_areReplaced_underLivingEnds() throws Exception {
    int port = serve(ca.demandingServer("server"));
    Tls client = Tls.ofClient("broker a", ca.client("client"));
    String before = ask(client, "localhost", port);
    List<String> lines =
        logged(
            client,
            port,
            () -> {
              // Another CA of the same name issues new certificates; no earlier one is trusted any
              // more.
              ca = new Authority(folder, "ca");
              ca.issue("server", "localhost", "127.0.0.1").issue("client");
              // A session lives for a second, in which it is resumed.
              Awaitility.await().until(() -> !ask(client, "localhost", port).equals(before));
            });
    assertThat(lines)
        .contains("INFO TLS of broker a: the files were replaced, new connections use the new ones")
        .noneMatch(line -> line.startsWith("WARN"));
  }

  @Test
  void clientThatIsTrustedNoMore_isRefused_evenIfItWasJustLetIn() throws Exception {
    int port = serve(ca.demandingServer("server"));
    Tls client = Tls.ofClient("broker a", ca.client("client"));
    ask(client, "localhost", port);
    other();
    replace("ca.pem", "other.pem");

    // A session lives for a second, in which it is resumed.
    Awaitility.await()
        .untilAsserted(
            () ->
                assertThatThrownBy(() -> ask(client, "localhost", port))
                    .extracting(client::reason)
                    .isNotNull());
  }

  @Test
  void replacementThatIsHalfWritten_changesNothing_andIsWarnedOfOnce() throws Exception {
    int port = serve(ca.demandingServer("server"));
    Tls client = Tls.ofClient("broker a", ca.client("client"));
    Path key = folder.resolve("client.key");
    String whole = Files.readString(key);
    assertThat(logged(client, port, () -> Files.writeString(key, whole.substring(0, 60))))
        .containsExactly(
            "WARN TLS of broker a: "
                + key
                + ": the key is cut off: it has BEGIN PRIVATE KEY and no END PRIVATE KEY: what was"
                + " read before stays in use, the files are read again at the next connection");
    Files.delete(key);
    assertThat(logged(client, port, () -> Files.writeString(key, whole)))
        .anyMatch(line -> line.startsWith("INFO TLS of broker a is well"));
  }

  @ParameterizedTest
  @CsvSource({"client.pem, certificate 1", "client.key, the key", "ca.pem, certificate 1"})
  void replacementWhoseBase64IsDamaged_changesNothing_andIsNamed(String name, String block)
      throws Exception {
    int port = serve(ca.demandingServer("server"));
    Tls client = Tls.ofClient("broker a", ca.client("client"));
    Path file = folder.resolve(name);
    String damaged = Files.readString(file).replaceFirst("(?s)-\\n.*\\n-", "-\nMIIBA\n-");
    assertThat(logged(client, port, () -> Files.writeString(file, damaged)))
        .singleElement()
        .asString()
        .startsWith("WARN TLS of broker a: " + file + ": " + block + " can't be read (its base64")
        .contains("what was read before stays in use");
    assertThatThrownBy(() -> context(ca.client("client")))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(file + ": " + block + " can't be read (its base64 is damaged");
  }

  @Test
  void certificateWithoutItsNewKey_changesNothing() throws Exception {
    int port = serve(ca.demandingServer("server"));
    Tls client = Tls.ofClient("broker a", ca.client("client"));
    ca.issue("next");
    assertThat(logged(client, port, () -> replace("client.pem", "next.pem")))
        .singleElement()
        .asString()
        .contains("client.key is not the key of the certificate CN=next");
  }

  private void replace(String file, String by) throws IOException {
    Files.copy(folder.resolve(by), folder.resolve(file), StandardCopyOption.REPLACE_EXISTING);
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
  @ValueSource(strings = {"RSA PRIVATE KEY", "EC PRIVATE KEY"})
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
}
