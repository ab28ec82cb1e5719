package io.duplog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class StatusCommandTest {
  private static final String DEGRADED =
      "{\"bridge\":{\"name\":\"one\"},\"health\":{\"state\":\"degraded\",\"parts\":[]}}";

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private String document = DEGRADED;
  private HttpServer server;

  @BeforeEach
  void answer() throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
    server.createContext(
        "/api/state",
        exchange -> {
          byte[] body = document.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private int run(String... arguments) {
    CommandLine line = Main.commandLine();
    line.setOut(new PrintWriter(out));
    line.setErr(new PrintWriter(err));
    return line.execute(arguments);
  }

  private String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
  }

  @Test
  void status_isPrinted_withAnExitStatusForScripts() {
    assertThat(run("status", "--url", url())).isEqualTo(1);
    assertThat(out.toString()).startsWith("bridge one: ready, degraded");
  }

  @Test
  void json_isTheDocumentAsItIs() {
    document = DEGRADED.replace("degraded", "well");

    assertThat(run("status", "--json", "--url", url())).isZero();
    assertThat(out).hasToString(document + "\n");
  }

  @Test
  void bridgeThatIsNotThere_isExitStatus2_andALineThatSaysWhatToLookAt() {
    String url = url();
    server.stop(0);

    assertThat(run("status", "--url", url)).isEqualTo(2);
    assertThat(err.toString())
        .startsWith("duplog: no bridge answers at " + url + "api/state (Connection refused")
        .contains("status.listen");
    assertThat(run("status", "--url", "nonsense")).isEqualTo(2);
    assertThat(run("coverage", "--url", url)).isEqualTo(2);
  }

  @Test
  void top_whereItsOutputIsNoTerminal_printsOneFrame() {
    assertThat(run("top", "--once", "--url", url())).isZero();
    assertThat(out.toString())
        .contains("bridge one: ready")
        .contains("received")
        .doesNotContain("\033");
  }
}
