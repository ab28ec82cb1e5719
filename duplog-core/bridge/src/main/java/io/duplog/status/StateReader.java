package io.duplog.status;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.duplog.config.Checks;
import io.duplog.config.Hosts;
import io.duplog.observe.JsonValue;
import io.duplog.observe.Level;
import io.duplog.tls.Tls;
import io.duplog.tls.TlsConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import javax.net.ssl.HttpsURLConnection;
import org.jspecify.annotations.Nullable;

/**
 * Reads a running bridge's state, or the messages of a tap, from its status page, for the commands.
 */
public final class StateReader {
  private static final int CONNECT_MILLIS = 2_000;
  private static final int READ_MILLIS = 5_000;
  private static final int MOST_BYTES = 32 << 20;
  private static final int MOST_OF_A_REFUSAL = 1000;

  /** HTTP statuses of refusals whose body contains the reason. */
  private static final Set<Integer> REFUSALS = Set.of(400, 403, 503);

  private final URI base;

  /** TLS settings; null if the page is served over plain HTTP. */
  private final @Nullable Tls tls;

  /**
   * Makes a reader.
   *
   * @param base URL of the bridge's status page, such as {@code http://127.0.0.1:8514}
   * @param trust used for https only
   * @throws StatusException if {@code base} is no URL
   */
  public StateReader(String base, TlsConfig trust) throws StatusException {
    String problem = Hosts.problemOfUrl(base, "http", "https");
    if (problem != null) {
      throw new StatusException(
          Checks.quoted(base) + " is not the URL of a bridge: " + problem, null);
    }
    this.base = URI.create(base.replaceFirst("/+$", "") + "/");
    this.tls = base.startsWith("https:") ? Tls.ofClient("status page " + base, trust) : null;
  }

  /**
   * Returns the bridge's current state document.
   *
   * @throws StatusException whose message is one line for an operator
   */
  public String read() throws StatusException {
    return read("state", Map.of());
  }

  /**
   * Returns what the bridge tells on request, as JSON.
   *
   * @param name what is asked for, such as {@code senders}
   * @param words parameters of the query; null values are left out
   * @throws StatusException whose message is one line for an operator
   */
  public String read(String name, Map<String, ? extends @Nullable Object> words)
      throws StatusException {
    URI url = url(name, words);
    try (InputStream in = ask(url)) {
      return new String(in.readNBytes(MOST_BYTES), UTF_8);
    } catch (IOException e) {
      throw new StatusException(line(url, e), e);
    }
  }

  /**
   * Opens a tap. Each line is a JSON object, or empty if nothing came for half a second. The caller
   * closes the reader.
   *
   * @param words parameters of the query, such as {@code sender} and {@code 10.1.2.3}; null values
   *     are left out
   * @throws StatusException whose message is one line for an operator; if the bridge refuses, it
   *     has the bridge's own reason
   */
  public BufferedReader tap(Map<String, ? extends @Nullable Object> words) throws StatusException {
    URI url = url("tap", words);
    try {
      return new BufferedReader(new InputStreamReader(ask(url), UTF_8));
    } catch (IOException e) {
      throw new StatusException(line(url, e), e);
    }
  }

  /** Parses what a bridge has answered. */
  static JsonValue parsed(String answer) throws StatusException {
    try {
      return JsonValue.parse(answer);
    } catch (IOException e) {
      throw new StatusException("The answer does not come from a bridge. Check the URL.", e);
    }
  }

  /**
   * Parses what a bridge has answered.
   *
   * @see JsonValue#parse(String, String, Consumer)
   */
  static JsonValue parsed(String answer, String list, Consumer<JsonValue> each)
      throws StatusException {
    try {
      return JsonValue.parse(answer, list, each);
    } catch (IOException e) {
      throw new StatusException("The answer does not come from a bridge. Check the URL.", e);
    }
  }

  /**
   * Returns the exit status of a command that shows findings: 1 if the member {@code level} of any
   * of them is above {@link Level#OK} or unknown, otherwise 0.
   */
  static int exitStatus(List<JsonValue> findings) {
    boolean isOk =
        findings.stream().allMatch(each -> Level.named(each.at("level").text()) == Level.OK);
    return isOk ? 0 : 1;
  }

  private URI url(String name, Map<String, ? extends @Nullable Object> words) {
    String query =
        words.entrySet().stream()
            .filter(word -> word.getValue() != null)
            .map(word -> word.getKey() + "=" + URLEncoder.encode("" + word.getValue(), UTF_8))
            .collect(Collectors.joining("&"));
    return base.resolve("api/" + name + (query.isEmpty() ? "" : "?" + query));
  }

  private InputStream ask(URI url) throws IOException, StatusException {
    HttpURLConnection connection = (HttpURLConnection) url.toURL().openConnection();
    connection.setConnectTimeout(CONNECT_MILLIS);
    connection.setReadTimeout(READ_MILLIS);
    connection.setInstanceFollowRedirects(false);
    if (tls != null) {
      ((HttpsURLConnection) connection).setSSLSocketFactory(tls.sockets());
    }
    int status = connection.getResponseCode();
    InputStream why = connection.getErrorStream();
    if (REFUSALS.contains(status) && why != null) {
      String text = new String(why.readNBytes(MOST_OF_A_REFUSAL), UTF_8).strip();
      throw new StatusException(
          base + " refuses: " + text.replaceAll("[\\p{Cc}\\p{Cf}]+", " "), null);
    }
    if (status != 200) {
      throw new IOException("it answers " + status);
    }
    return connection.getInputStream();
  }

  private String line(URI asked, IOException failure) {
    URI url = asked.resolve(asked.getRawPath()); // without what is asked for
    String reason = tls == null ? null : tls.reason(failure);
    if (reason != null) {
      return "Can't reach the bridge at " + url + " by TLS: " + asOption(reason);
    }
    boolean refused = failure instanceof ConnectException;
    return "Can't reach a bridge at "
        + url
        + ": "
        + failure.getMessage()
        + (tls == null || refused ? "" : asOption(tls.hint()))
        + ". Check `systemctl status duplog-bridge`. --url must match status.listen; use https if"
        + " status.tls is set.";
  }

  /** Replaces the key {@code tls.certificate} in a text by the option {@code --certificate}. */
  private static String asOption(String words) {
    return words.replace("tls.certificate", "--certificate");
  }
}
