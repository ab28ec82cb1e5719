package io.duplog.deliver.hec;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.util.concurrent.Uninterruptibles;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.duplog.deliver.hec.answer.Reply;
import io.duplog.deliver.hec.http.Connection;
import io.duplog.tls.Authority;
import io.duplog.tls.ServerTlsConfig;
import io.duplog.tls.Tls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** Runs a collector in the JDK's own server of HTTP or HTTPS, whose token is {@code good}. */
final class HttpCollector implements AutoCloseable {
  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  final FakeCollector collector = new FakeCollector(false);

  /** Requests as the collector saw them. */
  final List<String> seen = new CopyOnWriteArrayList<>();

  /** Cookie that each answer sets. */
  volatile Supplier<String> cookie = () -> "sticky=yes";

  /** Headers of cookies that get 400, without JSON, as from a load balancer before Splunk. */
  volatile Predicate<String> dislikes = cookies -> false;

  /** Troubles that the next requests with events meet. */
  final Queue<String> troubles = new ConcurrentLinkedQueue<>();

  private final Path folder;
  private final CountDownLatch end = new CountDownLatch(1);
  private final ExecutorService executor = Executors.newCachedThreadPool();
  private @Nullable HttpServer server;

  /**
   * @param folder of its certificates; see {@link #certify}
   */
  HttpCollector(Path folder) {
    this.folder = folder;
  }

  /** Makes certificates, of itself and others. */
  static void certify(Path folder) {
    new Authority(folder, "other-ca");
    new Authority(folder, "ca")
        .issue("server", "localhost", "127.0.0.1")
        .issue("named", "splunk.test")
        .issue("elsewhere", "elsewhere.example.com")
        .issueExpired("expired", "localhost")
        .issue("client");
  }

  private String serve(HttpServer made, String scheme) {
    server = made;
    made.setExecutor(executor);
    made.createContext("/", this::answer);
    made.start();
    return scheme + "://localhost:" + made.getAddress().getPort();
  }

  /** Starts the server, and returns its URL. */
  String http() throws IOException {
    return serve(HttpServer.create(ANY_PORT, 0), "http");
  }

  /** Starts the server with a certificate of the folder, and returns its URL. */
  String https(String certificate, boolean wantsClient) throws Exception {
    HttpsServer made = HttpsServer.create(ANY_PORT, 0);
    Tls own =
        Tls.ofServer(
            "test",
            new ServerTlsConfig(
                pem(certificate + ".pem"),
                pem(certificate + ".key"),
                wantsClient ? pem("ca.pem") : null));
    made.setHttpsConfigurator(
        new HttpsConfigurator(own.context()) {
          @Override
          public void configure(HttpsParameters parameters) {
            parameters.setSSLParameters(own.parameters());
          }
        });
    return serve(made, "https");
  }

  String pem(String name) {
    return folder.resolve(name).toString();
  }

  private void answer(HttpExchange exchange) throws IOException {
    Headers headers = exchange.getRequestHeaders();
    String token = String.valueOf(headers.getFirst("Authorization"));
    String path = exchange.getRequestURI().toString();
    byte[] body = exchange.getRequestBody().readAllBytes();
    if ("gzip".equals(headers.getFirst("Content-Encoding"))) {
      body = new GZIPInputStream(new ByteArrayInputStream(body)).readAllBytes();
      seen.add("gzip");
    }
    seen.addAll(
        List.of(
            exchange.getRequestMethod() + " " + path,
            token,
            "host " + headers.getFirst("Host"),
            "cookie " + headers.getFirst("Cookie"),
            "proxy login " + headers.getFirst("Proxy-Authorization")));
    String trouble = body.length == 0 ? null : troubles.poll();
    if (trouble != null && !trouble.isEmpty()) {
      misbehave(exchange, trouble);
      return;
    }
    if (dislikes.test(String.valueOf(headers.getFirst("Cookie")))) {
      seen.add("disliked");
      exchange.sendResponseHeaders(400, -1);
      exchange.close();
      return;
    }
    Reply reply;
    synchronized (collector) { // which is for one thread at a time
      try (Connection behind = collector.connect()) {
        if (exchange.getRequestMethod().equals("GET")) {
          reply = behind.get(path);
        } else if (token.equals("Splunk good")) {
          reply = behind.post(new Connection.Post(path, body, body.length, false, null));
        } else {
          reply = FakeCollector.reply(403, "{\"text\":\"Invalid token\",\"code\":4}");
        }
      }
    }
    exchange.getResponseHeaders().add("Set-Cookie", cookie.get() + "; Path=/");
    exchange.sendResponseHeaders(reply.status(), reply.body().length);
    exchange.getResponseBody().write(reply.body());
    exchange.close();
  }

  private void misbehave(HttpExchange exchange, String trouble) throws IOException {
    if (!trouble.equals("hang")) {
      boolean flood = trouble.equals("flood");
      exchange.sendResponseHeaders(flood ? 503 : 200, trouble.equals("break") ? 1000 : 0);
      OutputStream out = exchange.getResponseBody();
      out.write("{\"text\":\"Succ".getBytes(UTF_8));
      out.flush();
      while (flood && end.getCount() > 0) {
        out.write(new byte[10_000]); // fails when the connection is closed
      }
      while (trouble.equals("trickle")
          && !Uninterruptibles.awaitUninterruptibly(end, 100, TimeUnit.MILLISECONDS)) {
        out.write(' ');
        out.flush();
      }
    }
    if (trouble.equals("hang")) {
      Uninterruptibles.awaitUninterruptibly(end);
    }
    exchange.close();
  }

  /** Stops the server from taking connections. */
  void stop() {
    if (server != null) {
      server.stop(0);
    }
  }

  @Override
  public void close() {
    end.countDown();
    stop();
    executor.shutdownNow();
  }
}
