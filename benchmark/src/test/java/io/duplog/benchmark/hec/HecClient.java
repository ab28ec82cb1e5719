package io.duplog.benchmark.hec;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.google.common.collect.ObjectArrays;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Sends single requests to the stand-in for Splunk, and returns its answers to a test. */
final class HecClient {
  static final String TOKEN = "3c1b66a5-2e2f-4c5e-8d5c-3a6f0a2f9e11";
  static final String CHANNEL = "0aeeac95-ac74-4aa9-b30d-6c4c0ac581ba";

  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final URI server;
  private final String[] authorizationHeader;

  /**
   * Creates a client.
   *
   * @param authorizationHeader value of the header in every request; empty for none
   */
  HecClient(HecServer server, String authorizationHeader) {
    this.server = server.uri();
    this.authorizationHeader =
        authorizationHeader.isEmpty()
            ? new String[0]
            : new String[] {"Authorization", authorizationHeader};
  }

  HecClient(HecServer server) {
    this(server, "Splunk " + TOKEN);
  }

  /**
   * Posts a body in which one character is one byte. Returns status and body of the answer.
   *
   * @param extraHeaders names and values of headers, alternately
   */
  String post(String path, String body, String... extraHeaders)
      throws IOException, InterruptedException {
    String[] headers = ObjectArrays.concat(authorizationHeader, extraHeaders, String.class);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.resolve("/services/collector" + path))
            .POST(BodyPublishers.ofByteArray(body.getBytes(ISO_8859_1)));
    return exchange(headers.length == 0 ? request : request.headers(headers));
  }

  String postOn(String channel, String path, String body) throws IOException, InterruptedException {
    return post(path, body, "X-Splunk-Request-Channel", channel);
  }

  String get(String path) throws IOException, InterruptedException {
    return exchange(HttpRequest.newBuilder(server.resolve("/services/collector" + path)));
  }

  static String exchange(HttpRequest.Builder request) throws IOException, InterruptedException {
    HttpResponse<String> answer =
        CLIENT.send(
            request.timeout(Duration.ofSeconds(10)).build(), HttpResponse.BodyHandlers.ofString());
    return answer.statusCode() + " " + answer.body();
  }
}
