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

/**
 * Simulates Splunk's HTTP Event Collector on a real HTTP or HTTPS port, for tests of connections.
 */
final class HttpCollector implements AutoCloseable {
  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  final FakeCollector collector = new FakeCollector(false);

  /** Properties of the received requests: path, token, host, cookie and proxy login. */
  final List<String> seen = new CopyOnWriteArrayList<>();

  /** The cookie that each answer sets. */
  volatile Supplier<String> cookie = () -> "sticky=yes";

  /** Cookies that get 400 without JSON, as from a load balancer in front of Splunk. */
  volatile Predicate<String> rejectsCookies = cookies -> false;

  /** Faults for the next requests with events; an empty text means none. */
  final Queue<String> faults = new ConcurrentLinkedQueue<>();

  private final Path folder;
  private final CountDownLatch end = new CountDownLatch(1);
  private final ExecutorService executor = Executors.newCachedThreadPool();
  private @Nullable HttpServer server;

  /**
   * @param folder contains the certificates; see {@link #certify}
   */
  HttpCollector(Path folder) {
    this.folder = folder;
  }

  /** Creates valid and invalid certificates for the server. */
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

  /** Starts the server and returns its URL. */
  String http() throws IOException {
    return serve(HttpServer.create(ANY_PORT, 0), "http");
  }

  /** Starts the server with a certificate from the folder and returns its URL. */
  String https(String certificate, boolean needsClientCertificate) throws Exception {
    HttpsServer made = HttpsServer.create(ANY_PORT, 0);
    Tls own =
        Tls.ofServer(
            "test",
            new ServerTlsConfig(
                pem(certificate + ".pem"),
                pem(certificate + ".key"),
                needsClientCertificate ? pem("ca.pem") : null));
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
    String fault = body.length == 0 ? null : faults.poll();
    if (fault != null && !fault.isEmpty()) {
      misbehave(exchange, fault);
      return;
    }
    if (rejectsCookies.test(String.valueOf(headers.getFirst("Cookie")))) {
      seen.add("rejected cookies");
      exchange.sendResponseHeaders(400, -1);
      exchange.close();
      return;
    }
    Reply reply;
    synchronized (collector) { // which is not thread-safe
      try (Connection connection = collector.connect()) {
        if (exchange.getRequestMethod().equals("GET")) {
          reply = connection.get(path);
        } else if (token.equals("Splunk good")) {
          reply = connection.post(new Connection.Post(path, body, body.length, false, null));
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

  private void misbehave(HttpExchange exchange, String fault) throws IOException {
    if (!fault.equals("hang")) {
      boolean flood = fault.equals("flood");
      exchange.sendResponseHeaders(flood ? 503 : 200, fault.equals("break") ? 1000 : 0);
      OutputStream out = exchange.getResponseBody();
      out.write("{\"text\":\"Succ".getBytes(UTF_8));
      out.flush();
      while (flood && end.getCount() > 0) {
        out.write(new byte[10_000]); // fails when the connection is closed
      }
      while (fault.equals("trickle")
          && !Uninterruptibles.awaitUninterruptibly(end, 100, TimeUnit.MILLISECONDS)) {
        out.write(' ');
        out.flush();
      }
    }
    if (fault.equals("hang")) {
      Uninterruptibles.awaitUninterruptibly(end);
    }
    exchange.close();
  }

  /** Stops the server, so that it accepts no connections. */
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
