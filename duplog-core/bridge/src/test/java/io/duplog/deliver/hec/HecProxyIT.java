package io.duplog.deliver.hec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.duplog.bridge.BridgeBetweenServers;
import io.duplog.cli.Main;
import io.duplog.deliver.DeliveryRequests;
import io.duplog.deliver.Sink;
import io.duplog.deliver.SinkContext;
import io.duplog.observe.Boards;
import io.duplog.observe.Conditions;
import io.duplog.parts.Tinyproxy;
import io.duplog.rig.Ports;
import io.duplog.rig.Programs;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that the HEC sink delivers through a real HTTP proxy, and loses nothing while the proxy
 * fails.
 */
@Timeout(240)
class HecProxyIT extends BridgeBetweenServers {
  private static final String CLASS_PATH = System.getProperty("java.class.path");
  private static final String LOGIN = "BasicAuth u right-secret";
  private static final String RIGHT = "user: u\n  password: right-secret";
  private static final String WRONG = "user: u\n  password: wrong-secret";

  /** Part of both passwords, also as a login in Base64. */
  private static final String SECRET = "-secret|1zZWNyZXQ";

  @TempDir private static Path folder;

  private final HttpCollector http = new HttpCollector(folder);
  private final DeliveryRequests deliveries = new DeliveryRequests();
  private final List<String> bugReports = new CopyOnWriteArrayList<>();

  @BeforeAll
  static void certify() {
    HttpCollector.certify(folder);
  }

  @AfterEach
  void stop() {
    http.close();
    assertThat(bugReports).isEmpty();
  }

  private String url(String scheme) throws Exception {
    return scheme.equals("https") ? http.https("server", false) : http.http();
  }

  private String keys(String url, String proxy) {
    String tls = url.startsWith("https") ? "tls: {ca: %s}\n".formatted(http.pem("ca.pem")) : "";
    return """
    urls: ['%s']
    token: good
    retry-min: 10ms
    retry-max: 50ms
    connect-timeout: 60s
    %sproxy:
      %s
    """
        .formatted(url, tls, proxy);
  }

  private Sink open(String url, Tinyproxy proxy, String more) throws Exception {
    return open(Conditions.ofSystem(), url, proxy, more);
  }

  private Sink open(Conditions board, String url, Tinyproxy proxy, String more) throws Exception {
    String keys = keys(url, "url: " + proxy.url() + "\n  " + more);
    return HecSink.open(HecStage.config(keys), SinkContext.ofOnly(bugReports::add, board));
  }

  private void deliver(Sink sink, String message) {
    sink.deliver(deliveries.ofPlainBody(message, message));
  }

  private void awaitAccepted(String message) {
    await().until(() -> deliveries.accepted().contains(message));
  }

  private static void awaitTrouble(Conditions board, String... words) {
    await()
        .untilAsserted(
            () -> assertThat(Boards.trouble(board, Sink.SUBJECT)).isNotNull().contains(words));
  }

  @ParameterizedTest
  @CsvSource({"https, CONNECT localhost:", "http, POST http://localhost:"})
  void events_passTheProxy_withoutExposingTokenOrLogin(String scheme, String asked)
      throws Exception {
    try (Tinyproxy proxy = new Tinyproxy(LOGIN);
        Sink sink = open(url(scheme), proxy, RIGHT)) {
      deliver(sink, "a");
      awaitAccepted("a");
      assertThat(proxy.log()).contains(asked).doesNotContain("Splunk good");
    }
    assertThat(http.collector.indexed).containsExactly("a");
    assertThat(http.seen).contains("Splunk good", "cookie sticky=yes", "proxy login null");
    assertThat(http.seen.stream().filter(line -> line.startsWith("proxy")))
        .containsOnly("proxy login null");
  }

  /** Tinyproxy closes the connection after each answer without announcing it. */
  @Test
  void successiveRequests_byHttp_useNoClosedConnection() throws Exception {
    try (Tinyproxy proxy = new Tinyproxy("");
        Sink sink = open(url("http"), proxy, "")) {
      for (String message : HecStage.numbered(200)) {
        deliver(sink, message);
        await()
            .pollInterval(Duration.ofMillis(1))
            .until(() -> deliveries.accepted().contains(message));
      }
      assertThat(sink.answers().get("unreachable").getAsLong()).isZero();
    }
    assertThat(http.collector.indexed).containsExactly(HecStage.numbered(200));
  }

  @ParameterizedTest
  @ValueSource(strings = {"https", "http"})
  void proxyRejectingLogin_isReportedWithRemedy_andLosesNothing(String scheme) throws Exception {
    String url = url(scheme);
    Conditions ofWrong = Conditions.ofSystem();
    Conditions ofNone = Conditions.ofSystem();
    try (Tinyproxy proxy = new Tinyproxy(LOGIN);
        Sink wrong = open(ofWrong, url, proxy, WRONG);
        Sink without = open(ofNone, url, proxy, "")) {
      deliver(wrong, "a");
      deliver(without, "b");
      String by = url + " via proxy " + proxy.url().substring(7) + " ";
      awaitTrouble(
          ofNone, by + "answers 407", "To fix this, set user and password of sink.hec.proxy");
      // Other proxies answer 407 to a wrong login, too.
      awaitTrouble(ofWrong, by, " 401", "login", "nothing is dropped");
      assertThat(Boards.trouble(ofWrong, Sink.SUBJECT)).doesNotContainPattern(SECRET);
      try (Sink right = open(url, proxy, RIGHT)) {
        deliver(right, "c");
        awaitAccepted("c");
      }
      assertThat(http.collector.indexed).containsExactly("c");
      proxy.stop();
      proxy.setAccess("");
      proxy.start();
      awaitAccepted("a");
      awaitAccepted("b");
    }
    assertThat(http.collector.indexed).containsExactlyInAnyOrder("a", "b", "c");
    assertThat(deliveries.refused()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"https", "http"})
  void stoppedOrHangingProxy_losesNothing(String scheme) throws Exception {
    Conditions board = Conditions.ofSystem();
    try (Tinyproxy proxy = new Tinyproxy("");
        Sink sink = open(board, url(scheme), proxy, "\nrequest-timeout: 1s")) {
      deliver(sink, "a");
      awaitAccepted("a");
      proxy.kill();
      deliver(sink, "b");
      awaitTrouble(board, "via proxy", "is unreachable", "Trying again");
      proxy.start();
      awaitAccepted("b");
      proxy.pause();
      deliver(sink, "c");
      awaitTrouble(board, "via proxy", "Trying again");
      proxy.unpause();
      awaitAccepted("c");
    }
    assertThat(http.collector.indexed).contains("a", "b", "c");
  }

  /**
   * With {@code no proxy} or {@code no collector}, that process has ended. Other values are rules
   * of the proxy.
   */
  @ParameterizedTest
  @CsvSource({
    "http,  no proxy,       is unreachable or did not answer .the proxy: Connection refused",
    "https, no proxy,       is unreachable or did not answer .the proxy: Connection refused",
    "http,  no collector,   answers 500 .*Unable to connect",
    "https, no collector,   .*the proxy answers CONNECT with 500: check its login",
    "http,  Deny 127.0.0.1, answers 403 .*check the proxy or firewall that gave this answer",
    "https, Deny 127.0.0.1, .*the proxy answers CONNECT with 403: check its login",
    "https, ConnectPort 1,  .*and whether it allows and reaches this host and port",
  })
  void check_namesTheProxy_andTheRequiredAccess(String scheme, String access, String words)
      throws Exception {
    String url = url(scheme);
    try (Tinyproxy proxy = new Tinyproxy(access.startsWith("no ") ? "" : access)) {
      if (access.equals("no proxy")) {
        proxy.kill();
      } else if (access.equals("no collector")) {
        http.stop();
      }
      HecSinkConfig config = HecStage.config(keys(url, "url: " + proxy.url()));
      assertThatThrownBy(() -> HecStage.check(config))
          .hasMessageMatching(
              "(?s)sink hec %s via proxy 127.0.0.1:\\d+ %s.*".formatted(url, words));
    }
  }

  /** Starts a command like an operator, with its output in the file {@code output}. */
  private Process program(Path config, Map<String, String> environment, String... words)
      throws IOException {
    List<String> command = new ArrayList<>(List.of(words));
    command.addAll(0, List.of(Programs.java().toString(), "-cp", CLASS_PATH, Main.class.getName()));
    command.addAll(List.of("--config", config.toString()));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    return builder.redirectOutput(Redirect.appendTo(output(config).toFile())).start();
  }

  private static Path output(Path config) {
    return config.resolveSibling("output");
  }

  private static Path configure(String hec, String more) throws IOException {
    Path file = Files.createTempDirectory(folder, "bridge").resolve("duplog.yaml");
    String sink = "sink:\n  type: hec\n  hec:\n" + hec.indent(4);
    return Files.writeString(file, yaml("one", more).replace("sink: {type: stdout}", sink));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "right-secret | ''        | 0 | accepts the token",
        "wrong-secret | ''        | 1 | answers CONNECT with 401: check its login",
        "right-secret | localhost | 0 | localhost:\\d+ accepts the token",
        "#            | ''        | 1 | The environment variable HTTPS_PROXY must be like http://proxy",
      })
  void doctor_usesTheEnvironment_andShowsNoPassword(
      String password, String exempt, int failed, String words) throws Exception {
    try (Tinyproxy proxy = new Tinyproxy(LOGIN)) {
      Path config = configure(keys(url("https"), "environment: true"), "");
      String login = proxy.url().replace("//", "//u:" + password + "@");
      Map<String, String> environment = Map.of("HTTPS_PROXY", login, "no_proxy", exempt);
      // Another check of the doctor uses HTTP before the probe of the sink does.
      Process doctor =
          program(config, environment, "doctor", "--management", "a=http://u:p@127.0.0.1:1");
      doctor.waitFor();
      String output = Files.readString(output(config)).replaceAll("\\s+", " ");
      assertThat(output).containsPattern(words).doesNotContainPattern(SECRET);
      assertThat(proxy.log().contains("CONNECT localhost"))
          .isEqualTo(exempt.isEmpty() && !password.equals("#"));
      assertThat(http.seen.isEmpty()).isEqualTo(failed == 1);
    }
  }

  @Test
  void bridge_withWrongPassword_showsItNowhere_andDeliversAfterCorrection() throws Exception {
    int port = new Ports().next();
    Path secret = folder.resolve("proxy.password");
    try (Tinyproxy proxy = new Tinyproxy(LOGIN)) {
      String login = "url: %s\n  user: u\n  password: ${file:%s}".formatted(proxy.url(), secret);
      String page = "status: {listen: '127.0.0.1:" + port + "'}";
      Path config = configure(keys(url("https"), login), page);
      publish("a");
      Files.writeString(secret, "wrong-secret\n");
      Process wrong = program(config, Map.of(), "bridge");
      await()
          .ignoreExceptions()
          .until(() -> get(port, "/api/state").contains("answers CONNECT with 401"));
      assertThat(everything(port, wrong, config))
          .contains("via proxy 127.0.0.1:")
          .doesNotContainPattern(SECRET);
      assertThat(http.collector.indexed).isEmpty();
      end(wrong);

      Files.writeString(secret, "right-secret\n");
      Process right = program(config, Map.of(), "bridge");
      await().until(() -> http.collector.indexed.contains("a"));
      assertThat(everything(port, right, config)).doesNotContainPattern(SECRET);
      end(right);
      awaitSettled();
    }
    assertThat(http.collector.indexed).containsExactly("a");
  }

  private static void end(Process bridge) throws InterruptedException {
    bridge.destroy();
    bridge.waitFor();
  }

  /**
   * Returns all output of a bridge: log, page, state, metrics, and its line in the process list.
   */
  private static String everything(int port, Process bridge, Path config) throws IOException {
    StringBuilder shown = new StringBuilder(bridge.info().commandLine().orElseThrow());
    shown.append(Files.readString(output(config)));
    for (String path : List.of("/", "/api/state", "/metrics")) {
      shown.append(get(port, path));
    }
    return shown.toString();
  }

  private static String get(int port, String path) throws IOException {
    URI uri = URI.create("http://127.0.0.1:" + port + path);
    try (InputStream in = uri.toURL().openStream()) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }
}
