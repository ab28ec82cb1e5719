package io.duplog.benchmark.hec;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.zip.GZIPOutputStream;

/** Sends single requests. One character of a body is one byte. */
final class HecClient {
  static final String TOKEN = "3c1b66a5-2e2f-4c5e-8d5c-3a6f0a2f9e11";
  static final String CHANNEL = "0aeeac95-ac74-4aa9-b30d-6c4c0ac581ba";

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final URI server;

  HecClient(HecServer server) {
    this.server = server.uri();
  }

  /** Status and body of the answer. */
  String post(String path, String body) throws IOException, InterruptedException {
    return exchange(request(path, "Splunk " + TOKEN).POST(bytes(body)));
  }

  String postOn(String channel, String path, String body) throws IOException, InterruptedException {
    return exchange(
        request(path, "Splunk " + TOKEN)
            .header("X-Splunk-Request-Channel", channel)
            .POST(bytes(body)));
  }

  String postAs(String authorization, String body) throws IOException, InterruptedException {
    return exchange(request("/event", authorization).POST(bytes(body)));
  }

  String postAnonymously(String body) throws IOException, InterruptedException {
    return exchange(HttpRequest.newBuilder(uri("/event")).POST(bytes(body)));
  }

  String postZipped(String body) throws IOException, InterruptedException {
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(zipped)) {
      out.write(body.getBytes(UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return exchange(
        request("/event", "Splunk " + TOKEN)
            .header("Content-Encoding", "gzip")
            .POST(HttpRequest.BodyPublishers.ofByteArray(zipped.toByteArray())));
  }

  String get(String path) throws IOException, InterruptedException {
    return exchange(HttpRequest.newBuilder(uri(path)).GET());
  }

  private HttpRequest.Builder request(String path, String authorization) {
    return HttpRequest.newBuilder(uri(path)).header("Authorization", authorization);
  }

  private URI uri(String path) {
    return server.resolve("/services/collector" + path);
  }

  private static HttpRequest.BodyPublisher bytes(String body) {
    return HttpRequest.BodyPublishers.ofByteArray(body.getBytes(ISO_8859_1));
  }

  private String exchange(HttpRequest.Builder request) throws IOException, InterruptedException {
    HttpResponse<String> answer =
        client.send(
            request.timeout(Duration.ofSeconds(10)).build(), HttpResponse.BodyHandlers.ofString());
    return answer.statusCode() + " " + answer.body();
  }
}
