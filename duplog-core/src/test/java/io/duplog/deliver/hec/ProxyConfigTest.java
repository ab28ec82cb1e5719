package io.duplog.deliver.hec;

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

class ProxyConfigTest {
  private static final ProxyConfig BY_ENVIRONMENT = new ProxyConfig(null, null, null, true);

  private static String login(String text) {
    return "Basic " + Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }

  @Test
  void url_isThatOfAllCollectors_withTheLogin_andWhatIsPrintedHasNone() {
    ProxyConfig config = new ProxyConfig("http://proxy:3128", "u", new Secret("p:w"), false);
    ProxyConfig.Hop hop = config.hop(URI.create("https://splunk:8088"), Map.of("NO_PROXY", "*"));
    assertThat(hop).isNotNull();
    assertThat(hop.address().getPort()).isEqualTo(3128);
    assertThat(hop.authorization()).isEqualTo(login("u:p:w"));
    assertThat(hop + " " + config).contains("proxy proxy:3128").doesNotContain("p:w", login("u:p"));
  }

  @ParameterizedTest
  @CsvSource({
    "https://splunk.example.com:8088, '', proxy sec:3128",
    "http://splunk.example.com:8088,  '', proxy plain:1080",
    "https://splunk.example.com:8088, '*',",
    "https://splunk.example.com:8088, 'a.test, EXAMPLE.com',",
    "https://splunk.example.com:8088, '.example.com',",
    "https://splunk.example.com:8088, '*.example.com',",
    "https://splunk.example.com:8088, 'splunk.example.com:8088',",
    "https://splunk.example.com:8088, 'splunk.example.com:443', proxy sec:3128",
    "https://splunk.example.com:8088, 'ample.com', proxy sec:3128",
    "https://10.0.0.7:8088,           '10.0.0.7',",
  })
  void environment_namesTheProxy_butForWhatItExempts(
      String collector, String exempt, @Nullable String expected) {
    Map<String, String> variables =
        Map.of("HTTPS_PROXY", "http://u:p%40w@sec:3128", "http_proxy", "plain", "no_proxy", exempt);
    ProxyConfig.Hop hop = BY_ENVIRONMENT.hop(URI.create(collector), variables);
    assertThat(hop == null ? null : hop.toString()).isEqualTo(expected);
    if (hop != null && hop.toString().startsWith("proxy sec")) {
      assertThat(hop.authorization()).isEqualTo(login("u:p@w"));
    }
  }

  @Test
  void environment_isNotLookedAt_unlessAskedFor() {
    ProxyConfig none = new ProxyConfig(null, null, null, false);
    assertThat(none.hop(URI.create("http://splunk:8088"), Map.of("http_proxy", "http://p:1")))
        .isNull();
  }

  @Test
  void whatContradictsItself_isRefused() {
    Secret password = new Secret("p");
    assertThatThrownBy(() -> new ProxyConfig("proxy:3128", null, null, false))
        .hasMessageContaining("must be like http://proxy:3128");
    assertThatThrownBy(() -> new ProxyConfig("http://u:p@proxy:3128", null, null, false))
        .hasMessageContaining("must be like http://proxy:3128")
        .hasMessageNotContaining("u:p@");
    assertThatThrownBy(() -> new ProxyConfig("http://proxy", "u", null, false))
        .hasMessageContaining("user");
    assertThatThrownBy(() -> new ProxyConfig(null, "u", password, false))
        .hasMessageContaining("needs url");
    assertThatThrownBy(() -> new ProxyConfig("http://proxy", null, null, true))
        .hasMessageContaining("environment");
  }
}
