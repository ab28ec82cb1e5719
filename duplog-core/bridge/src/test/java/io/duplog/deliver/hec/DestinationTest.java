package io.duplog.deliver.hec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.deliver.SinkContext;
import io.duplog.deliver.hec.http.Connection;
import io.duplog.observe.Conditions;
import io.duplog.rig.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that the HEC sink tries a collector's second IP address if the first one does not answer. A
 * separate JVM resolves it.
 */
@Timeout(120)
class DestinationTest {
  @TempDir private static Path folder;

  private final @AutoClose HttpCollector http = new HttpCollector(folder);

  @BeforeAll
  static void certify() throws IOException {
    HttpCollector.certify(folder);
    Files.writeString(
        folder.resolve("hosts"),
        """
        127.0.0.2 splunk.test
        127.0.0.1 splunk.test
        127.0.0.1 elsewhere.test
        127.0.0.2 splunk.test.
        127.0.0.1 splunk.test.
        """);
  }

  /** Sends two requests over one connection and prints the results. */
  public static void main(String[] args) throws Exception {
    HecSinkConfig config =
        HecStage.config(
            "urls: ['"
                + args[0]
                + "']\ntoken: good\nconnect-timeout: 60s\nrequest-timeout: 60s\n"
                + args[1]);
    try (Connection connection =
        HecEnvironment.ofSystem(config, SinkContext.ofOnly(line -> {}, Conditions.ofSystem()))
            .connections()
            .apply(args[0])) {
      for (int i = 0; i < 2; i++) {
        try {
          System.out.println(connection.get("/health").status());
        } catch (IOException e) {
          System.out.println(e.getMessage());
        }
      }
    }
  }

  private String ask(String url, String keys) throws IOException {
    Process process =
        new ProcessBuilder(
                Programs.java().toString(),
                "-Djdk.net.hosts.file=" + folder.resolve("hosts"),
                "-cp",
                System.getProperty("java.class.path"),
                DestinationTest.class.getName(),
                url,
                keys)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      return new String(process.getInputStream().readAllBytes(), UTF_8);
    } finally {
      process.destroyForcibly();
    }
  }

  private static String named(String url) {
    return url.replace("localhost", "splunk.test");
  }

  @Test
  void secondAddress_isTried_withHostHeaderAndCookies() throws Exception {
    String url = named(http.http());
    assertThat(ask(url, "")).isEqualTo("200\n200\n");
    assertThat(http.seen)
        .containsOnlyOnce("cookie null", "cookie sticky=yes")
        .contains("host " + url.replace("http://", ""))
        .doesNotContain("host 127.0.0.1");
  }

  @ParameterizedTest
  @CsvSource({
    "named,  200",
    "server, 'its certificate is for localhost, 127.0.0.1, not for splunk.test'",
  })
  void secondAddress_withTls_needsCertificateForName(String certificate, String outcome)
      throws Exception {
    String url = named(http.https(certificate, false));
    assertThat(ask(url, "tls: {ca: " + http.pem("ca.pem") + "}\n").lines())
        .hasSize(2)
        .allSatisfy(line -> assertThat(line).startsWith(outcome));
  }

  @Test
  void nameEndingInDot_matchesCertificate() throws Exception {
    String url = named(http.https("named", false)).replace("splunk.test", "splunk.test.");
    assertThat(ask(url, "tls: {ca: " + http.pem("ca.pem") + "}\n")).isEqualTo("200\n200\n");
    assertThat(http.seen).contains("cookie sticky=yes");
  }

  @Test
  void secondAddress_ofProxy_isTried() throws Exception {
    String proxy = named(http.http());
    assertThat(ask("http://elsewhere.test", "proxy: {url: '" + proxy + "'}\n"))
        .isEqualTo("200\n200\n");
    assertThat(http.seen).contains("host elsewhere.test");
  }
}
