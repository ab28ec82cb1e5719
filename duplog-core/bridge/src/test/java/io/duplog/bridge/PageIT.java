package io.duplog.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the status page in a real browser, with a bridge between real servers. */
class PageIT extends BridgeBetweenServers {
  private static final int BATCHES = 160;
  private static final int MESSAGES = 50;

  /** Script that returns all counts of the page, a line each: {@code received syslog-a 1,234}. */
  private static final String COUNTS =
      "[...document.querySelectorAll('#ledger-rows td[data-count]')]"
          + ".map(c => c.dataset.count + ' ' + c.dataset.stream + ' ' + c.textContent).join('\\n')";

  /**
   * The lines of {@code /metrics} that hold counts: the name, for some a passage, the stream, and
   * the number.
   */
  private static final Pattern METRIC =
      Pattern.compile(
          "duplog_copies_(?!late|misnamed)(\\w+?)(?:_total)?"
              + "\\{(?:passage=\"(\\w+)\",)?stream=\"([^\"]+)\"} (\\S+)");

  /** Script that returns the tables of parts and causes that hide some of their text. */
  private static final String CLIPPED =
      "['parts', 'lag', 'degraded'].filter(id => {"
          + " const at = document.querySelector('#' + id + ' .scroll');"
          + " return at.scrollWidth > at.clientWidth || at.scrollHeight > at.clientHeight; })";

  @TempDir Path home;

  private @AutoClose Browser browser;
  private Bridge bridge;

  @BeforeEach
  void open() throws Exception {
    String yaml =
        yaml("bridge-1", "status: {listen: \"127.0.0.1:0\"}")
            .replace("{name: a,", "{name: syslog-a,")
            .replace("{name: b,", "{name: syslog-b,");
    streamA.rename("syslog-a");
    streamB.rename("syslog-b");
    bridge = start(parsed(yaml));
    browser = new Browser(home);
    browser.visit(bridge.status().open() + "/");
    awaitState("All well");
  }

  @Test
  void page_afterARun_showsTheNumbersOfMetricsAndSink() throws Exception {
    long published = 0;
    for (int batch = 0; batch < BATCHES; batch++) {
      String[] messages = numbered(batch * MESSAGES, (batch + 1) * MESSAGES);
      // One stream lacks a message of each fourth batch.
      String[] others = Arrays.copyOfRange(messages, batch % 4 == 3 ? 1 : 0, MESSAGES);
      streamA.publish(messages);
      streamB.publish(others);
      published += messages.length + others.length;
    }
    awaitSettled();
    await().until(() -> counts().equals(metrics()) && counts().get("in_flight *") == 0);

    Map<String, Long> shown = counts();
    assertThat(sink.counts()).hasSize(BATCHES * MESSAGES).values().containsOnly(1);
    assertThat(shown.get("received *")).isEqualTo(published);
    assertThat(shown.get("kept *") + shown.get("bypassed *") + shown.get("released *"))
        .isEqualTo(sink.count());
    assertThat(shown.get("dropped *")).isEqualTo(published - sink.count());
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void page_saysWhatIsDegraded_andWhenTheBridgeIsGone() throws Exception {
    redis.pause();
    try {
      streamA.publish("while Redis is away");
      awaitState("Ready, degraded: redis");
      assertThat(browser.evaluate("document.getElementById('parts-rows').textContent"))
          .contains("pass through undeduplicated");
      for (int width : new int[] {1280, 800}) {
        browser.resize(width);
        assertThat(browser.evaluate(CLIPPED)).as("at %d pixels", width).isEmpty();
      }
    } finally {
      redis.unpause();
    }
    awaitState("All well");
    assertThat(browser.evaluate("document.getElementById('degraded-rows').textContent"))
        .contains("redis");
    assertThat(browser.evaluate("document.getElementById('warnings-rows').textContent"))
        .contains("WARN");
    assertThat(browser.complaints()).isEmpty();

    bridge.stop(GRACE);
    bridges.clear();
    awaitState("Connection lost at");
  }

  @Test
  void page_tellsWhereItWasLost_andWhatNobodyHas() throws Exception {
    String state =
        """
        {coverage: {not_compared: 0, lost_by_all: {messages: 2.7, low: 1.2, high: 6.1}, streams: [
          {stream: 'b', messages: 1000, missed: 31, missed_at_least: 31, missed_percent: 3.1,
           node: {dropped: 1024, discarded: 2}}]}}\
        """;

    assertThat(summary(state))
        .isEqualTo(
            "b missed 3.10 %. The kernel of b\u2019s node dropped 1,024 datagrams. The queues of"
                + " b\u2019s rsyslog discarded 2 messages. Estimated to be lost on both ways: 3 (1"
                + " to 7), more if both lose together, less if in turns.");
  }

  @Test
  void page_namesTheSendersThatNeedAttention() throws Exception {
    String state =
        """
        {senders: {known: 412, silent: 1, gone: 1, loud: 1, slow: 1, unheard: 1,
         some_silent: [{sender: '10.1.2.7', paths: [{stream: 'a', state: 'heard'},
           {stream: 'b', state: 'silent', last: '2020-01-02T10:30:02Z', missed_since: 1377}]}],
         some_gone: [{sender: '10.1.2.8', since: '2020-01-02T10:00:00Z', reason: 'it has to speak'}],
         some_changed: [{sender: '10.1.2.9', state: 'loud', messages: 2000, usual: 40},
           {sender: '<b>', state: 'slow', messages: 480, usual: 960}],
         some_unheard: ['10.1.2.11']}}\
        """;

    assertThat(
            browser.evaluate(
                "(showSenders(%s), document.getElementById('senders').innerText)".formatted(state)))
        .contains("412 known, 1 silent, 1 gone, 1 loud, 1 slow, 1 unheard")
        .containsPattern("10.1.2.7\\s+silent\\s+on b since 01-02 .*; 1,377 copies came by others")
        .containsPattern("10.1.2.8\\s+gone\\s+on all paths since .*; it has to speak")
        .containsPattern("10.1.2.9\\s+loud\\s+2,000 messages in an hour, at most 40 before")
        .containsPattern("<b>\\s+slow\\s+480 messages on the last day, usually 960")
        .containsPattern("10.1.2.11\\s+unheard\\s+expected, and no stream brought it");
    assertThat(browser.complaints()).isEmpty();
  }

  /**
   * Shows a state, and returns its summary in the same script, before the bridge's own state is
   * shown again.
   */
  private String summary(String state) throws Exception {
    return browser.evaluate(
        "(showCoverage(" + state + "), document.getElementById('coverage-summary').textContent)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0    | 31 | b missed 3.10 %, most of it from 10.1.2.7.",
        "1500 | 20 | b missed 2.00 % to 3.10 %, most of it from 10.1.2.7. Incomplete: up to 1,500"
            + " messages could not be compared.",
        "1500 | 0  | b missed at most 3.10 %, perhaps nothing. Incomplete: up to 1,500"
            + " messages could not be compared."
      })
  void page_blamesNobodyForWhatWasNotCompared(int uncompared, int sure, String words)
      throws Exception {
    String state =
        """
        {coverage: {not_compared: %d, window_seconds: 3600, streams: [
          {stream: 'b', messages: 1000, missed: 31, missed_at_least: %d, missed_percent: 3.1,
           senders: [{sender: '10.1.2.7', messages: 1000, missed: 31, missed_percent: 3.1}]}]}}\
        """
            .formatted(uncompared, sure);

    assertThat(summary(state)).isEqualTo(words);
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void page_canBeUsedWithKeyboardAndScreenReader() throws Exception {
    assertEvaluated("document.documentElement.lang", "en");
    assertEvaluated("document.querySelectorAll('main, header, footer, nav').length", "4");
    assertEvaluated("document.querySelectorAll('h1').length", "1");
    assertEvaluated("document.querySelectorAll('th:not([scope])').length", "0");
    assertEvaluated(
        "[...document.querySelectorAll('section, [role=region], svg')].every(e =>"
            + " e.getAttribute('aria-labelledby').split(' ')"
            + ".every(id => document.getElementById(id).textContent.trim() !== ''))",
        "true");
    // Every part that scrolls can be scrolled without a mouse.
    assertEvaluated("document.querySelectorAll('.scroll:not([tabindex=\"0\"])').length", "0");
    // A state is a word, and not a colour alone.
    assertEvaluated(
        "[...document.querySelectorAll('#parts-rows tr')].every(r =>"
            + " /well|degraded|not ready/.test(r.cells[1].textContent))",
        "true");
    assertEvaluated("document.documentElement.scrollWidth <= window.innerWidth", "true");
    String background = "getComputedStyle(document.body).backgroundColor";
    String light = browser.evaluate(background);
    browser.preferDark();
    assertThat(browser.evaluate(background)).isNotEqualTo(light);
  }

  private void assertEvaluated(String expression, String value) throws Exception {
    assertThat(browser.evaluate(expression)).as(expression).isEqualTo(value);
  }

  private void awaitState(String words) {
    await()
        .until(
            () ->
                browser
                    .evaluate("(document.getElementById('overall') || {}).textContent")
                    .contains(words));
  }

  /** Returns the counts by name and stream, as the browser shows them. */
  private Map<String, Long> counts() throws Exception {
    return browser
        .evaluate(COUNTS)
        .lines()
        .map(line -> line.split(" "))
        .collect(
            Collectors.toMap(
                field -> field[0] + " " + field[1],
                field -> Long.parseLong(field[2].replace(",", "")),
                Long::sum,
                TreeMap::new));
  }

  /** Returns the same counts as Prometheus reads them, with their sums over the streams. */
  private Map<String, Long> metrics() {
    Map<String, Long> values = new TreeMap<>();
    METRIC
        .matcher(bridge.status().metrics().scrape())
        .results()
        .forEach(
            metric -> {
              String name = metric.group(2) == null ? metric.group(1) : metric.group(2);
              long value = (long) Double.parseDouble(metric.group(4));
              values.merge(name + " " + metric.group(3), value, Long::sum);
              values.merge(name + " *", value, Long::sum);
            });
    return values;
  }
}
