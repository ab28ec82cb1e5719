package io.duplog.bridge;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import com.rabbitmq.client.AMQP;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.cli.Commands;
import io.duplog.config.Secret;
import io.duplog.observe.Conditions;
import io.duplog.observe.LogEvents;
import io.duplog.observe.LogLines;
import io.duplog.parts.RabbitMq;
import io.duplog.parts.Redis;
import io.duplog.wire.Envelope;
import io.duplog.wire.Heartbeat;
import io.duplog.wire.Topology;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that neither logs nor status pages ever contain a secret or the text of a message. */
class LogContentIT extends BridgeBetweenServers {
  private static final String CONTENT = "content-7c1d9b";
  private static final String SECRET = "secret-2f60ea";

  private static final String PAGE = "status: {listen: '127.0.0.1:0'}";
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private static final String WRONG_LOGINS =
      """
      name: one
      streams:
        - {name: a, user: duplog-bridge, password: <streams.password>, <a>}
        - {name: b, user: duplog-bridge, password: <streams.password>, <b>}
      dedup:
        redis: {port: <redis port>, user: duplog, password: <dedup.redis.password>}
        spare:
          {host: localhost, port: <redis port>, user: duplog, password: <dedup.spare.password>}
      sink:
        type: hec
        hec:
          urls: ['http://splunk.example:8088']
          token: <sink.hec.token>
          proxy:
            url: http://127.0.0.1:<proxy port>
            user: duplog
            password: <sink.hec.proxy.password>
      """
          + PAGE;

  private static final String WRONG_SENTINELS =
      WRONG_LOGINS
          .replace("name: one", "name: two")
          .replaceAll(
              "(redis: |spare:\n *)\\{[^}]*(<dedup.(\\w+).password>)}",
              "$1{password: $2, sentinel: {master: the-$3, addresses: ['127.0.0.1:<redis port>'],"
                  + " user: duplog, password: <dedup.$3.sentinel.password>}}");

  /** The sink is Kafka, and its server is none, so that the client says what it can't do. */
  private static final String WRONG_KAFKA =
      """
      name: three
      streams:
        - {name: a, user: duplog-bridge, password: <streams.password>, <a>}
        - {name: b, user: duplog-bridge, password: <streams.password>, <b>}
      dedup: {store: memory}
      sink:
        type: kafka
        kafka:
          servers: ['127.0.0.1:<redis port>']
          topic: syslog
          user: duplog
          password: <sink.kafka.password>
      """
          + PAGE;

  private static final List<String> WRONG_FILES =
      List.of(WRONG_LOGINS, WRONG_SENTINELS, WRONG_KAFKA);

  /** Patterns of what the log says where those secrets are refused. */
  private static final List<String> REFUSALS =
      List.of(
          "refused user 'duplog-bridge'",
          "Redis 127.0.0.1:\\d+ unavailable \\(WRONGPASS",
          "Redis localhost:\\d+ unavailable \\(WRONGPASS",
          "Redis master 'the-redis' is \\(WRONGPASS",
          "Redis master 'the-spare' is \\(WRONGPASS",
          "answers 403 \\(headers: ");

  @TempDir Path folder;

  private final Queue<ILoggingEvent> log = new ConcurrentLinkedQueue<>();
  private final Consumer<ILoggingEvent> listener = log::add;

  @BeforeEach
  void listen() {
    LogEvents.add(listener);
  }

  @AfterEach
  void stopListening() {
    LogEvents.remove(listener);
  }

  @Test
  void wholeRun_withAllThatGoesWrong_showsNeitherSecretsNorContent() throws Exception {
    Bridge one = start("one", "limits: {max-message: 1KiB}\n" + PAGE);
    publish(CONTENT + " fine");
    byte[] content = CONTENT.getBytes(UTF_8);
    streamA.publishAs(Envelope.CONTENT_TYPE, "bad-1", content);
    streamA.publishAs(Envelope.CONTENT_TYPE, CONTENT + " €", content);
    streamA.publish(new AMQP.BasicProperties(), (CONTENT + "x".repeat(2000)).getBytes(UTF_8));
    streamA.publishAs(Heartbeat.CONTENT_TYPE, "bad-1", content);
    awaitSettled();
    sink.refuse();
    streamA.publish(CONTENT + " refused");
    await().until(() -> sink.waiting() == 1);
    sink.refuseForGood("code 12");
    String deadLetters = Topology.deadLetterQueue(Topology.DEFAULT_QUEUE);
    await().until(() -> brokerA.depth(deadLetters) == 4);
    // Not before: it has another limit for messages, and might have had the long one.
    Bridge refused = startWith("two", Redis.PASSWORD, SECRET);
    await().until(() -> lines().stream().anyMatch(line -> line.contains("Redis")));
    String shown = pages(one);
    one.stop(GRACE);
    refused.stop(GRACE);

    assertThat(lines()).hasSizeGreaterThan(5);
    assertThat(shown + lines())
        .doesNotContain(CONTENT, SECRET, RabbitMq.BRIDGE_PASSWORD, Redis.PASSWORD);
  }

  @Test
  void everySecret_refusedByWhomItIsFor_isNowhereToBeRead() throws Exception {
    Map<String, String> secrets = new TreeMap<>();
    findSecrets("", BridgeConfig.class, key -> secrets.put(key, SECRET + secrets.size()));
    assertThat(secrets).containsKeys("streams.password", "sink.hec.token");
    Set<String> logins = new ConcurrentSkipListSet<>();
    HttpServer proxy =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    proxy.createContext("/", exchange -> refuse(exchange, logins));
    proxy.start();
    StringBuilder shown = new StringBuilder();
    try {
      for (String file : WRONG_FILES) {
        String yaml = filled(file, secrets, proxy.getAddress().getPort());
        assertThat(yaml).doesNotContain("<");
        BridgeConfig config = parsed(yaml);
        Conditions board = Conditions.ofSystem();
        Bridge bridge = start(config, config.openSinks(line -> {}, board), board);
        shown.append(Commands.run(1, Files.writeString(folder.resolve("f.yaml"), yaml), "check"));
        shown.append(pages(bridge));
      }
      for (String refusal : REFUSALS) {
        await().untilAsserted(() -> assertThat(lines().toString()).containsPattern(refusal));
      }
    } finally {
      proxy.stop(0);
    }
    String basic = "duplog:" + secrets.get("sink.hec.proxy.password");
    String encoded = Base64.getEncoder().encodeToString(basic.getBytes(UTF_8));
    assertThat(logins)
        .containsExactly("Basic " + encoded, "Splunk " + secrets.get("sink.hec.token"));
    assertThat(shown + lines().toString()).doesNotContain(SECRET, encoded);
  }

  /** Fills the secrets into a configuration; the configurations together have a place for each. */
  private static String filled(String file, Map<String, String> secrets, int proxyPort) {
    String yaml =
        file.replace("<a>", "host: %s, port: %d".formatted(brokerA.host(), brokerA.port()))
            .replace("<b>", "host: %s, port: %d".formatted(brokerB.host(), brokerB.port()))
            .replace("<redis port>", Integer.toString(redis.port()))
            .replace("<proxy port>", Integer.toString(proxyPort));
    for (Map.Entry<String, String> secret : secrets.entrySet()) {
      assertThat(WRONG_FILES).anyMatch(each -> each.contains("<" + secret.getKey() + ">"));
      yaml = yaml.replace("<" + secret.getKey() + ">", secret.getValue());
    }
    return yaml;
  }

  private static void findSecrets(String path, Type type, Consumer<String> found) {
    if (type instanceof ParameterizedType list) {
      findSecrets(path, list.getActualTypeArguments()[0], found);
    } else if (type == Secret.class) {
      found.accept(path);
    } else if (type instanceof Class<?> section && section.isRecord()) {
      for (RecordComponent key : section.getRecordComponents()) {
        String below = path.isEmpty() ? key.getName() : path + "." + key.getName();
        findSecrets(below, key.getGenericType(), found);
      }
    }
  }

  private static void refuse(HttpExchange exchange, Set<String> logins) throws IOException {
    try (exchange) {
      logins.addAll(exchange.getRequestHeaders().get("Authorization"));
      logins.addAll(exchange.getRequestHeaders().get("Proxy-Authorization"));
      exchange.getRequestBody().readAllBytes();
      byte[] page = ("headers: " + exchange.getRequestHeaders().entrySet()).getBytes(UTF_8);
      exchange.sendResponseHeaders(403, page.length);
      exchange.getResponseBody().write(page);
    }
  }

  /** Returns everything that the bridge's status server answers. */
  private static String pages(Bridge bridge) throws Exception {
    String url = bridge.status().open();
    StringBuilder all = new StringBuilder();
    for (String path : List.of("/", "/api/state", "/metrics", "/ready")) {
      HttpRequest question = HttpRequest.newBuilder(URI.create(url + path)).build();
      String answer = HTTP.send(question, HttpResponse.BodyHandlers.ofString()).body();
      assertThat(answer).as(path).isNotEmpty();
      all.append(answer);
    }
    return all.toString();
  }

  @Test
  void reopening_isToldWithWhatIsOpenedAgain() throws Exception {
    Bridge bridge = start("one", "");

    assertThat(LogLines.of(Bridge.class, bridge::reopenSink))
        .containsExactly("INFO reload: nothing to reopen: this sink writes no file");
  }

  private List<String> lines() {
    return log.stream()
        .map(
            event ->
                event.getFormattedMessage()
                    + (event.getThrowableProxy() == null
                        ? ""
                        : ThrowableProxyUtil.asString(event.getThrowableProxy())))
        .toList();
  }
}
