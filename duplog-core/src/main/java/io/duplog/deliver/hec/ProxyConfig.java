package io.duplog.deliver.hec;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.base.Splitter;
import com.google.common.net.HostAndPort;
import io.duplog.config.Checks;
import io.duplog.config.Key;
import io.duplog.config.Secret;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The section {@code sink.hec.proxy}: an HTTP proxy on the way to the collectors. To those with
 * https it is asked to CONNECT, and sees nothing of what is sent.
 */
public record ProxyConfig(
    @Key(
            doc = "The proxy's URL. Without one, what Java's own settings say.",
            example = "http://proxy.example.com:3128")
        @Nullable String url,
    @Key(doc = "Name of the login, where the proxy wants one (Basic).", example = "duplog")
        @Nullable String user,
    @Key(
            doc = "Its password: better as ${file:/path} than literally.",
            example = "${file:/etc/duplog/proxy-password}")
        @Nullable Secret password,
    @Key(
            doc =
                "Whether HTTPS_PROXY or HTTP_PROXY, and NO_PROXY, of the bridge's environment say"
                    + " which URLs are reached by which proxy.",
            defaultValue = "false")
        boolean environment) {

  /** Where a port is not given, as curl has it. */
  private static final int STANDARD_PORT = 1080;

  public ProxyConfig {
    if (url != null) {
      if (environment) {
        throw Checks.refuse("environment", "must be false where url is set: it names the proxy");
      }
      if (!url.matches("http://[^/@?#]+/?") || URI.create(url).getHost() == null) {
        throw Checks.refuse("url", "must be like http://proxy:3128; user and password are keys");
      }
    }
    if ((user == null) != (password == null)) {
      throw Checks.refuse("user", "and password must be given together");
    }
    if (user != null && (url == null || user.contains(":"))) {
      throw Checks.refuse("user", url == null ? "needs url" : "must not contain a colon");
    }
  }

  /**
   * A proxy to be used.
   *
   * @param address unresolved, so that each connection looks its name up
   * @param authorization the header's value; null where there is no login
   */
  record Hop(InetSocketAddress address, @Nullable String authorization) {
    /** Without the login. */
    @Override
    public String toString() {
      return "proxy " + address.getHostString() + ":" + address.getPort();
    }
  }

  /**
   * The proxy on the way to a collector.
   *
   * @param variables of the environment
   * @return null where there is none
   */
  @Nullable Hop hop(URI collector, Map<String, String> variables) {
    if (url != null) {
      String login = password == null ? null : user + ":" + password.reveal();
      return hop(URI.create(url), login);
    }
    if (!environment || isExempt(collector, variable("NO_PROXY", variables))) {
      return null;
    }
    String proxy = variable(collector.getScheme().toUpperCase(Locale.ROOT) + "_PROXY", variables);
    if (proxy.isEmpty()) {
      return null;
    }
    URI parsed = URI.create(proxy.contains("://") ? proxy : "http://" + proxy);
    String login = parsed.getRawUserInfo();
    return hop(parsed, login == null ? null : URLDecoder.decode(login, UTF_8));
  }

  private static Hop hop(URI proxy, @Nullable String login) {
    int port = proxy.getPort() < 0 ? STANDARD_PORT : proxy.getPort();
    String authorization =
        login == null ? null : "Basic " + Base64.getEncoder().encodeToString(login.getBytes(UTF_8));
    return new Hop(InetSocketAddress.createUnresolved(proxy.getHost(), port), authorization);
  }

  /** In lower case, too, as most programs write it. */
  private static String variable(String name, Map<String, String> variables) {
    return Stream.of(name.toLowerCase(Locale.ROOT), name)
        .map(each -> variables.getOrDefault(each, "").strip())
        .filter(value -> !value.isEmpty())
        .findFirst()
        .orElse("");
  }

  /** By a list of hosts, domains with what is below them, or a star for all. */
  private static boolean isExempt(URI collector, String list) {
    String host = collector.getHost().toLowerCase(Locale.ROOT);
    List<String> entries = Splitter.on(',').trimResults().omitEmptyStrings().splitToList(list);
    for (String entry : entries) {
      HostAndPort named = HostAndPort.fromString(entry.toLowerCase(Locale.ROOT));
      String domain = named.getHost().replaceFirst("^\\*?\\.", "");
      boolean ofPort = !named.hasPort() || named.getPort() == collector.getPort();
      boolean ofHost = host.equals(domain) || host.endsWith("." + domain);
      if (entry.equals("*") || (ofPort && ofHost)) {
        return true;
      }
    }
    return false;
  }
}
