package io.duplog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that the commands that read a bridge's status page print its state, with the right exit
 * status.
 */
class StatusCommandTest {
  private static final String DEGRADED =
      "{\"bridge\":{\"name\":\"one\"},\"health\":{\"state\":\"degraded\",\"parts\":[]}}";

  private String document = DEGRADED;
  private volatile String query;
  private HttpServer server;

  @BeforeEach
  void answer() throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
    server.createContext(
        "/api/",
        exchange -> {
          query = exchange.getRequestURI().getQuery();
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

  private String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
  }

  @Test
  void status_isPrinted_withAnExitStatusForScripts() {
    assertThat(Commands.run(1, null, "status", "--url", url()).out())
        .startsWith("bridge one: degraded");
  }

  @Test
  void json_equalsTheDocument() {
    document = DEGRADED.replace("degraded", "well");

    assertThat(Commands.run(0, null, "status", "--json", "--url", url()).out())
        .isEqualTo(document + "\n");
  }

  @Test
  void events_arePrintedAsLinesForAForwarder() {
    assertThat(Commands.run(1, null, "status", "--events", "--url", url()).out())
        .matches("\\{\"time\":[^\n]*\"bridge\":\"one\",[^\n]*\"unwell\":\"none\"[^\n]*}\n");
  }

  @Test
  void bridgeThatIsNotThere_isExitStatus2_andALineThatSaysWhatToLookAt() {
    String url = "http://127.0.0.1:1/";

    assertThat(Commands.run(2, null, "status", "--url", url).err())
        .startsWith("duplog: Can't reach a bridge at " + url + "api/state: Connection refused")
        .contains("status.listen");
    Commands.run(2, null, "status", "--url", "nonsense");
    Commands.run(2, null, "coverage", "--url", url);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "status --url http://u:SECRET@127.0.0.1:1",
        "status --url http://127.0.0.1:1?token=SECRET",
        "top --once --url https://SECRET@127.0.0.1:1/x",
        "senders --url http://127.0.0.1:1/#SECRET",
        "tap --url http://u:SECRET@127.0.0.1:99999",
        "status http://u:SECRET@127.0.0.1:1",
        "status --ur=http://u:SECRET@127.0.0.1:1",
        "coverage --url ftp://u:SECRET@127.0.0.1",
        "doctor --config none --management http://u:SECRET@node:15672",
        "doctor --config none --management a=http://u:SECRET@node:156720",
        "doctor --config none --management a=u:SECRET@node",
        "doctor --config none --canary-to http://u:SECRET@node:514",
        "init . --node a=a --node b=b --redis r --hec https://h?token=SECRET --hec-token f",
        "init . --node a=a --node b=b --redis r --hec https://u:SECRET@h --hec-token f",
        "init . --node a=a --node b=b --redis redis://:SECRET@r",
        "init . --node a=http://u:SECRET@a --node b=b --redis r"
      })
  void passwordOnTheCommandLine_isNotRepeated(String line) {
    int status = line.startsWith("t") ? 1 : 2;
    Commands.Said said =
        Commands.run(status, null, Splitter.on(' ').splitToList(line).toArray(String[]::new));
    assertThat(said.err()).isNotEmpty().doesNotContain("SECRET");
    assertThat(said.out()).doesNotContain("SECRET");
  }

  @Test
  void senderOptions_becomeQueryParameters() {
    document =
        "{\"known\":2,\"concerns\":[{\"level\":\"attention\",\"sentence\":\"Look.\"}],\"found\":0,\"senders\":[]}";

    assertThat(
            Commands.run(1, null, "senders", "--only", "silent", "--limit", "5", "--url", url())
                .out())
        .isEqualTo("2 senders known; 0 of 0 found\nLook.\n");
    assertThat(query).isEqualTo("limit=5&only=silent");
    assertThat(Commands.run(1, null, "senders", "--json", "--url", url()).out())
        .isEqualTo(document + "\n");
    Commands.run(2, null, "senders", "--url", "http://127.0.0.1:1/");
  }

  @Test
  void coverageOptions_becomeQueryParameters() {
    document =
        "{\"settled_until\":\"x\",\"asked\":{\"sentence\":\"It names one.\"},\"streams\":[{\"stream\":\"a\",\"level\":\"attention\"}]}";
    String[] words = {"coverage", "--sender", "10.1.0.0/16", "--limit", "5", "--url", url()};

    assertThat(Commands.run(1, null, words).out()).contains("\nIt names one.\n");
    assertThat(query).isEqualTo("limit=5&sender=10.1.0.0/16");
    Commands.run(2, null, "coverage", "--url", url());
  }

  @Test
  void top_withoutATerminal_printsOneFrame() {
    assertThat(Commands.run(0, null, "top", "--once", "--url", url()).out())
        .contains("bridge one: degraded")
        .contains("received")
        .doesNotContain("\033");
  }
}
