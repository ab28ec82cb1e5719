package io.duplog.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.sun.net.httpserver.HttpServer;
import io.duplog.rig.Programs;
import java.io.ByteArrayOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Tests how the bridge program starts, and that a crash is printed before it exits. */
class MainTest {
  private @TempDir Path folder;

  /** Runs the program in a Java of its own, and returns the names of all classes that it loads. */
  private List<String> loadedBy(int status, String... arguments) throws Exception {
    Path classes = folder.resolve("classes");
    List<String> java =
        List.of(
            Programs.java().toString(),
            "-Xlog:class+load=info:file=" + classes + ":none:filecount=0",
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName());
    Process program =
        new ProcessBuilder(ImmutableList.<String>builder().addAll(java).add(arguments).build())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("said").toFile())
            .start();
    assertThat(program.waitFor()).as(Files.readString(folder.resolve("said"))).isEqualTo(status);
    return Files.readAllLines(classes).stream()
        .map(line -> line.replaceFirst(" .*", ""))
        .filter(name -> name.matches("(io[.]duplog|ch[.]qos|org[.]slf4j|org[.]xml|javax[.]xml).*"))
        .toList();
  }

  /** Loading is most of what this short command costs. */
  @Test
  void status_startsNoLogging_andLoadsNoOtherCommand_norSectionsThatItDoesNotShow()
      throws Exception {
    byte[] document =
        "{\"bridge\":{\"name\":\"one\"},\"health\":{\"state\":\"well\"},\"senders\":{}}"
            .getBytes(UTF_8);
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
    server.createContext(
        "/api/state",
        exchange -> {
          exchange.sendResponseHeaders(200, document.length);
          exchange.getResponseBody().write(document);
          exchange.close();
        });
    server.start();
    try {
      String url = "http://127.0.0.1:" + server.getAddress().getPort();
      assertThat(loadedBy(0, "status", "--url", url))
          .contains("io.duplog.status.State$Findings")
          .doesNotContain("org.slf4j.LoggerFactory", "io.duplog.bridge.settings.BridgeConfig")
          .doesNotContain("io.duplog.coverage.CoverageState", "io.duplog.senders.SendersState")
          .noneMatch(name -> name.contains("xml"));
    } finally {
      server.stop(0);
    }
    assertThat(folder.resolve("said")).content().startsWith("bridge one: ");
  }

  @Test
  void bridge_configuresItsLog_withoutXml() throws Exception {
    String missing = folder.resolve("missing.yaml").toString();

    assertThat(loadedBy(2, "bridge", "--config", missing))
        .contains("ch.qos.logback.classic.LoggerContext", "io.duplog.process.ProgramLog")
        .noneMatch(name -> name.contains("xml") || name.endsWith("JoranConfigurator"));
    assertThat(folder.resolve("said")).content().startsWith("duplog: ").contains(missing);
  }

  /** The program exits at once, so nothing may wait in a buffer, as it does on a real terminal. */
  @Test
  void crash_isPrintedBeforeTheProgramExits_withoutLogins() throws Exception {
    ByteArrayOutputStream screen = new ByteArrayOutputStream();
    CommandLine duplog = Main.commandLine();
    duplog.setErr(new PrintWriter(new OutputStreamWriter(screen, UTF_8), true));
    Exception crash = new IllegalStateException("no answer of https://u:SECRET@splunk");
    crash.setStackTrace(Arrays.copyOf(crash.getStackTrace(), 1));

    int status =
        duplog
            .getExecutionExceptionHandler()
            .handleExecutionException(crash, duplog, duplog.parseArgs());

    assertThat(status).isEqualTo(1);
    assertThat(screen.toString(UTF_8))
        .startsWith("java.lang.IllegalStateException: no answer of https://***@splunk")
        .contains("\tat io.duplog.cli.MainTest")
        .endsWith("\n");
  }
}
