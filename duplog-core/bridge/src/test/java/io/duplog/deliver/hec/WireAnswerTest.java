package io.duplog.deliver.hec;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.deliver.SinkContext;
import io.duplog.deliver.hec.answer.Answer;
import io.duplog.deliver.hec.answer.AnswerReader;
import io.duplog.deliver.hec.answer.AnswerReaderTest;
import io.duplog.deliver.hec.answer.Reply;
import io.duplog.deliver.hec.event.Gzip;
import io.duplog.deliver.hec.http.Connection;
import io.duplog.observe.Conditions;
import io.duplog.tls.Authority;
import io.duplog.tls.ServerTlsConfig;
import io.duplog.tls.Tls;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how the HEC sink reads unusual or broken HTTP answers, byte by byte. */
@Timeout(60)
class WireAnswerTest {
  private static final byte[] BODY = new byte[9];
  private static final byte[] LARGE = new byte[30_000_000];

  private final @AutoClose("shutdownNow") ExecutorService executor =
      Executors.newSingleThreadExecutor();
  private final AtomicInteger requests = new AtomicInteger();

  /**
   * A caret ends a line. SUCCESS is a whole answer that accepts; GZIP is its compressed body. Bytes
   * after an answer belong to no request.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          SUCCESS                                                             | Accepted 1
          HTTP/1.1 100 Continue^^SUCCESS                                      | Accepted 1
          HTTP/1.1 103 Early Hints^Link: </a>; rel=preload^^SUCCESS           | Accepted 1
          HTTP/1.1 100 Continue^^HTTP/1.1 102 Processing^^SUCCESS             | Accepted 1
          HTTP/1.1 200 X^Transfer-Encoding: chunked^^a^{"code":0}^0^^         | Accepted
          HTTP/1.1 200 X^Connection: close^^{"code":0}                        | Accepted
          HTTP/1.1 200 X^Connection: close^^{"code":                          | Retry
          HTTP/1.1 503 X^Retry-After: 20^Content-Length: 0^^                  | Retry after 20
          HTTP/1.1 200 X^Content-Encoding: gzip^Connection: close^^GZIP       | Accepted 1
          HTTP/1.1 200 X^Content-Length: 6^^<html>                            | Misconfigured
          HTTP/1.1 200 X^Content-Length: 0^^                                  | Misconfigured
          HTTP/1.1 204 X^^                                                    | Misconfigured
          HTTP/1.1 301 X^Location: /other^Content-Length: 0^^                 | Misconfigured
          HTTP/1.1 302 X^Location: /login^Content-Length: 0^^                 | Misconfigured
          HTTP/1.1 307 X^Location: /other^Content-Length: 0^^                 | Misconfigured
          HTTP/1.1 308 X^Location: /other^Content-Length: 0^^                 | Misconfigured
          HTTP/1.1 200 X^Content-Length: 100^Connection: close^^{"code":0}    | none
          HTTP/1.1 200 X^Connection: close                                    | none
          HTTP/1.1 103 Early Hints^Connection: close^^                        | none
          SSH-2.0-OpenSSH_9.2^Connection: close                               | none
          SUCCESSSUCCESS                                                      | Accepted 1
          SUCCESSHTTP/1.1 408 X^Content-Length: 0^^                           | Accepted 1
          """)
  void rawAnswer_isReadForItsOwnRequest_andRedirectsAreNotFollowed(String raw, String outcome)
      throws Exception {
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Future<?> serving = executor.submit(() -> serve(server, raw));
      String url = "http://localhost:" + server.getLocalPort();
      HecSinkConfig config = HecStage.config("urls: ['" + url + "']\ntoken: t\n");
      try (Connection connection =
          HecEnvironment.ofSystem(config, SinkContext.ofOnly(line -> {}, Conditions.ofSystem()))
              .connections()
              .apply(url)) {
        assertThat(outcome(connection, BODY)).startsWith(outcome);
        assertThat(requests).hasValue(1);
        assertThat(outcome(connection, BODY)).isEqualTo("Accepted 2");
      }
      assertThat(serving).isNotDone();
    }
  }

  /** The server rejects a request after its header, and closes after the sender has closed. */
  @ParameterizedTest
  @ValueSource(strings = {"http", "https"})
  void answer_beforeEndOfRequest_isRead(String scheme, @TempDir Path folder) throws Exception {
    new Authority(folder, "ca").issue("server", "localhost");
    try (ServerSocket server = scheme.equals("http") ? new ServerSocket() : encrypted(folder)) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      Future<Boolean> serving = executor.submit(() -> answerEarly(server));
      String url = scheme + "://localhost:" + server.getLocalPort();
      String tls = "tls: {ca: " + folder.resolve("ca.pem") + "}\n";
      HecSinkConfig config =
          HecStage.config("urls: ['" + url + "']\ntoken: t\n" + (scheme.equals("http") ? "" : tls));
      try (Connection connection =
          HecEnvironment.ofSystem(config, SinkContext.ofOnly(line -> {}, Conditions.ofSystem()))
              .connections()
              .apply(url)) {
        assertThat(outcome(connection, LARGE)).startsWith("TooLarge");
      }
      assertThat(serving.get()).isTrue();
    }
  }

  private static ServerSocket encrypted(Path folder) throws IOException {
    String name = folder.resolve("server").toString();
    ServerTlsConfig files = new ServerTlsConfig(name + ".pem", name + ".key", null);
    return Tls.ofServer("test", files).context().getServerSocketFactory().createServerSocket();
  }

  private static boolean answerEarly(ServerSocket server) throws IOException {
    try (Socket socket = server.accept()) {
      InputStream in = socket.getInputStream();
      boolean any = in.read(new byte[1000]) > 0;
      answer("HTTP/1.1 413 X^Connection: close^Content-Length: 0^^", "", socket.getOutputStream());
      while (in.read(new byte[100_000]) > 0) {
        // until the connection ends
      }
      return any;
    } catch (SocketException e) {
      return true; // the sender has the answer and closes before the server has read all bytes
    }
  }

  private static String outcome(Connection connection, byte[] body) {
    try {
      Reply reply = connection.post(new Connection.Post("/", body, body.length, false, null));
      Answer answer = AnswerReader.read(reply, 0);
      return AnswerReaderTest.shown(answer)
          + (answer instanceof Answer.Retry retry && retry.after() != null
              ? " after " + retry.after().toSeconds()
              : "");
    } catch (IOException e) {
      return "none: " + e.getMessage();
    }
  }

  /** Answers the first request with this text and accepts all others, with their number as id. */
  private void serve(ServerSocket server, String first) {
    try {
      while (true) {
        try (Socket socket = server.accept()) {
          boolean open = true;
          while (open && readRequest(socket.getInputStream())) {
            int number = requests.incrementAndGet();
            String raw = number == 1 ? first : "SUCCESS";
            answer(raw, "{\"code\":0,\"ackId\":" + number + "}", socket.getOutputStream());
            open = !raw.contains("close");
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e); // the test is over
    }
  }

  private static void answer(String raw, String json, OutputStream out) throws IOException {
    String success = "HTTP/1.1 200 X^Content-Length: " + json.length() + "^^" + json;
    boolean zipped = raw.contains("GZIP");
    String text = raw.replace("SUCCESS", success).replace("^", "\r\n").replace("GZIP", "");
    out.write(text.getBytes(ISO_8859_1));
    out.write(zipped ? Gzip.compressed(json.getBytes(ISO_8859_1), json.length()) : new byte[0]);
    out.flush();
  }

  /**
   * @return false at the end of the connection
   */
  private static boolean readRequest(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    for (int one = in.read(); one >= 0; one = in.read()) {
      head.append((char) one);
      if (head.indexOf("\r\n\r\n") >= 0) {
        return in.readNBytes(BODY.length).length == BODY.length;
      }
    }
    return false;
  }
}
