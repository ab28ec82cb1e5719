package io.duplog.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.bridge.settings.LedgerFactory;
import io.duplog.bridge.status.NamedMetrics;
import io.duplog.observe.Conditions;
import io.duplog.observe.Runbook;
import io.duplog.parts.Deployed;
import io.duplog.parts.Generated;
import io.duplog.senders.Concern;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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

  private static final Pattern PLACEHOLDER =
      Pattern.compile("\\{\\{ \\$(?:labels\\.)?(\\w+)[^}]*}}");

  /** The metrics of a bridge that has every part with metrics. */
  private static String scraped = "";

  /** The names of these metrics. */
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
            sink:
              type: hec
              hec:
                urls: ['http://127.0.0.1:1']
                token: t
                routing: {rules: [{match: {severity: debug}, drop: observe}]}
            """);
    Conditions board = Conditions.ofSystem();
    Bridge bridge =
        new Bridge(
            config,
            LedgerFactory.ledgers(config, board),
            config.openSinks(line -> {}, board),
            board);
    scraped = bridge.status().metrics().scrape();
    exposed = found(METRIC, scraped);
    bridge.stop(Duration.ZERO);
  }

  @Test
  void everyMetricThatHasAText_isThere_andInTheList() throws Exception {
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

    Set<String> listed = found("`(duplog_[a-z_]+?)(?:_total)?`", Deployed.page("metrics-list.md"));
    assertThat(listed).containsAll(names.stream().map(name -> name.replace('.', '_')).toList());
  }

  @Test
  void documents_nameOnlyMetricsThatThereAre() throws Exception {
    for (String page : List.of("metrics.md", "coverage.md", "runbook.md", "tuning.md")) {
      Set<String> named = found("`(duplog_[a-z_]+[a-z])(?=`|\\{)", Deployed.page(page));
      assertThat(named)
          .as(page)
          .allMatch(
              name ->
                  Stream.of("", "_total", "_bucket").anyMatch(end -> exposed.contains(name + end)));
    }
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
    String runbook = Deployed.page("runbook.md");
    Set<String> alerts = found("- alert: (\\w+)", Deployed.text("prometheus/duplog-alerts.yaml"));

    assertThat(alerts).isNotEmpty().isEqualTo(found("### (Duplog\\w+)", runbook));
    assertThat(Stream.of(Runbook.values()).map(Runbook::title))
        .containsExactlyInAnyOrderElementsOf(alerts);
    for (String alert : alerts) {
      String paragraph = runbook.substring(runbook.indexOf("### " + alert + "\n"));
      int next = paragraph.indexOf("\n#", 1);
      assertThat(next < 0 ? paragraph : paragraph.substring(0, next))
          .contains("**Meaning:**", "**Impact:**", "**Action:**");
    }
  }

  @Test
  void generatedPage_ofAlerts_hasEachRule() throws Exception {
    StringBuilder page =
        new StringBuilder(
            """
            # Alerts

            This page lists the alerts of Prometheus: when each one fires, and what it says. Follow an alert's link for its meaning and for what to do.

            The page is generated from [duplog-alerts.yaml](../deploy/prometheus/duplog-alerts.yaml), which you load into Prometheus. Words in
            capitals are replaced by the alert's own values.

            Each bridge serves these documents, so a notification can link to the right section. In a template of Alertmanager:

                http://BRIDGE:8514/docs/%s#{{ .Labels.alertname | toLower }}
            """
                .formatted(Runbook.STUCK.place().replaceFirst("#.*", "")));
    for (Runbook runbook : Runbook.values()) {
      addRule(page, runbook);
    }
    Generated.assertCurrent("docs/alerts.md", page.toString());
  }

  private static void addRule(StringBuilder page, Runbook runbook) {
    String rules = Deployed.text("prometheus/duplog-alerts.yaml");
    String rule = only("(?s)- alert: " + runbook.title() + "\n(.*?)(?=\n\n|$)", rules);
    String delay = only("\n {8}for: (\\w+)\n", rule);
    String text = only("summary: \"(.*)\"", rule);
    page.append("\n## " + runbook.title() + "\n\n")
        .append("> " + PLACEHOLDER.matcher(text).replaceAll(AlertsTest::inCapitals) + "\n\n")
        .append("Severity: " + only("severity: (\\w+)", rule) + ". It fires ")
        .append(delay.isEmpty() ? "at once" : "when this has been true for " + delay)
        .append(":\n\n```promql\n")
        .append(only("(?s)expr: (?:\\|\n)?(.*?)\n {8}\\w+:", rule).stripIndent() + "\n```\n\n")
        .append("[Meaning, impact and action](" + runbook.place().replace("#", ".md#") + ")\n");
  }

  private static String inCapitals(MatchResult placeholder) {
    return placeholder.group(1).toUpperCase(Locale.ROOT);
  }

  /** Returns what the pattern's group finds first, or an empty text. */
  private static String only(String pattern, String text) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    return matcher.find() ? matcher.group(1) : "";
  }

  @Test
  void generatedPage_ofMetrics_hasEachMetric() throws Exception {
    StringBuilder page =
        new StringBuilder(
            """
            # All metrics

            This page lists every metric of a bridge's `/metrics` with its labels, in alphabetical order. A running bridge
            serves the same texts to Prometheus.

            [Metrics](metrics.md) explains what the numbers mean and how they add up.

            A counter only grows, until the bridge restarts. A gauge rises and falls. A value that nobody knows is NaN.

            | metric | type | labels | meaning |
            |---|---|---|---|
            """);
    Matcher metric =
        Pattern.compile("# HELP (duplog_\\w+) (.*)\n# TYPE \\w+ (\\w+)\n").matcher(scraped);
    Map<String, String> rows = new TreeMap<>();
    while (metric.find()) {
      String name = metric.group(1);
      String row =
          "| `%s` | %s | %s | %s |\n"
              .formatted(name, metric.group(3), labels(name), metric.group(2));
      if (!name.endsWith("_max")) {
        rows.put(name, row);
      }
    }
    rows.values().forEach(page::append);
    page.append(
        "\nA histogram has the suffixes `_bucket`, `_sum` and `_count`. `_max` is the longest of the last"
            + " minutes.\n");
    page.append(
        "\nThe metrics `jvm_…`, `process_…` and `system_…` are those of the Java platform.\n");
    Generated.assertCurrent("docs/metrics-list.md", page.toString());
  }

  /** Returns a metric's labels, with the values of those that have the same in every deployment. */
  private static String labels(String metric) {
    String all = String.join(",", found("\n" + metric + "(?:_bucket)?\\{([^}]*)", scraped));
    return found("(\\w+)=\"", all).stream()
        .map(
            label ->
                label.matches("state|passage|kind")
                    ? label + ": " + String.join(", ", found(label + "=\"([^\"]*)", all))
                    : label)
        .collect(Collectors.joining("; "));
  }

  private static Set<String> found(String pattern, String text) {
    Set<String> names = new TreeSet<>();
    Pattern.compile(pattern).matcher(text).results().forEach(each -> names.add(each.group(1)));
    return names;
  }
}
