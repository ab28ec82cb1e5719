package io.duplog.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.bridge.settings.LedgerFactory;
import io.duplog.bridge.status.NamedMetrics;
import io.duplog.observe.Runbook;
import io.duplog.parts.Deployed;
import io.duplog.senders.Concern;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Tests that the alerts for Prometheus and the Grafana dashboard use only metrics that exist, and
 * that each alert is explained. {@code duplog-core/bridge/src/test/alerts/test} tests that the
 * rules fire when they should.
 */
class AlertsTest {
  private static final String METRIC = "\\b((?:duplog|jvm|process|system)_[a-z0-9_]+)";

  /** The metrics of a bridge that has every part with metrics. */
  private static Set<String> exposed = Set.of();

  @BeforeAll
  static void scrape() throws Exception {
    BridgeConfig config =
        BridgeBetweenServers.parsed(
            """
            streams:
              - {name: a, queue-count: 2, tls: {ca: /etc/duplog/tls/ca.pem}}
              - {name: b, queue-count: 2, port: 5673}
            dedup: {redis: {cluster: {addresses: ['127.0.0.1:1']}}, when-unavailable: local}
            sink: {type: hec, hec: {urls: ['http://127.0.0.1:1'], token: t}}
            """);
    Bridge bridge =
        new Bridge(config, LedgerFactory.ledgers(config), config.sink().open(line -> {}));
    exposed = found(METRIC, bridge.status().metrics().scrape());
    bridge.stop(Duration.ZERO);
  }

  @Test
  void everyMetricThatHasAText_isThere_andInTheDocuments() throws Exception {
    Properties texts = new Properties();
    try (InputStream file = NamedMetrics.class.getResourceAsStream("metrics.properties")) {
      texts.load(file);
    }
    Set<String> names = new HashSet<>(texts.stringPropertyNames());
    Stream.of(Concern.values()).map(Concern::metric).forEach(names::add);
    String all = String.join("\n", exposed) + "\n";

    assertThat(names)
        .isNotEmpty()
        .allMatch(name -> all.matches("(?s).*\\b" + name.replace('.', '_') + "(_total)?\n.*"));

    String documents = Deployed.page("operations.md") + Deployed.page("coverage.md");
    Set<String> documented = found("\\b(duplog_[a-z_]+?)(?:_total)?\\b", documents);
    assertThat(names.stream().map(name -> name.replace('.', '_')))
        .filteredOn(name -> !documented.contains(name))
        .as("metrics without a row in the documents")
        .isEmpty();
  }

  @Test
  void rules_askForMetricsThatThereAre() throws Exception {
    assertThat(found(METRIC, Deployed.text("prometheus/duplog-alerts.yaml"))).isSubsetOf(exposed);
    assertThat(found(METRIC, Files.readString(Path.of("src/test/alerts/healthy.txt"))))
        .isSubsetOf(exposed);
  }

  @Test
  void dashboard_isJson_andAsksForMetricsThatThereAre() throws Exception {
    String dashboard = Deployed.text("grafana/duplog.json");
    try (JsonParser parser = new JsonFactory().createParser(dashboard)) {
      parser.nextToken();
      parser.skipChildren();
      assertThat(parser.nextToken()).isNull();
    }
    assertThat(found(METRIC, dashboard)).hasSizeGreaterThan(15).isSubsetOf(exposed);
  }

  @Test
  void everyAlert_hasAParagraphThatSaysWhatToDo_andEveryParagraphAnAlert() throws Exception {
    String operations = Deployed.page("operations.md");
    Set<String> alerts = found("- alert: (\\w+)", Deployed.text("prometheus/duplog-alerts.yaml"));

    assertThat(alerts).isNotEmpty().isEqualTo(found("### (Duplog\\w+)", operations));
    assertThat(Stream.of(Runbook.values()).map(Runbook::title))
        .containsExactlyInAnyOrderElementsOf(alerts);
    for (String alert : alerts) {
      String paragraph = operations.substring(operations.indexOf("### " + alert + "\n"));
      int next = paragraph.indexOf("\n#", 1);
      assertThat(next < 0 ? paragraph : paragraph.substring(0, next))
          .contains("**Meaning:**", "**Impact:**", "**Action:**");
    }
  }

  private static Set<String> found(String pattern, String text) {
    Set<String> names = new TreeSet<>();
    Pattern.compile(pattern).matcher(text).results().forEach(each -> names.add(each.group(1)));
    return names;
  }
}
