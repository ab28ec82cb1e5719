package io.duplog.ingest.hec;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.config.ConfigLoader;
import io.duplog.ingest.IngestConfig;
import io.duplog.ingest.batch.FakePublisher;
import io.duplog.ingest.batch.FakeTime;
import io.duplog.ingest.batch.TransactionMark;
import io.duplog.ingest.publish.OutgoingBatch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionService;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests what the listener does with clients that attack it or break the rules of HTTP. */
class HecServerAttackTest {
  private static final int MAX_MESSAGE_BYTES = 32 << 10;
  private static final String YAML =
      """
      stream: a
      broker: {host: h, user: u, password: p}
      batch: {max-unconfirmed: 1MiB}
      hec:
        listen: 127.0.0.1:0
        max-body: 64KiB
        max-memory: 512KiB
        max-connections: 100
        tokens: [{name: one, token: secret}]
      """;

  private final FakeTime time = new FakeTime();
  private final FakePublisher publisher = new FakePublisher(time, 1);
  private final List<Socket> clients = new CopyOnWriteArrayList<>();
  private HecServer server;

  @BeforeEach
  void open() throws Exception {
    server = open(YAML);
  }

  private HecServer open(String yaml) throws Exception {
    IngestConfig config =
        ConfigLoader.of(Map.of(), "host").parse("test.yaml", yaml, IngestConfig.class);
    return HecServer.open(
        Objects.requireNonNull(config.hec()),
        config.batch(),
        MAX_MESSAGE_BYTES,
        config.stream(),
        publisher,
        () -> true,
        TransactionMark.none(),
        time);
  }

  @AfterEach
  void stop() throws IOException {
    for (Socket client : clients) {
      client.close();
    }
    server.stop();
  }

  private Socket client() throws IOException {
    return client("127.0.0.1");
  }

  private Socket client(String address) throws IOException {
    Socket client =
        new Socket(
            InetAddress.getLoopbackAddress(), server.port(), InetAddress.getByName(address), 0);
    client.setSoTimeout(60_000);
    clients.add(client);
    return client;
  }

  private static void send(Socket client, String text) throws IOException {
    client.getOutputStream().write(text.getBytes(ISO_8859_1));
    client.getOutputStream().flush();
  }

  private static String head(String token, int length, String... headers) {
    return head("/services/collector/event", token, length, headers);
  }

  private static String head(String path, String token, int length, String... headers) {
    StringBuilder head = new StringBuilder("POST " + path + " HTTP/1.1\r\nHost: h\r\n");
    head.append("Authorization: Splunk ").append(token).append("\r\n");
    for (String header : headers) {
      head.append(header).append("\r\n");
    }
    return head.append("Content-Length: ").append(length).append("\r\n\r\n").toString();
  }

  private static String request(String body) {
    return head("secret", body.length()) + body;
  }

  /** Returns the next answer's status and body, or an empty string if the connection is closed. */
  private static String answer(Socket client) throws IOException {
    String head = readTo(client.getInputStream(), "\r\n\r\n");
    return head.isEmpty() ? "" : head.substring(9, 12) + " " + readTo(client.getInputStream(), "}");
  }

  private static String readTo(InputStream in, String end) throws IOException {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    while (!text.toString(ISO_8859_1).endsWith(end)) {
      int next = in.read();
      if (next < 0) {
        return "";
      }
      text.write(next);
    }
    return text.toString(ISO_8859_1);
  }

  private String answerTo(String request) throws IOException {
    Socket client = client();
    send(client, request);
    return answer(client);
  }

  private List<OutgoingBatch> unusable() {
    return publisher.storedBatches.values().stream()
        .filter(batch -> batch.unusableReason() != null)
        .toList();
  }

  /**
   * RabbitMQ closes the connection if a header is too large. Each new attempt would close it again.
   */
  @Test
  void reason_withLongNameOfClient_isCut() throws Exception {
    String name = "n".repeat(40_000) + "\\n[critical] forged";
    assertThat(answerTo(request("{\"event\":1,\"fields\":{\"\\n" + name + "\":{}}}")))
        .startsWith("200");
    assertThat(unusable().get(0).unusableReason())
        .startsWith("fields has a nested object:  ")
        .hasSize(200)
        .doesNotContain("\n");
  }

  @Test
  void unusableEvents_ofOneRequest_shareBatches() throws Exception {
    assertThat(answerTo(request("{}".repeat(10_000)))).startsWith("200");
    assertThat(unusable().stream().mapToInt(batch -> batch.messages().count()).sum())
        .isEqualTo(10_000);
    assertThat(unusable()).hasSizeLessThan(10);
  }

  @Test
  void unusableEvents_withManyReasons_shareBatches() throws Exception {
    StringBuilder body = new StringBuilder();
    for (int i = 0; i < 1000; i++) {
      body.append("{\"event\":1,\"fields\":{\"f").append(i).append("\":{}}}");
    }
    assertThat(answerTo(request(body.toString()))).startsWith("200");
    assertThat(unusable()).hasSizeLessThan(30);
  }

  /** A host of 4,000 bytes in the query is repeated in the metadata of each of 1,000 events. */
  @Test
  void metadata_thatMultipliesABody_isRefused() throws Exception {
    String body = "{\"event\":1}".repeat(1_000);
    String path = "/services/collector/event?host=" + "h".repeat(4_000);
    assertThat(answerTo(head(path, "secret", body.length()) + body)).startsWith("413");
    awaitAccepted(body);
  }

  /** Waits for the memory of refused requests, which is free soon after their answers. */
  private void awaitAccepted(String body) {
    Awaitility.await().until(() -> answerTo(request(body)).startsWith("200"));
  }

  @Test
  void memory_ofRequestsThatWaitForRabbitMq_isBounded() throws Exception {
    CountDownLatch mayConfirm = new CountDownLatch(1);
    publisher.beforeConfirm = FakePublisher.waiting(new CountDownLatch(1), mayConfirm);
    String body = "{\"event\":\"" + "x".repeat(30_000) + "\"}";
    ExecutorService threads = Executors.newCachedThreadPool();
    CompletionService<String> answers = new ExecutorCompletionService<>(threads);
    int requests = 20;
    for (int i = 0; i < requests; i++) {
      answers.submit(() -> answerTo(request(body)));
    }
    int maxAccepted = (512 << 10) / (3 * body.length());
    for (int i = 0; i < requests - maxAccepted; i++) {
      assertThat(answers.take().get()).startsWith("503");
    }
    mayConfirm.countDown();
    for (int i = 0; i < maxAccepted; i++) {
      assertThat(answers.take().get()).matches("(?s)(200|503).*");
    }
    threads.shutdown();
    awaitAccepted(body);
  }

  /** Otherwise a client behind a slow line could never deliver a large request. */
  @Test
  void body_thatArrivesSlowly_hasTimeToBeConfirmed() throws Exception {
    publisher.beforeConfirm = () -> time.sleep(TimeUnit.SECONDS.toNanos(1));
    String body = "{\"event\":\"slow\"}";
    Socket client = client();
    send(client, head("secret", body.length(), "Expect: 100-continue"));
    assertThat(readTo(client.getInputStream(), "\r\n\r\n")).contains("100 Continue");
    time.sleep(TimeUnit.SECONDS.toNanos(20));
    send(client, body);

    assertThat(answer(client)).startsWith("200");
  }

  @Test
  void encoding_thatIsUnknown_isRefused() throws Exception {
    assertThat(answerTo(head("secret", 5, "Content-Encoding: zstd") + "12345")).startsWith("415");
    assertThat(publisher.submittedBatches).isEmpty();
  }

  /** A client that is cut off while it sends would repeat the request without end. */
  @Test
  void refusal_whileBodyArrives_isRead() throws Exception {
    String body = "x".repeat(20 << 20);
    for (String token : List.of("wrong", "secret")) {
      Socket client = client();
      send(client, head(token, body.length()) + body);
      assertThat(answer(client)).startsWith(token.equals("wrong") ? "403" : "413");
      send(client, request("{\"event\":\"after a refusal\"}"));
      assertThat(answer(client)).startsWith("200");
    }
  }

  @Test
  void chunks_withoutEnd_areRefused() throws Exception {
    Socket client = client();
    send(
        client,
        String.join(
            "\r\n",
            "POST /services/collector/raw HTTP/1.1",
            "Host: h",
            "Authorization: Splunk secret",
            "Transfer-Encoding: chunked",
            "",
            ""));
    String chunk = "10000\r\n" + "x".repeat(0x10000) + "\r\n";
    for (int i = 0; i < 100; i++) {
      send(client, chunk);
    }
    send(client, "0\r\n\r\n");
    assertThat(answer(client)).startsWith("413");
  }

  @Test
  void expectation_withWrongToken_isRefusedWithoutBody() throws Exception {
    assertThat(answerTo(head("wrong", 5 << 20, "Expect: 100-continue"))).startsWith("403");
  }

  @Test
  void requests_inOnePacket_areAnsweredInOrder() throws Exception {
    Socket client = client();
    send(
        client,
        request("{\"event\":1}")
            + head("wrong", 3)
            + "abc"
            + request("")
            + request("{\"event\":2}"));
    assertThat(List.of(answer(client), answer(client), answer(client), answer(client)))
        .extracting(each -> each.substring(0, 3))
        .containsExactly("200", "403", "400", "200");
  }

  @Test
  void request_ofHttp10_isAnsweredAndClosed() throws Exception {
    Socket client = client();
    send(client, request("{\"event\":1}").replace("HTTP/1.1", "HTTP/1.0"));
    assertThat(answer(client)).startsWith("200");
    assertThat(client.getInputStream().read()).isNegative();
  }

  @Test
  void client_thatDisconnects_costsNothing() throws Exception {
    Socket client = client();
    send(client, head("secret", 100) + "{\"event\":1}");
    client.close();
    assertThat(answerTo(request("{\"event\":2}"))).startsWith("200");
    assertThat(publisher.messages()).hasSize(1);
  }

  /** The first client sends a byte now and then, the second one waits for RabbitMQ. */
  @Test
  void client_thatFinishesNoRequest_isClosedAndOthersAreNot() throws Exception {
    CountDownLatch isPublishing = new CountDownLatch(1);
    CountDownLatch mayConfirm = new CountDownLatch(1);
    publisher.beforeConfirm = FakePublisher.waiting(isPublishing, mayConfirm);
    Socket slow = client();
    send(slow, "POST /services/collector HTTP/1.1\r\nHo");
    Socket slowBody = client();
    send(slowBody, head("secret", 100, "Expect: 100-continue"));
    assertThat(readTo(slowBody.getInputStream(), "\r\n\r\n")).contains("100 Continue");
    Socket waiting = client();
    send(waiting, request("{\"event\":1}"));
    isPublishing.await();

    time.sleep(TimeUnit.SECONDS.toNanos(61));

    assertThat(answer(slow)).isEmpty();
    assertThat(answer(slowBody)).isEmpty();
    mayConfirm.countDown();
    assertThat(answer(waiting)).startsWith("200");
  }

  @Test
  void connections_thatAreScarce_areClosedEarlier() throws Exception {
    List<Socket> slow = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      Socket client = client(i % 2 == 0 ? "127.0.0.2" : "127.0.0.3");
      send(client, "POST /services/collector HTTP/1.1\r\nHo");
      slow.add(client);
    }
    Socket other = client();
    send(other, request("{\"event\":1}"));

    time.sleep(TimeUnit.SECONDS.toNanos(6));
    assertThat(answer(slow.get(0))).isEmpty();
    assertThat(answer(other)).startsWith("200");
  }

  /**
   * A load balancer has many clients behind one address, so it may have three quarters. Jetty opens
   * connections in any order, so which ones of an address are served is not fixed.
   */
  @Test
  void oneAddress_thatOpensAllConnections_leavesAQuarterToOthers() throws Exception {
    List<Socket> greedy = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      greedy.add(client("127.0.0.2"));
    }
    List<Socket> served = greedy.stream().filter(HecServerAttackTest::isServed).toList();
    assertThat(served).hasSize(75);
    List<Socket> others = new ArrayList<>();
    for (int i = 0; i < 25; i++) {
      others.add(client());
    }
    assertThat(others).allMatch(HecServerAttackTest::isServed);
    served.get(0).close();
    others.get(0).close();
    Awaitility.await().until(() -> answerTo(request("{\"event\":3}")).startsWith("200"));
  }

  @Test
  void onlyConnection_thatIsAllowed_isServed() throws Exception {
    server.stop();
    server = open(YAML.replace("max-connections: 100", "max-connections: 1"));
    assertThat(answerTo(request("{\"event\":1}"))).startsWith("200");
  }

  private static boolean isServed(Socket client) {
    try {
      send(client, request("{\"event\":1}"));
      return answer(client).startsWith("200");
    } catch (IOException e) { // closed by the server
      return false;
    }
  }

  /** The last of several equal members counts, and a number keeps its digits. */
  @Test
  void numbersAndNames_ofAnyForm_areKept() throws Exception {
    String number = "9".repeat(900);
    assertThat(
            answerTo(
                request(
                    "{\"event\":{\"n\":"
                        + number
                        + ",\"e\":1e999999999},\"event\":{\"n\":1e999999999,\"n\":2},\"time\":1e9}"
                        + "{\"event\":"
                        + "9".repeat(5_000)
                        + "}")))
        .startsWith("200");
    assertThat(publisher.messages().get(1)).endsWith("{\"n\":1e999999999,\"n\":2}");
    assertThat(unusable()).hasSize(1); // the number of more than 1000 digits
  }

  @Test
  void text_withInvalidBytesOnly_isEscaped() throws Exception {
    String body = "\u00ff".repeat(7_000);
    assertThat(answerTo(head("/services/collector/raw", "secret", body.length()) + body))
        .startsWith("200");
    assertThat(new String(publisher.messages().get(0).getBytes(ISO_8859_1), UTF_8))
        .endsWith("\\xFF".repeat(7_000));
  }
}
