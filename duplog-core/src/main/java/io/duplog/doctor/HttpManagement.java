package io.duplog.doctor;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.duplog.config.Secret;
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
 * A broker's management plugin, which knows what AMQP doesn't show: policies, alarms, the node's
 * clock. The only class of the doctor that speaks HTTP.
 */
final class HttpManagement implements Management {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final String url;
  private final String authorization;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(PATIENCE).build();

  /**
   * @param url such as http://node:15672
   */
  HttpManagement(String url, String user, Secret password) {
    this.url = url.replaceFirst("/+$", "");
    this.authorization =
        "Basic "
            + Base64.getEncoder().encodeToString((user + ":" + password.reveal()).getBytes(UTF_8));
  }

  @Override
  public Queue queue(String virtualHost, String name) throws IOException {
    HttpResponse<byte[]> answer = get("/api/queues/" + encoded(virtualHost) + "/" + encoded(name));
    Map<String, @Nullable Object> queue = map(parsed(answer.body()));
    Map<String, Object> limits = new LinkedHashMap<>();
    // What the queue was declared with has precedence over a policy's word.
    map(queue.get("effective_policy_definition")).forEach((key, value) -> put(limits, key, value));
    map(queue.get("arguments"))
        .forEach((key, value) -> put(limits, key.replaceFirst("^x-", ""), value));
    Object policy = queue.get("policy");
    return new Queue(policy == null ? "" : policy.toString(), limits);
  }

  private static void put(Map<String, Object> limits, String key, @Nullable Object value) {
    if (value != null) {
      limits.put(key, value);
    }
  }

  @Override
  public Node node() throws IOException {
    HttpResponse<byte[]> answer = get("/api/nodes");
    Instant now = Instant.now();
    List<String> alarms = new ArrayList<>();
    if (parsed(answer.body()) instanceof List<?> nodes) {
      for (Object node : nodes) {
        Map<String, @Nullable Object> facts = map(node);
        for (String alarm : List.of("mem_alarm", "disk_free_alarm")) {
          if (Boolean.TRUE.equals(facts.get(alarm))) {
            alarms.add(alarm + " of " + facts.get("name"));
          }
        }
      }
    }
    return new Node(alarms, ahead(answer, now));
  }

  private static @Nullable Duration ahead(HttpResponse<byte[]> answer, Instant now) {
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

  private HttpResponse<byte[]> get(String path) throws IOException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url + path))
            .header("Authorization", authorization)
            .timeout(PATIENCE)
            .build();
    try {
      HttpResponse<byte[]> answer = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
      return switch (answer.statusCode()) {
        case 200 -> answer;
        case 401 ->
            throw new IOException(
                url + " refuses the user: give it the tag 'monitoring', and check the password");
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

  @SuppressWarnings("unchecked")
  private static Map<String, @Nullable Object> map(@Nullable Object json) {
    return json instanceof Map<?, ?> map ? (Map<String, @Nullable Object>) map : Map.of();
  }

  private static @Nullable Object parsed(byte[] body) throws IOException {
    try (JsonParser parser = new JsonFactory().createParser(body)) {
      parser.nextToken();
      return value(parser);
    }
  }

  private static @Nullable Object value(JsonParser parser) throws IOException {
    JsonToken token = parser.currentToken();
    if (token == JsonToken.START_OBJECT) {
      Map<String, @Nullable Object> map = new LinkedHashMap<>();
      for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
        parser.nextToken();
        map.put(name, value(parser));
      }
      return map;
    }
    if (token == JsonToken.START_ARRAY) {
      List<@Nullable Object> list = new ArrayList<>();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        list.add(value(parser));
      }
      return list;
    }
    if (token == JsonToken.VALUE_TRUE || token == JsonToken.VALUE_FALSE) {
      return token == JsonToken.VALUE_TRUE;
    }
    return token == null || token == JsonToken.VALUE_NULL ? null : parser.getText();
  }
}
