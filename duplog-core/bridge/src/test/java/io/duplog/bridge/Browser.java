package io.duplog.bridge;

import static org.awaitility.Awaitility.await;

import com.google.common.io.Resources;
import io.duplog.observe.JsonObject;
import io.duplog.observe.JsonValue;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Controls a page in Debian's Chromium without a screen, for tests of the status page. */
final class Browser implements AutoCloseable {
  static final int WIDTH = 1440;
  private static final int HEIGHT = 940;
  private static final int MOST_HEIGHT = 1250;

  private final Process process;
  private final WebSocket socket;
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
  private final List<String> complaints = new CopyOnWriteArrayList<>();

  /**
   * @param home an empty directory of its own
   */
  Browser(Path home) throws Exception {
    process =
        new ProcessBuilder(
                "chromium",
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-background-networking",
                "--hide-scrollbars",
                "--no-first-run",
                "--remote-debugging-port=0",
                "--user-data-dir=" + home,
                "about:blank")
            .redirectErrorStream(true)
            .redirectOutput(home.resolve("chromium.log").toFile())
            .start();
    Path portFile = home.resolve("DevToolsActivePort");
    await().until(() -> Files.exists(portFile) && Files.size(portFile) > 0);
    String port = Files.readAllLines(portFile).get(0);
    HttpClient client = HttpClient.newHttpClient();
    String target =
        client
            .send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json/new"))
                    .PUT(HttpRequest.BodyPublishers.noBody())
                    .build(),
                HttpResponse.BodyHandlers.ofString())
            .body();
    socket =
        client
            .newWebSocketBuilder()
            .buildAsync(
                URI.create(JsonValue.parse(target).at("webSocketDebuggerUrl").text()),
                new Messages())
            .get(60, TimeUnit.SECONDS);
    call("Page.enable", new JsonObject());
    call("Runtime.enable", new JsonObject());
    call("Log.enable", new JsonObject());
    resize(WIDTH);
  }

  /** Makes the window so many pixels wide. */
  void resize(int width) throws Exception {
    call(
        "Emulation.setDeviceMetricsOverride",
        new JsonObject()
            .put("width", width)
            .put("height", HEIGHT)
            .put("deviceScaleFactor", 1)
            .put("mobile", false));
  }

  /** Goes to a page. */
  void visit(String url) throws Exception {
    call("Page.navigate", new JsonObject().put("url", url));
  }

  /**
   * Returns the value of an expression, or of what it promises, as a string; empty if the browser
   * goes to another page meanwhile.
   */
  String evaluate(String expression) throws Exception {
    return result("Promise.resolve(" + expression + ").then(String)");
  }

  /** Returns the rules of accessibility that the page breaks, a line each; empty if none. */
  String violations() throws Exception {
    String axe = Resources.toString(Resources.getResource("axe.min.js"), StandardCharsets.UTF_8);
    result(axe + "; ''");
    return evaluate(
        "axe.run(document).then(found => found.violations.map(rule => rule.id + ': ' + rule.help"
            + " + ' ' + rule.nodes.map(node => node.html + ' ' + node.failureSummary).join(' | '))"
            + ".join('\\n'))");
  }

  /** Writes a picture of the page, or of its upper part if it is very long. */
  void photograph(Path file) throws Exception {
    String width = evaluate("window.innerWidth");
    String height = evaluate("document.documentElement.scrollHeight");
    JsonObject clip =
        new JsonObject()
            .put("x", 0)
            .put("y", 0)
            .put("width", Integer.parseInt(width))
            .put("height", Math.min(MOST_HEIGHT, Integer.parseInt(height)))
            .put("scale", 1);
    String answer =
        call(
            "Page.captureScreenshot",
            new JsonObject().put("captureBeyondViewport", true).put("clip", clip));
    Object data = JsonValue.parse(answer).at("result").at("data").value();
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.write(file, Base64.getDecoder().decode(Objects.requireNonNull((String) data, answer)));
  }

  private String result(String expression) throws Exception {
    JsonObject asString =
        new JsonObject()
            .put("returnByValue", true)
            .put("awaitPromise", true)
            .put("expression", expression);
    String answer = call("Runtime.evaluate", asString);
    JsonValue told = JsonValue.parse(answer);
    if (told.at("error").exists()) {
      return ""; // the page went elsewhere meanwhile
    }
    Object value = told.at("result").at("result").at("value").value();
    return Objects.requireNonNull((String) value, answer);
  }

  /** Has the reader's system prefer dark or light colours. */
  void prefer(String colours) throws Exception {
    call(
        "Emulation.setEmulatedMedia",
        new JsonObject()
            .put("features", List.of(Map.of("name", "prefers-color-scheme", "value", colours))));
  }

  /** Returns the errors of the page's program and of its loading, and what the policy forbade. */
  List<String> complaints() {
    return complaints;
  }

  private String call(String method, JsonObject parameters) throws Exception {
    JsonObject call = new JsonObject().put("id", 1).put("method", method).put("params", parameters);
    socket.sendText(JsonObject.render(call), true).get(60, TimeUnit.SECONDS);
    return Objects.requireNonNull(answers.poll(60, TimeUnit.SECONDS), method);
  }

  private final class Messages implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
      text.append(part);
      from.request(1);
      if (last) {
        take(text.toString());
        text.setLength(0);
      }
      return null;
    }

    private void take(String message) {
      if (message.startsWith("{\"id\":")) {
        answers.add(message);
      } else if (message.contains("\"Runtime.exceptionThrown\"")
          || (message.contains("\"Log.entryAdded\"") && message.contains("\"level\":\"error\""))) {
        complaints.add(message);
      }
    }
  }

  @Override
  public void close() throws InterruptedException {
    socket.abort();
    process.descendants().forEach(ProcessHandle::destroy);
    process.destroy();
    if (!process.waitFor(20, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
    }
  }
}
