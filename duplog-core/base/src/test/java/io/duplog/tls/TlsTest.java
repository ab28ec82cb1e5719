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

/** Tests over real sockets which certificates TLS accepts, and that a refusal names its reason. */
@Timeout(120)
@Tag("slow")
class TlsTest {
  @TempDir private Path folder;

  /** Server names (SNI) that the accepted clients sent. */
  private final List<String> serverNames = new CopyOnWriteArrayList<>();

  private Authority ca;
  private @Nullable ServerSocket server;

  @BeforeEach
  void issueCertificates() {
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

  private int serve(ServerTlsConfig config, boolean resets, String... protocols)
      throws IOException {
    Tls tls = Tls.ofServer("test", config);
    SSLParameters parameters = tls.parameters();
    if (protocols.length > 0) {
      parameters.setProtocols(protocols);
    }
    SSLSocketFactory sockets = tls.context().getSocketFactory();
    return startServer(
        plain -> {
          SSLSocket socket = (SSLSocket) sockets.createSocket(plain, null, false);
          socket.setSSLParameters(parameters);
          return socket;
        },
        resets);
  }

  private interface SocketWrapper {
    Socket of(Socket plain) throws IOException;
  }

  /**
   * Starts a server that sends a greeting to each accepted client.
   *
   * @param resets whether the server resets each connection, which may overtake sent data;
   *     otherwise it reads until the client closes, so that all data reach the client
   */
  private int startServer(SocketWrapper encryption, boolean resets) throws IOException {
    ServerSocket serverSocket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    server = serverSocket;
    Runnable greeting =
        () -> {
          while (!serverSocket.isClosed()) {
            try (Socket plain = serverSocket.accept()) {
              sendGreeting(encryption.of(plain));
              if (resets) {
                plain.setSoLinger(true, 0);
              } else {
                plain.getInputStream().transferTo(OutputStream.nullOutputStream());
              }
            } catch (IOException e) {
              // the client reports the reason
            }
          }
        };
    new Thread(greeting).start();
    return serverSocket.getLocalPort();
  }

  private void sendGreeting(Socket client) {
    try {
      client.getOutputStream().write("hello".getBytes(US_ASCII));
      if (client instanceof SSLSocket encrypted
          && encrypted.getSession() instanceof ExtendedSSLSession session) {
        session.getRequestedServerNames().stream()
            .map(name -> new String(name.getEncoded(), US_ASCII))
            .forEach(serverNames::add);
      }
    } catch (IOException e) {
      // the client has received an alert
    }
  }

  /** Connects, and returns the server's certificate. */
  private static String connect(Tls tls, String host, int port) throws IOException {
    try (SSLSocket socket = (SSLSocket) tls.sockets().createSocket()) {
      socket.connect(new InetSocketAddress(host, port));
      socket.setSoTimeout(30_000);
      assertThat(socket.getInputStream().read()).isEqualTo('h');
      assertThat(socket.getSession().getProtocol()).isIn("TLSv1.3", "TLSv1.2");
      return socket.getSession().getPeerCertificates()[0].toString();
    }
  }

  /** Returns the description of a refused connection for the operator. */
  private String refusal(TlsConfig config, String host, int port) {
    Tls tls = Tls.ofClient("test", config);
    Throwable failure = catchThrowable(() -> connect(tls, host, port));
    String reason = tls.reason(failure);
    return normalized(reason == null ? failure.getMessage() + tls.hint() : reason, folder);
  }

  /**
   * Returns the client's description for a server that requires a client certificate and does not
   * trust this one.
   */
  private String refusalByServer(@Nullable String certificate, boolean resets, String protocol)
      throws Exception {
    otherAuthority().issue("stranger");
    ca.issueExpired("late");
    int port = serve(ca.demandingServer("server"), resets, protocol);
    return refusal(certificate == null ? ca.client() : ca.client(certificate), "localhost", port);
  }

  static String normalized(String words, Path folder) {
    return words
        .replace(folder.toString(), "FOLDER")
        .replaceAll("20\\d\\d-\\d\\d-\\d\\dT\\S*Z", "DATE");
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  void connect_validCertificates_succeeds(String protocol) throws Exception {
    int port = serve(ca.demandingServer("server"), protocol);
    Tls client = Tls.ofClient("test", ca.client("client"));
    connect(client, "localhost", port);
    connect(client, "127.0.0.1", port);
  }

  /**
   * The sockets are created in the same ways as by the AMQP client, by URL and Redis clients, and
   * by the HTTP client.
   */
  @Test
  void connect_nameWithTrailingDot_isVerifiedAndSentWithoutDot() throws Exception {
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
  void parametersFor_invalidName_hasNoServerName(String host) {
    assertThat(Tls.ofClient("test", ca.client()).parametersFor(host).getServerNames()).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # server's  | trusted CA           | host      | description
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
  void connect_untrustedServer_isRefusedWithReason(
      String shown, @Nullable String trusted, String host, String reason) throws Exception {
    Path other = Files.createDirectory(folder.resolve("other"));
    new Authority(other, "other");
    new Authority(other, "ca"); // another CA with the same name
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
          # protocol | client's | description
          TLSv1.3    |          | it demands a client certificate, and tls.certificate is not set
          TLSv1.2    |          | it demands a client certificate, and tls.certificate is not set
          TLSv1.3    | stranger | it refuses our certificate FOLDER/stranger.pem of CN=stranger, issued by CN=other (certificate_unknown)
          TLSv1.3    | late     | our certificate FOLDER/late.pem expired on DATE, and it refuses it
          """)
  void connect_untrustedClient_getsReason(
      String protocol, @Nullable String certificate, String reason) throws Exception {
    assertThat(refusalByServer(certificate, false, protocol)).isEqualTo(reason);
  }

  /** Either the alert or the reset arrives first; so the beginning of the description varies. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # protocol | client's | description
          TLSv1.3    |          | a client certificate, and tls.certificate is not set
          TLSv1.2    |          | a client certificate, and tls.certificate is not set
          TLSv1.3    | stranger | our certificate FOLDER/stranger.pem
          TLSv1.2    | stranger | our certificate FOLDER/stranger.pem
          TLSv1.3    | late     | our certificate FOLDER/late.pem expired on DATE
          TLSv1.2    | late     | our certificate FOLDER/late.pem expired on DATE
          """)
  void connect_untrustedClientAndReset_getsReasonWithoutAlert(
      String protocol, @Nullable String certificate, String words) throws Exception {
    assertThat(refusalByServer(certificate, true, protocol)).contains(words);
  }

  @Test
  void connect_serverWithoutTls_getsReason() throws Exception {
    int port = startServer(plain -> plain, false);
    assertThat(refusal(ca.client(), "localhost", port))
        .isEqualTo(
            "it answers without TLS: is this its port for TLS? Else turn TLS on there, or off here"
                + " (http://, or no section tls)");
  }

  @Test
  void connect_withoutNameVerification_isRefused() throws Exception {
    int port = serve(ca.server("server"));
    Tls tls = Tls.ofClient("test", ca.client());
    try (Socket socket = tls.context().getSocketFactory().createSocket("localhost", port)) {
      assertThatThrownBy(() -> ((SSLSocket) socket).startHandshake())
          .hasMessageContaining("whose name nobody verifies");
    }
  }

  /**
   * Connects, changes a file, and connects twice more. Returns the log lines of the client's hop.
   */
  private List<String> linesWhile(Tls client, int port, LogLines.Steps change) throws Exception {
    connect(client, "localhost", port);
    return LogLines.of(
            Tls.class,
            () -> {
              change.run();
              connect(client, "localhost", port);
              connect(client, "localhost", port);
            })
        .stream()
        .filter(line -> line.contains("broker a"))
        .toList();
  }

  @Test
  void connect_replacedFilesOnBothSides_areUsed() throws Exception {
    int port = serve(ca.demandingServer("server"));
    Tls client = Tls.ofClient("broker a", ca.client("client"));
    String before = connect(client, "localhost", port);
    List<String> lines =
        linesWhile(
            client,
            port,
            () -> {
              // Another CA with the same name issues new certificates. The earlier certificates are
              // no longer trusted.
              ca = new Authority(folder, "ca");
              ca.issue("server", "localhost", "127.0.0.1").issue("client");
              // A session lives for a second, in which it is resumed.
              Awaitility.await().until(() -> !connect(client, "localhost", port).equals(before));
            });
    assertThat(lines)
        .contains("INFO TLS of broker a: the files were replaced, new connections use the new ones")
        .noneMatch(line -> line.startsWith("WARN"));
  }

  @Test
  void connect_clientNoLongerTrusted_isRefused() throws Exception {
    int port = serve(ca.demandingServer("server"));
    Tls client = Tls.ofClient("broker a", ca.client("client"));
    connect(client, "localhost", port);
    otherAuthority();
    replace("ca.pem", "other.pem");

    // A session lives for a second, in which it is resumed.
    Awaitility.await()
        .untilAsserted(
            () ->
                assertThatThrownBy(() -> connect(client, "localhost", port))
                    .extracting(client::reason)
                    .isNotNull());
  }

  @Test
  void connect_halfWrittenReplacement_keepsPreviousAndWarnsOnce() throws Exception {
    int port = serve(ca.demandingServer("server"));
    Tls client = Tls.ofClient("broker a", ca.client("client"));
    Path key = folder.resolve("client.key");
    String whole = Files.readString(key);
    assertThat(linesWhile(client, port, () -> Files.writeString(key, whole.substring(0, 60))))
        .containsExactly(
            "WARN TLS of broker a: "
                + key
                + ": the key is cut off: it has BEGIN PRIVATE KEY and no END PRIVATE KEY: what was"
                + " read before stays in use, the files are read again at the next connection");
    Files.delete(key);
    assertThat(linesWhile(client, port, () -> Files.writeString(key, whole)))
        .anyMatch(line -> line.startsWith("INFO TLS of broker a recovered"));
  }

  @ParameterizedTest
  @CsvSource({"client.pem, certificate 1", "client.key, the key", "ca.pem, certificate 1"})
  void connect_damagedReplacement_keepsPreviousAndWarns(String name, String block)
      throws Exception {
    int port = serve(ca.demandingServer("server"));
    Tls client = Tls.ofClient("broker a", ca.client("client"));
    Path file = folder.resolve(name);
    String damaged = Files.readString(file).replaceFirst("(?s)-\\n.*\\n-", "-\nMIIBA\n-");
    assertThat(linesWhile(client, port, () -> Files.writeString(file, damaged)))
        .singleElement()
        .asString()
        .startsWith("WARN TLS of broker a: " + file + ": " + block + " can't be read (its base64")
        .contains("what was read before stays in use");
    assertThatThrownBy(() -> context(ca.client("client")))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(file + ": " + block + " can't be read (its base64 is damaged");
  }

  @Test
  void connect_certificateWithoutNewKey_keepsPrevious() throws Exception {
    int port = serve(ca.demandingServer("server"));
    Tls client = Tls.ofClient("broker a", ca.client("client"));
    ca.issue("next");
    assertThat(linesWhile(client, port, () -> replace("client.pem", "next.pem")))
        .singleElement()
        .asString()
        .contains("client.key is not the key of the certificate CN=next");
  }

  private void replace(String file, String replacement) throws IOException {
    Files.copy(
        folder.resolve(replacement), folder.resolve(file), StandardCopyOption.REPLACE_EXISTING);
  }

  @Test
  void context_unreadableFiles_throwsWithFileName() throws Exception {
    assertThatThrownBy(() -> context(new TlsConfig(ca.path("no.pem"), null, null)))
        .hasMessage(ca.path("no.pem") + " can't be read (no such file)");
    assertThatThrownBy(() -> context(new TlsConfig(ca.path("client.key"), null, null)))
        .hasMessageStartingWith(ca.path("client.key") + " holds no PEM certificates");
    assertThatThrownBy(() -> context(new TlsConfig(null, ca.path("ca.pem"), ca.path("client.key"))))
        .hasMessageStartingWith(ca.path("client.key") + " is not the key of the certificate CN=ca");
    Tls missing = Tls.ofClient("test", new TlsConfig(ca.path("late.pem"), null, null));
    assertThatThrownBy(() -> missing.sockets().createSocket()).hasMessageContaining("late.pem");
    Files.copy(folder.resolve("ca.pem"), folder.resolve("late.pem"));
    connect(missing, "localhost", serve(ca.server("server")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"RSA PRIVATE KEY", "EC PRIVATE KEY"})
  void context_unsupportedKey_errorHasConversionCommand(String label) throws Exception {
    Path key = folder.resolve("old.key");
    Files.writeString(key, "-----BEGIN " + label + "-----\nMHc=\n-----END " + label + "-----\n");
    assertThatThrownBy(
            () -> context(new TlsConfig(null, ca.path("client.pem"), ca.path("old.key"))))
        .hasMessage(
            "%1$s holds a key in another form (BEGIN %2$s); convert it: openssl pkcs8 -topk8 -nocrypt -in %1$s -out %1$s.pkcs8"
                .formatted(key, label));
  }

  private static void context(TlsConfig config) throws IOException {
    Tls.ofClient("test", config).context();
  }

  private Authority otherAuthority() {
    return new Authority(folder, "other");
  }
}
