package io.duplog.benchmark.drive;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.duplog.tls.Tls;
import io.duplog.tls.TlsConfig;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.util.List;
import javax.net.ssl.HttpsURLConnection;
import org.jspecify.annotations.Nullable;

/** Finds the stored test messages in Splunk by its search API. */
final class SplunkSearch {
  private static final int TIMEOUT_MILLIS = 60_000;

  private final URI base;
  private final String token;
  private final Tls tls;

  /**
   * Creates a client. Connects only for a query.
   *
   * @param base such as {@code https://splunk.example.net:8089}
   * @param token an authentication token of a user who may search all indexes
   * @param ca file with the CA of the server's certificate, or null for those that Java trusts
   */
  SplunkSearch(URI base, String token, @Nullable String ca) {
    this.base = base;
    this.token = token;
    this.tls = Tls.ofClient("Splunk's search " + base, new TlsConfig(ca, null, null));
  }

  /** Returns Splunk's version, such as {@code 9.4.1}. */
  String version() throws IOException {
    String info = request("/services/server/info?output_mode=json", null);
    return new JsonMapper().readTree(info).findPath("version").asText();
  }

  /**
   * Returns the events of any time and index with this phrase in their text: a JSON object on each
   * line, whose bytes are decoded as ISO 8859-1.
   */
  List<String> find(String phrase) throws IOException {
    String search = "search index=* earliest=1 latest=+20y \"%s\" | fields _raw".formatted(phrase);
    String form = "output_mode=json&preview=false&search=" + URLEncoder.encode(search, UTF_8);
    return request("/services/search/jobs/export", form).lines().toList();
  }

  private String request(String path, @Nullable String form) throws IOException {
    HttpURLConnection connection = (HttpURLConnection) base.resolve(path).toURL().openConnection();
    if (connection instanceof HttpsURLConnection encrypted) {
      encrypted.setSSLSocketFactory(tls.sockets());
    }
    connection.setConnectTimeout(TIMEOUT_MILLIS);
    connection.setReadTimeout(TIMEOUT_MILLIS);
    connection.setRequestProperty("Authorization", "Bearer " + token);
    if (form != null) {
      connection.setDoOutput(true);
      connection.getOutputStream().write(form.getBytes(UTF_8));
    }
    int status = connection.getResponseCode();
    if (status != HttpURLConnection.HTTP_OK) {
      throw new IOException(
          "%s answers %d: check --search and --search-token".formatted(base, status));
    }
    try (InputStream in = connection.getInputStream()) {
      return new String(in.readAllBytes(), ISO_8859_1);
    }
  }
}
