package io.duplog.status;

import io.duplog.tls.Tls;
import io.duplog.tls.TlsConfig;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import javax.net.ssl.HttpsURLConnection;
import org.jspecify.annotations.Nullable;

/** Asks a running bridge for its state document. */
public final class StateReader {
  private static final int CONNECT_MILLIS = 2_000;
  private static final int READ_MILLIS = 5_000;
  private static final int MOST_BYTES = 8 << 20;

  private final URL url;

  /** Null where the page is not encrypted. */
  private final @Nullable Tls tls;

  /**
   * @param base where the bridge's status page is: {@code http://127.0.0.1:8514}, or https
   * @param trust for https
   * @throws StatusException where that is no URL
   */
  public StateReader(String base, TlsConfig trust) throws StatusException {
    try {
      URI uri = URI.create(base.replaceFirst("/+$", "") + "/api/state");
      boolean encrypted = "https".equals(uri.getScheme());
      if (!(encrypted || "http".equals(uri.getScheme())) || uri.getHost() == null) {
        throw new MalformedURLException("it begins with http:// or https:// and a host");
      }
      this.tls = encrypted ? Tls.ofClient("status page " + base, trust) : null;
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
      if (tls != null) {
        ((HttpsURLConnection) connection).setSSLSocketFactory(tls.sockets());
      }
      int status = connection.getResponseCode();
      if (status != 200) {
        throw new IOException("it answers " + status);
      }
      try (InputStream in = Objects.requireNonNull(connection.getInputStream())) {
        return new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
      }
    } catch (IOException e) {
      throw new StatusException(line(e), e);
    }
  }

  private String line(IOException failure) {
    String reason = tls == null ? null : tls.reason(failure);
    if (reason != null) {
      return "the bridge at " + url + " can't be asked by TLS: " + reason;
    }
    boolean refused = failure instanceof ConnectException;
    return "no bridge answers at "
        + url
        + " ("
        + failure.getMessage()
        + (tls == null || refused ? "" : tls.hint().replace("tls.certificate", "--certificate"))
        + "): is it running, is its status.listen another, and has it a status.tls?";
  }
}
