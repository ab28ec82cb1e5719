package io.duplog.benchmark.drive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.duplog.benchmark.hec.HecServer;
import io.duplog.cli.Commands;
import io.duplog.collector.HecEvent;
import io.duplog.collector.HecSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * Tests that the command {@code hec-foreign} finds each message that another HTTP Event Collector
 * stored, and rejects options that can't work. The stand-in's collector plays that role, with a
 * search API for its events.
 */
class HecForeignCommandTest {
  private static final Pattern PHRASE = Pattern.compile("^search .*\"(.+)\" \\| fields _raw$");
  private static final JsonMapper JSON = new JsonMapper();

  private @TempDir Path folder;
  private final List<HecEvent> index = new CopyOnWriteArrayList<>();
  private @AutoClose HecServer collector;
  private HttpServer api;

  @BeforeEach
  void start() throws IOException {
    collector = new HecServer(HecSettings.withToken("a-token"), index::addAll);
    api = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    api.createContext("/services/server/info", exchange -> answer(exchange, info()));
    api.createContext("/services/search/jobs/export", this::search);
    api.start();
    Files.writeString(folder.resolve("token"), "a-token\n");
    Files.writeString(folder.resolve("search-token"), "searcher\n");
  }

  @AfterEach
  void stop() {
    api.stop(0);
  }

  private static String info() {
    return "{\"entry\":[{\"content\":{\"version\":\"9.9.9\"}}]}";
  }

  private void search(HttpExchange exchange) throws IOException {
    String form = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    String query = URLDecoder.decode(form.replaceFirst(".*&search=", ""), UTF_8);
    Matcher phrase = PHRASE.matcher(query);
    assertThat(phrase.find()).as(query).isTrue();
    answer(
        exchange,
        index.stream()
            .map(HecEvent::event)
            .filter(text -> text.contains(phrase.group(1)))
            .map(HecForeignCommandTest::result)
            .collect(Collectors.joining("\n")));
  }

  private static String result(String text) {
    return JSON.valueToTree(Map.of("preview", false, "result", Map.of("_raw", text))).toString();
  }

  private static void answer(HttpExchange exchange, String body) throws IOException {
    boolean isAuthorized =
        "Bearer searcher".equals(exchange.getRequestHeaders().getFirst("Authorization"));
    byte[] bytes = body.getBytes(UTF_8);
    exchange.sendResponseHeaders(isAuthorized ? 200 : 401, isAuthorized ? bytes.length : -1);
    if (isAuthorized) {
      exchange.getResponseBody().write(bytes);
    }
    exchange.close();
  }

  private String run(int status, String... options) {
    List<String> line = new ArrayList<>(List.of(options));
    line.add("--url=" + collector.uri());
    line.add("--token=" + folder.resolve("token"));
    line.add("--messages=500");
    CommandLine command = new CommandLine(new HecForeignCommand());
    Commands.Said result = Commands.run(command, status, null, line.toArray(String[]::new));
    return result.out() + result.err();
  }

  private String searchOption() {
    return "--search=http://127.0.0.1:" + api.getAddress().getPort();
  }

  @Test
  void run_search_findsEveryMessageUnaltered() {
    String output = run(0, searchOption(), "--search-token=" + folder.resolve("search-token"));

    assertThat(output)
        .contains("Splunk 9.9.9", "event-none-", "event-gzip-", "raw-none-", "raw-gzip-")
        .doesNotContain("missing");
    assertThat(output.lines().filter(row -> row.contains("sent=500 lost=0 doubled-or-altered=0")))
        .hasSize(4);
  }

  @Test
  void run_wrongSearchToken_reportsOptions() throws IOException {
    Files.writeString(folder.resolve("search-token"), "another");

    assertThat(run(1, searchOption(), "--search-token=" + folder.resolve("search-token")))
        .contains("answers 401: check --search and --search-token");
  }

  @Test
  void run_noSourceOfEvents_isRejected() {
    assertThat(run(2)).contains("specify --received, or --search and --search-token");
  }
}
