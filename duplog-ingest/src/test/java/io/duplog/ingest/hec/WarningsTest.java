package io.duplog.ingest.hec;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.config.Secret;
import io.duplog.ingest.batch.FakeTime;
import io.duplog.observe.LogLines;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which mistakes of clients the shim finds in their requests, and how often it says so. */
class WarningsTest {
  private final Warnings warnings = new Warnings(new FakeTime());

  private static HecToken token(Product product) {
    IdentitySettings identity = new IdentitySettings(product, null, false, List.of());
    return new HecToken("pair", new Secret("secret"), identity, null, null, null, null);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          sc4s/1.0 (events)           | SC4S           | SC4S_DEST_SPLUNK_HEC_DEFAULT_DISKBUFF_RELIABLE=yes
          syslog-ng 3.38.1/libcurl 7  | SYSLOG_NG      | disk-buffer(reliable(yes))
          OpenTelemetry Collector/1   | OPENTELEMETRY  | max_elapsed_time: 0s} and timeout: 60s
          Rsyslog-omhttp/1            | RSYSLOG        | action.resumeRetryCount="-1"
          Fluent-Bit                  | FLUENT_BIT     | retry_limit no_limits
          """)
  void client_ofAKnownProduct_isWarnedOfItsDefaultsOnce(
      String userAgent, Product product, String settings) throws Exception {
    List<String> lines =
        LogLines.of(
            Warnings.class,
            () -> {
              warnings.connected("10.0.0.1", userAgent, token(product));
              warnings.connected("10.0.0.2", userAgent, token(product));
            });

    assertThat(lines)
        .singleElement()
        .asString()
        .startsWith("WARN The HEC client at 10.0.0.1 is ")
        .contains("By default it ", settings);
  }

  @ParameterizedTest
  @CsvSource({
    "sc4s/1.0, OTHER, sc4s",
    "sc4s/1.0, SYSLOG_NG, sc4s",
    "sc4s/1.0, COPIES, ''",
    "Fluent-Bit, OPENTELEMETRY, fluent-bit",
    "Fluent-Bit, SC4S, fluent-bit",
    "syslog-ng 4.12, SC4S, syslog-ng",
    "syslog-ng 4.12, OTHER, ''",
    "Rsyslog-omhttp/1, SYSLOG_NG, ''",
    "OpenTelemetry, COPIES, ''",
  })
  void token_ofAnotherProduct_isReported(String userAgent, Product product, String expected)
      throws Exception {
    List<String> lines =
        LogLines.of(
            Warnings.class, () -> warnings.connected("10.0.0.1", userAgent, token(product)));

    assertThat(lines)
        .filteredOn(line -> line.contains("its token pair has identity.product"))
        .hasSize(expected.isEmpty() ? 0 : 1)
        .allMatch(line -> line.contains("Set identity.product: " + expected + " on all nodes"));
  }

  @Test
  void client_ofAnUnknownProduct_isNotReported() throws Exception {
    assertThat(
            LogLines.of(
                Warnings.class,
                () -> {
                  warnings.connected("10.0.0.1", null, token(Product.OTHER));
                  warnings.connected("10.0.0.1", "curl/8", token(Product.SC4S));
                }))
        .isEmpty();
  }

  @Test
  void path_thatIsWrong_isReportedShortened() throws Exception {
    assertThat(
            LogLines.of(
                Warnings.class,
                () -> {
                  warnings.wrongPath("10.0.0.1", "/" + "x".repeat(5_000));
                  warnings.wrongPath("10.0.0.2", "/other");
                }))
        .singleElement()
        .asString()
        .hasSizeLessThan(400)
        .contains("10.0.0.1 posted to /xxx", "answered with 404", "/services/collector/event");
  }
}
