package io.duplog.bridge;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.GetResponse;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.bridge.settings.Settings;
import io.duplog.deliver.Sink;
import io.duplog.wire.Envelope;
import io.duplog.wire.Topology;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole bridges before a collector that does not answer every text as it should. */
class PoisonIT extends BridgeBetweenServers {
  /** Of two dead letters, each on both brokers. */
  private static final int COPIES = 4;

  private static final String DEAD_LETTERS = Topology.deadLetterQueue(Topology.DEFAULT_QUEUE);
  private static final Pattern EVENT = Pattern.compile("\"event\":\"([^\"]*)\"");

  private final List<String> arrivals = new CopyOnWriteArrayList<>();
  private final List<String> fatal = new CopyOnWriteArrayList<>();
  private HttpServer collector;

  /** What becomes of a request that holds the text; 0: its connection breaks. */
  private volatile int failure;

  private volatile boolean wantsLogin;

  @BeforeEach
  void startCollector() throws IOException {
    collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    collector.setExecutor(Executors.newCachedThreadPool());
    collector.createContext("/", this::answer);
    collector.start();
  }

  @AfterEach
  void stopCollector() {
    collector.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), ISO_8859_1);
      if (wantsLogin) {
        exchange.sendResponseHeaders(407, -1);
      } else if (exchange.getRequestMethod().equals("GET")) {
        say(exchange, 200, "{\"text\":\"HEC is healthy\",\"code\":17}");
      } else if (body.isEmpty()) {
        say(exchange, 400, "{\"text\":\"No data\",\"code\":5}");
      } else if (!body.contains("poison")) {
        Matcher events = EVENT.matcher(body);
        while (events.find()) {
          arrivals.add(events.group(1));
        }
        say(exchange, 200, "{\"text\":\"Success\",\"code\":0}");
      } else if (failure != 0) {
        say(exchange, failure, "<html>blocked</html>");
      }
    }
  }

  private static void say(HttpExchange exchange, int status, String text) throws IOException {
    exchange.sendResponseHeaders(status, text.length());
    exchange.getResponseBody().write(text.getBytes(ISO_8859_1));
  }

  private Sink startWithCollector(String name) throws Exception {
    String sink =
        "sink: {type: hec, hec: {token: t, urls: ['http://127.0.0.1:%d']}}"
            .formatted(collector.getAddress().getPort());
    BridgeConfig config = parsed(yaml(name, "").replace("sink: {type: stdout}", sink));
    Sink opened = Settings.sink(config, fatal::add);
    start(config, opened);
    return opened;
  }

  @ParameterizedTest
  @ValueSource(ints = {403, 503, 0})
  void eventThatIsRefusedForItsText_isADeadLetter_andHoldsUpNoOther(int status) throws Exception {
    failure = status;
    Sink opened = startWithCollector("one");
    startWithCollector("two");
    streamA.publish("poison a");
    streamB.publish("poison b");
    await().until(() -> opened.isolated() > 0);

    int sent = 0;
    long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
    while (deadLetters() < COPIES && System.nanoTime() - end < 0) {
      String message = "good " + sent++;
      publish(message);
      await().atMost(Duration.ofSeconds(10)).until(() -> arrivals.contains(message));
    }

    assertThat(deadLetters()).isEqualTo(COPIES);
    awaitSettled();
    assertThat(arrivals).doesNotHaveDuplicates().hasSize(sent);
    GetResponse letter = streamA.channel().basicGet(DEAD_LETTERS, true);
    assertThat(String.valueOf(letter.getProps().getHeaders().get(Envelope.REASON_HEADER)))
        .contains("this event alone", "other requests were accepted");
  }

  private long deadLetters() throws Exception {
    return brokerA.depth(DEAD_LETTERS) + brokerB.depth(DEAD_LETTERS);
  }

  @Test
  void answerWithoutABody_endsNoBridge_andSaysWhatToChange() throws Exception {
    wantsLogin = true;
    Sink opened = startWithCollector("one");
    await()
        .untilAsserted(
            () -> assertThat(opened.trouble()).contains("answers 407", "a proxy wants a login"));
    streamA.publish("a");
    wantsLogin = false;
    await().until(() -> arrivals.contains("a"));
    assertThat(fatal).isEmpty();
  }
}
