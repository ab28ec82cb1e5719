package io.duplog.deliver.hec;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.deliver.hec.answer.Answer;
import io.duplog.deliver.hec.answer.AnswerReader;
import io.duplog.deliver.hec.answer.AnswerReaderTest;
import io.duplog.deliver.hec.answer.Reply;
import io.duplog.deliver.hec.event.Gzip;
import io.duplog.deliver.hec.http.Connection;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Answers byte by byte, such as no library of a server sends. */
@Timeout(60)
class WireAnswerTest {
  private static final byte[] BODY = new byte[9];

  private final ExecutorService executor = Executors.newSingleThreadExecutor();
  private final AtomicInteger requests = new AtomicInteger();

  @AfterEach
  void stop() {
    executor.shutdownNow();
  }

  /** A caret ends a line. SUCCESS is a whole answer that accepts, GZIP its body, compressed. */
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
          """)
  void rawAnswer_isOfItsOwnRequest_andRedirectsAreNotFollowed(String raw, String outcome)
      throws Exception {
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Future<?> serving = executor.submit(() -> serve(server, raw));
      String url = "http://localhost:" + server.getLocalPort();
      HecSinkConfig config = HecStage.config("urls: ['" + url + "']\ntoken: t\n");
      try (Connection connection = HecEnvironment.ofSystem(config).connections().apply(url)) {
        assertThat(outcome(connection)).startsWith(outcome);
        assertThat(requests).hasValue(1);
        assertThat(outcome(connection)).isEqualTo("Accepted 2");
      }
      assertThat(serving).isNotDone();
    }
  }

  private static String outcome(Connection connection) {
    try {
      Reply reply = connection.post(new Connection.Post("/", BODY, BODY.length, false, null));
      Answer answer = AnswerReader.read(reply, 0);
      return AnswerReaderTest.shown(answer)
          + (answer instanceof Answer.Retry retry && retry.after() != null
              ? " after " + retry.after().toSeconds()
              : "");
    } catch (IOException e) {
      return "none: " + e.getMessage();
    }
  }

  /** Answers the first request so, and accepts all others; each has its number as its id. */
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
