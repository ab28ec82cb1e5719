package io.duplog.doctor;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.duplog.config.Hosts;
import io.duplog.observe.JsonValue;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads what AMQP doesn't show from RabbitMQ's management plugin: policies, alarms, and the node's
 * clock. A request may take seconds.
 */
public final class Management {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /**
   * A queue's effective settings.
   *
   * @param policy name of the effective policy, or empty if there is none
   * @param limits limits by their names in a policy, such as {@code max-length-bytes} or {@code
   *     delivery-limit}
   */
  public record Queue(String policy, Map<String, String> limits) {}

  /**
   * The state of a whole broker.
   *
   * @param alarms the raised alarms
   * @param ahead how far the broker's clock is ahead of this host's, to the second, or null if
   *     unknown
   */
  public record Node(List<String> alarms, @Nullable Duration ahead) {}

  private final String url;
  private final String authorization;

  private Management(String url, String login) {
    this.url = url;
    this.authorization = "Basic " + Base64.getEncoder().encodeToString(login.getBytes(UTF_8));
  }

  /**
   * Creates a client.
   *
   * @param url such as {@code http://user:password@node:15672}
   * @throws IllegalArgumentException if this is not a URL or names no user. The message does not
   *     show the URL, because it has a password.
   */
  public static Management at(String url) {
    URI uri;
    try {
      uri = URI.create(url);
    } catch (IllegalArgumentException e) {
      uri = URI.create("");
    }
    String login = uri.getUserInfo();
    String scheme = String.valueOf(uri.getScheme());
    if (login == null
        || login.indexOf(':') < 1
        || uri.getHost() == null
        || !scheme.matches("https?")) {
      throw new IllegalArgumentException("must be like http://user:password@node:15672");
    }
    if (uri.getPort() > Hosts.GREATEST_PORT) {
      throw new IllegalArgumentException("must have a port up to " + Hosts.GREATEST_PORT);
    }
    int port = uri.getPort() < 0 ? 15_672 : uri.getPort();
    String path = uri.getRawPath().replaceFirst("/+$", "");
    return new Management(scheme + "://" + uri.getHost() + ":" + port + path, login);
  }

  /**
   * Queries one queue.
   *
   * @throws IOException whose message is one line for an operator
   */
  Queue queue(String virtualHost, String name) throws IOException {
    JsonValue queue =
        JsonValue.parse(get("/api/queues/" + encoded(virtualHost) + "/" + encoded(name)).body());
    Map<String, String> limits = new LinkedHashMap<>();
    // A queue's own arguments override the policy.
    for (String from : List.of("effective_policy_definition", "arguments")) {
      if (queue.at(from).value() instanceof Map<?, ?> said) {
        said.forEach(
            (key, value) -> {
              if (value != null) {
                limits.put(key.toString().replaceFirst("^x-", ""), value.toString());
              }
            });
      }
    }
    return new Queue(queue.at("policy").text(), limits);
  }

  /**
   * Queries the broker, with all nodes of its cluster.
   *
   * @throws IOException whose message is one line for an operator
   */
  Node node() throws IOException {
    HttpResponse<String> answer = get("/api/nodes");
    Instant now = Instant.now();
    List<String> alarms = new ArrayList<>();
    for (JsonValue node : JsonValue.parse(answer.body()).list()) {
      for (String alarm : List.of("mem_alarm", "disk_free_alarm")) {
        if (node.at(alarm).isTrue()) {
          alarms.add(alarm + " of " + node.at("name").text());
        }
      }
    }
    return new Node(alarms, ahead(answer, now));
  }

  private static @Nullable Duration ahead(HttpResponse<String> answer, Instant now) {
    try {
      return answer
          .headers()
          .firstValue("Date")
          .map(date -> ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant())
          .map(then -> Duration.between(now, then))
          .orElse(null);
    } catch (DateTimeException e) {
      return null;
    }
  }

  private HttpResponse<String> get(String path) throws IOException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url + path))
            .header("Authorization", authorization)
            .timeout(PATIENCE)
            .build();
    // Created late, because Java's client reads system properties only once, and the HEC sink sets
    // them.
    HttpClient client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .build();
    try {
      HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString(UTF_8));
      return switch (answer.statusCode()) {
        case 200 -> answer;
        case 401 ->
            throw new IOException(
                url + " rejects the user: give it the tag 'monitoring', and check the password");
        case 404 -> throw new IOException(url + " knows no " + path);
        default -> throw new IOException(url + path + " answers " + answer.statusCode());
      };
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (ConnectException e) {
      throw new IOException(
          url + " can't be reached (" + (e.getMessage() == null ? "refused" : e.getMessage()) + ")",
          e);
    }
  }

  private static String encoded(String part) {
    return URLEncoder.encode(part, UTF_8).replace("+", "%20");
  }
}
