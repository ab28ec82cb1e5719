package io.duplog.status;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duplog.observe.LogLines;
import io.duplog.tls.Authority;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests that the status page still answers while thousands of slow or silent connections flood it.
 */
@Timeout(120)
@Tag("slow")
class StatusFloodTest {
  private static final int THOUSAND = 1000;
  private static final String GREATER_THAN_ALL_BUFFERS = "x".repeat(16 << 20);

  /** Beginning of a connection that then stays silent. */
  private enum Beginning {
    NOTHING(false, ""),
    HALF_A_REQUEST(false, "GET /api/state HTTP/1.1\r\nHost: local"),
    HALF_A_BODY(false, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n1"),
    NONSENSE(false, "\0\1\2\3"),
    NO_HANDSHAKE(true, ""),
    HALF_A_HANDSHAKE(true, "\26\3\1\2\0\1"),
    PLAIN_TEXT(true, "GET /api/state HTTP/1.1\r\n");

    private final boolean tls;
    private final String text;

    Beginning(boolean tls, String text) {
      this.tls = tls;
      this.text = text;
    }
  }

  @TempDir private Path folder;
  private final List<Socket> sockets = new ArrayList<>();
  private final AtomicLong later = new AtomicLong();
  private Authority ca;
  private ServedPage page;

  @BeforeEach
  void certify() {
    ca = new Authority(folder, "ca");
    ca.issue("server", "127.0.0.1");
  }

  @AfterEach
  void close() throws IOException {
    leave();
    page.close();
  }

  private void serve(boolean tls) throws StatusException {
    page = new ServedPage(tls ? ca.server("server") : null, () -> System.nanoTime() + later.get());
  }

  @ParameterizedTest
  @EnumSource
  void connections_byTheThousand_thatAskNothing_leaveItAnswering(Beginning beginning)
      throws Exception {
    serve(beginning.tls);
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < THOUSAND; i++) {
        connect().getOutputStream().write(beginning.text.getBytes(US_ASCII));
        if (i % 100 == 0) {
          assertAnswers();
        }
      }
      assertAnswers();
      leave();
      assertAnswers();
    }
  }

  @Test
  void flood_isOneLineInTheLog_andSoIsItsEnd() throws Exception {
    page = new ServedPage(null, later::get); // the clock stops until the flood is over
    List<String> lines =
        LogLines.ofAll(
            linesSoFar -> {
              for (int i = 0; i < THOUSAND; i++) {
                connect();
              }
              assertAnswers();
              later.addAndGet(TimeUnit.MINUTES.toNanos(1));
              await().until(() -> linesSoFar.get().toString().contains("recovered"));
            });
    assertThat(lines)
        .filteredOn(line -> line.contains("status page"))
        .satisfiesExactly(
            line -> assertThat(line).startsWith("WARN status page: more connections than are kept"),
            line -> assertThat(line).startsWith("INFO status page recovered"));
  }

  @Test
  void request_thatComesByteByByte_isGivenUp_howeverSteadily() throws Exception {
    serve(false);
    Socket slow = connect();
    slow.getOutputStream().write("GET /api/state HTTP/1.1\r\nX-Long: ".getBytes(US_ASCII));
    await().until(() -> writes(slow, "x"));
    later.addAndGet(TimeUnit.MINUTES.toNanos(1));
    await().until(() -> !writes(slow, "x"));
    assertAnswers();
  }

  @Test
  void answer_thatNobodyReads_isGivenUp() throws Exception {
    serve(false);
    page.state.add("large", () -> GREATER_THAN_ALL_BUFFERS);
    for (int i = 0; i < 20; i++) {
      writes(connect(), "GET /api/state HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }
    await()
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(() -> page.get("/health/live").startsWith("HTTP/1.1 200"));
    for (Socket socket : sockets) {
      await()
          .until(
              () -> {
                later.addAndGet(TimeUnit.MINUTES.toNanos(1)); // its answer may have begun just now
                return !writes(socket, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
              });
    }
  }

  private static boolean writes(Socket socket, String text) {
    try {
      socket.getOutputStream().write(text.getBytes(US_ASCII));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private void assertAnswers() throws StatusException {
    StateReader reader = new StateReader(page.url(), ca.client());
    await()
        .ignoreExceptionsInstanceOf(StatusException.class) // a machine that is busy with the crowd
        .until(() -> reader.read().startsWith("{"));
  }

  private Socket connect() throws IOException {
    Socket socket = page.connect();
    sockets.add(socket);
    return socket;
  }

  private void leave() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    sockets.clear();
  }
}
