package io.duplog.status;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Asks a running bridge for its state document. */
public final class StateReader {
  private static final int CONNECT_MILLIS = 2_000;
  private static final int READ_MILLIS = 5_000;
  private static final int MOST_BYTES = 8 << 20;

  private final URL url;

  /**
   * @param base where the bridge's status page is: {@code http://127.0.0.1:8514}
   * @throws StatusException where that is no URL
   */
  public StateReader(String base) throws StatusException {
    try {
      URI uri = URI.create(base.replaceFirst("/+$", "") + "/api/state");
      if (!"http".equals(uri.getScheme()) || uri.getHost() == null) {
        throw new MalformedURLException("it begins with http:// and a host");
      }
      this.url = uri.toURL();
    } catch (IllegalArgumentException | MalformedURLException e) {
      throw new StatusException("'" + base + "' is no URL of a bridge: " + e.getMessage(), e);
    }
  }

  /**
   * The document, as it is now.
   *
   * @throws StatusException whose message is one line for an operator
   */
  public String read() throws StatusException {
    try {
      HttpURLConnection connection = (HttpURLConnection) url.openConnection();
      connection.setConnectTimeout(CONNECT_MILLIS);
      connection.setReadTimeout(READ_MILLIS);
      connection.setInstanceFollowRedirects(false);
      int status = connection.getResponseCode();
      if (status != 200) {
        throw new IOException("it answers " + status);
      }
      try (InputStream in = Objects.requireNonNull(connection.getInputStream())) {
        return new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
      }
    } catch (IOException e) {
      throw new StatusException(
          "no bridge answers at "
              + url
              + " ("
              + e.getMessage()
              + "): is it running, and is its status.listen another?",
          e);
    }
  }
}
