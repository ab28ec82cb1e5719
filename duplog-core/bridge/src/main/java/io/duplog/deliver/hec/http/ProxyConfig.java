package io.duplog.deliver.hec.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.base.Splitter;
import io.duplog.config.Checks;
import io.duplog.config.Hosts;
import io.duplog.config.Key;
import io.duplog.config.Secret;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The configuration section {@code sink.hec.proxy}, which names an HTTP proxy between the bridge
 * and the collectors. For https it opens a tunnel (CONNECT), so it can't read the messages.
 */
public record ProxyConfig(
    @Key(
            doc = "The proxy's URL. Without it, Java's own proxy settings apply.",
            example = "http://proxy.example.com:3128")
        @Nullable String url,
    @Key(doc = "User name, if the proxy requires a login (Basic).", example = "duplog")
        @Nullable String user,
    @Key(
            doc = "The user's password; prefer ${file:/path} to the literal password.",
            example = "${file:/etc/duplog/proxy.password}")
        @Nullable Secret password,
    @Key(
            doc =
                "Whether the environment variables HTTPS_PROXY, HTTP_PROXY and NO_PROXY of the"
                    + " bridge determine the proxy of each URL.",
            defaultValue = "false")
        boolean environment) {
  private static final Splitter ENTRIES = Splitter.on(',').trimResults().omitEmptyStrings();
  private static final Base64.Encoder BASE64 = Base64.getEncoder();

  static {
    // Java sends no Basic login with CONNECT unless this is set before its HTTP client is used.
    System.getProperties().putIfAbsent("jdk.http.auth.tunneling.disabledSchemes", "");
    // Java rejects the header Host unless this is set; requests to a host's address need it.
    System.getProperties().putIfAbsent("jdk.httpclient.allowRestrictedHeaders", "host");
  }

  public ProxyConfig {
    if (url != null) {
      Checks.url("url", url, "http://proxy:3128", "http");
      if (parse(url) == null) {
        throw Checks.refuse(
            "url", "must be like http://proxy:3128, with a port and without a path");
      }
    }
    if (url != null && environment) {
      throw Checks.refuse(
          "environment", "must be false if url is set, because url already names the proxy");
    }
    if ((user == null) != (password == null)) {
      throw Checks.refuse("user", "and password must be given together");
    }
    if (user != null && (url == null || user.contains(":"))) {
      throw Checks.refuse("user", "needs url, and must not contain a colon");
    }
  }

  /**
   * A proxy that forwards requests.
   *
   * @param address unresolved, so that each connection resolves the name again
   * @param authorization value of the header {@code Proxy-Authorization}, or null without a login
   */
  public record Hop(InetSocketAddress address, @Nullable String authorization) {
    private static Hop of(URI proxy, @Nullable String login) {
      return new Hop(
          InetSocketAddress.createUnresolved(proxy.getHost(), proxy.getPort()),
          login == null ? null : "Basic " + BASE64.encodeToString(login.getBytes(UTF_8)));
    }

    /**
     * Returns the parts of the login that a proxy's answer might repeat: the encoded login and the
     * password.
     */
    List<String> secrets() {
      if (authorization == null) {
        return List.of();
      }
      String encoded = authorization.substring("Basic ".length());
      String login = new String(Base64.getDecoder().decode(encoded), UTF_8);
      return List.of(encoded, login.substring(login.indexOf(':') + 1));
    }

    /** Returns the proxy's name for log lines, without user and password. */
    @Override
    public String toString() {
      return "proxy " + address.getHostString() + ":" + address.getPort();
    }
  }

  /**
   * Returns the proxy in front of a collector, or null if there is none.
   *
   * @param variables the environment variables
   * @throws IllegalArgumentException if a variable is not an HTTP proxy's URL; the message names
   *     the variable but not its value, which may contain a password
   */
  public @Nullable Hop hop(URI collector, Map<String, String> variables) {
    if (url != null) {
      return Hop.of(URI.create(url), password == null ? null : user + ":" + password.reveal());
    }
    String name = collector.getScheme().toUpperCase(Locale.ROOT) + "_PROXY";
    String value = variable(name, variables);
    if (!environment || value.isEmpty() || isExempt(collector, variable("NO_PROXY", variables))) {
      return null;
    }
    URI parsed = parse(value.contains("://") ? value : "http://" + value);
    if (parsed == null) {
      throw new IllegalArgumentException(
          "The environment variable "
              + name
              + " must be like http://proxy:3128 or http://user:password@proxy:3128, with special"
              + " characters of the password encoded, such as @ as %40");
    }
    return Hop.of(parsed, parsed.getUserInfo());
  }

  /** Parses an HTTP proxy's URL. Returns null if the text is not such a URL. */
  private static @Nullable URI parse(String text) {
    try {
      URI uri = new URI(text);
      boolean isProxy =
          uri.getHost() != null
              && uri.getPort() <= Hosts.GREATEST_PORT
              && text.matches("http://[^/?#]+:[1-9][0-9]*/?");
      return isProxy ? uri : null;
    } catch (URISyntaxException e) {
      return null;
    }
  }

  /** Returns a variable's value. The name in lower case has precedence, as in most programs. */
  private static String variable(String name, Map<String, String> variables) {
    String standard = variables.getOrDefault(name, "");
    return variables.getOrDefault(name.toLowerCase(Locale.ROOT), standard).strip();
  }

  /**
   * Whether the list exempts the collector by its host, by a parent domain, or by an asterisk for
   * all.
   */
  private static boolean isExempt(URI collector, String list) {
    String host = Hosts.withoutDot(collector.getHost().replaceAll("[\\[\\]]", ""));
    String names =
        (host + "," + collector.getAuthority().replaceFirst("\\.(?=:|$)", ""))
            .toLowerCase(Locale.ROOT);
    return ENTRIES
        .splitToStream(list.toLowerCase(Locale.ROOT))
        .map(entry -> Hosts.withoutDot(entry.replaceFirst("^\\*?\\.", "")))
        .anyMatch(
            entry ->
                entry.equals("*")
                    || ENTRIES
                        .splitToStream(names)
                        .anyMatch(name -> ("." + name).endsWith("." + entry)));
  }
}
