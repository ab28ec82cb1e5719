package io.duplog.deliver.hec.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duplog.config.Secret;
import java.net.URI;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests whether the HEC sink uses a proxy, as chosen by the configuration or by environment
 * variables.
 */
class ProxyConfigTest {
  private static final ProxyConfig BY_ENVIRONMENT = new ProxyConfig(null, null, null, true);

  private static String login(String text) {
    return "Basic " + Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }

  @Test
  void url_appliesToAllCollectors_withLogin_thatIsNotPrinted() {
    ProxyConfig config = new ProxyConfig("http://proxy:3128", "u", new Secret("p:w"), false);
    ProxyConfig.Hop hop = config.hop(URI.create("https://splunk:8088"), Map.of("NO_PROXY", "*"));
    assertThat(hop).isNotNull();
    assertThat(hop.authorization()).isEqualTo(login("u:p:w"));
    assertThat(hop + " " + config).contains("proxy proxy:3128").doesNotContain("p:w", login("u:p"));
  }

  @ParameterizedTest
  @CsvSource({
    "https://splunk.example.com:8088, '', proxy sec:3128",
    "http://splunk.example.com:8088,  '', proxy plain:8080",
    "https://splunk.example.com:8088, '*',",
    "https://splunk.example.com:8088, 'a.test, EXAMPLE.com',",
    "https://splunk.example.com:8088, '.example.com',",
    "https://splunk.example.com:8088, '*.example.com',",
    "https://splunk.example.com:8088, 'example.com:8088',",
    "https://splunk.example.com:8088, 'splunk.example.com:443', proxy sec:3128",
    "https://splunk.example.com:8088, 'ample.com', proxy sec:3128",
    "https://splunk.example.com:8088, 'splunk.example', proxy sec:3128",
    "https://splunk.example.com.:8088, 'splunk.example.com',",
    "https://splunk.example.com.:8088, '.example.com.',",
    "https://splunk.example.com.:8088, 'splunk.example.com:8088',",
    "https://10.0.0.7:8088,           '10.0.0.7',",
    "https://[2001:db8::7]:8088,      '2001:db8::7',",
  })
  void environment_determinesProxy_exceptForExemptions(
      String collector, String exempt, @Nullable String expected) {
    Map<String, String> variables =
        Map.of(
            "HTTPS_PROXY",
            "http://u:p+%40w@sec:3128",
            "http_proxy",
            "plain:8080", //
            "no_proxy",
            exempt);
    assertThat(new ProxyConfig(null, null, null, false).hop(URI.create(collector), variables))
        .isNull();
    ProxyConfig.Hop hop = BY_ENVIRONMENT.hop(URI.create(collector), variables);
    assertThat(hop == null ? null : hop.toString()).isEqualTo(expected);
    if (hop != null && hop.toString().startsWith("proxy sec")) {
      assertThat(hop.authorization()).isEqualTo(login("u:p+@w"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://u:hush@proxy",
        "http://u:hush@proxy:65536",
        "http://u:hush@proxy_1:3128",
        "https://u:hush@proxy:3128",
        "socks5://u:hush@proxy:1080", //
        "http://u:hush @proxy:3128",
        "http://u:hush@proxy:3128/x",
        "u:hush#@proxy:3128",
        ":hush"
      })
  void invalidEnvironmentVariable_isRejected_andNotRepeated(String value) {
    assertThatThrownBy(
            () -> BY_ENVIRONMENT.hop(URI.create("https://s"), Map.of("HTTPS_PROXY", value)))
        .hasMessageStartingWith(
            "The environment variable HTTPS_PROXY must be like http://proxy:3128")
        .hasMessageNotContaining("hush")
        .hasNoCause();
  }

  @ParameterizedTest
  @CsvSource({
    "proxy:3128,               , ,     false, must be like http://proxy:3128",
    "http://proxy,             , ,     false, must be like http://proxy:3128",
    "https://proxy:3128,       , ,     false, must be like http://proxy:3128",
    "http://u:hush@proxy:3128, , ,     false, must be like http://proxy:3128",
    "http://proxy:3128,       u, ,     false, user and password must be given together",
    "http://proxy:3128,     u:v, hush, false, user needs url, and must not contain a colon",
    ",                        u, hush, true,  user needs url",
    "http://proxy:3128,        , ,     true,  environment must be false if url is set",
  })
  void contradictorySettings_areRejected(
      @Nullable String url,
      @Nullable String user,
      @Nullable String password,
      boolean environment,
      String problem) {
    Secret secret = password == null ? null : new Secret(password);
    assertThatThrownBy(() -> new ProxyConfig(url, user, secret, environment))
        .hasMessageContaining(problem)
        .hasMessageNotContaining("hush");
  }
}
