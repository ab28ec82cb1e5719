package io.duplog.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests in a real browser that the status page shows the numbers, the levels and the advice of a
 * bridge between real servers.
 */
class PageIT extends BridgeBetweenServers {
  private static final int BATCHES = 160;
  private static final int MESSAGES = 50;

  /** Script that returns all counts of the page, a line each: {@code received syslog-a 1,234}. */
  private static final String COUNTS =
      "[...document.querySelectorAll('#ledger td[data-count]')]"
          + ".map(c => c.dataset.count + ' ' + c.dataset.stream + ' ' + c.textContent).join('\\n')";

  /**
   * The lines of {@code /metrics} that hold counts: the name, for some a passage, the stream, and
   * the number.
   */
  private static final Pattern METRIC =
      Pattern.compile(
          "duplog_copies_(?!late|misnamed)(\\w+?)(?:_total)?"
              + "\\{(?:passage=\"(\\w+)\",)?stream=\"([^\"]+)\"} (\\S+)");

  /** Script that returns the tables of components and causes that hide some of their text. */
  private static final String CLIPPED =
      "['components', 'lag', 'periods'].filter(id => {"
          + " const at = document.querySelector('#' + id + ' .scroll');"
          + " return at.scrollWidth > at.clientWidth || at.scrollHeight > at.clientHeight; })";

  @TempDir Path home;

  private @AutoClose Browser browser;
  private Bridge bridge;
  private int published;

  @BeforeEach
  void open() throws Exception {
    streamA.rename("syslog-a");
    streamB.rename("syslog-b");
    bridge = start(parsed(yamlOfPage("center-1")));
    browser = new Browser(home);
    browser.visit(bridge.status().open() + "/");
    awaitState("Delivering. All components work.");
  }

  /** Settles soon, so that the comparison of the streams has a result within a minute. */
  private static String yamlOfPage(String name) {
    return yaml(name, "status: {listen: \"127.0.0.1:0\"}")
        .replace("lease: 10s", "lease: 10s, window: 20s")
        .replace("{name: a,", "{name: syslog-a,")
        .replace("{name: b,", "{name: syslog-b,");
  }

  @Test
  void page_afterARun_showsTheNumbersOfMetricsAndSink() throws Exception {
    long published = 0;
    for (int batch = 0; batch < BATCHES; batch++) {
      String[] messages = numbered(batch * MESSAGES, (batch + 1) * MESSAGES);
      // Stream b misses a message of each fourth batch.
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
      awaitState("Delivering, degraded. ");
      assertThat(browser.evaluate("document.getElementById('components-rows').textContent"))
          .contains("redis▲ degraded");
      for (int width : new int[] {1280, 800}) {
        browser.resize(width);
        assertThat(browser.evaluate(CLIPPED)).as("at %d pixels", width).isEmpty();
      }
    } finally {
      redis.unpause();
    }
    awaitState("Delivering. All components work.");
    assertThat(browser.evaluate("document.getElementById('periods-rows').textContent"))
        .contains("redis");
    assertThat(browser.evaluate("document.getElementById('warnings-rows').textContent"))
        .contains("WARN");
    assertThat(browser.complaints()).isEmpty();

    bridge.stop(GRACE);
    bridges.clear();
    awaitState("No updates since ");
    assertEvaluated("document.body.classList.contains('lost')", "true");
    assertThat(browser.violations()).isEmpty();
  }

  /**
   * Makes the pictures of docs/images if the property {@code page.pictures} names a folder. A
   * person who sees only the page can tell what is broken, and what to do.
   */
  @Test
  void page_showsEachLevel_withWhatToDo_toEverybody() throws Exception {
    start(parsed(yamlOfPage("center-2")));
    bridge = start(parsed(yamlOfPage("center-3")));
    browser.visit(bridge.status().open() + "/");
    awaitShown("ok", true, "Delivering. All components work.", null);
    assertThat(browser.evaluate("document.getElementById('bridges').textContent"))
        .contains("3 bridges share the work.", "bridge center-2");
    assertEverybodyCanRead("ok");

    awaitShown("attention", false, "mostly from 10.1.2.7", "duplogcoverageloss");
    assertEverybodyCanRead("attention");

    redis.pause();
    try {
      awaitShown("degraded", false, "Delivering, degraded. ", "duplogstoreaway");
      assertEverybodyCanRead("degraded");
    } finally {
      redis.unpause();
    }
    sink.acceptNothing(false);
    awaitShown("down", false, "Not ready. ", "duplogsinkaway");
    assertEverybodyCanRead("down");
    assertThat(browser.complaints()).isEmpty();

    browser.evaluate("document.querySelector('#components a').click()");
    await().until(() -> browser.evaluate("location.pathname").equals("/docs/runbook"));
    await()
        .until(
            () ->
                browser
                    .evaluate("(document.querySelector(':target') || {}).textContent")
                    .equals("DuplogSinkAway"));
    assertThat(browser.violations()).isEmpty();
    assertThat(browser.complaints()).isEmpty();
  }

  /**
   * Publishes messages of three senders until the page shows a level, after a comparison of the
   * streams.
   *
   * @param complete whether stream b gets all messages of all senders
   * @param words a part of the badge
   * @param section what the first component links to in docs/runbook.md; null if to nothing
   */
  private void awaitShown(String level, boolean complete, String words, @Nullable String section) {
    String script =
        """
        ((badge, link, text) => badge.className === 'badge is-%s' && badge.textContent.includes('%s')
          && (link ? link.hash : null) === %s && text('coverage').includes('missed none of')
          && text('trends').includes('/s'))(
            document.getElementById('overall'), document.querySelector('#components-rows tr a'),
            id => document.getElementById(id).textContent)"""
            .formatted(level, words, section == null ? "null" : "'#" + section + "'");
    await()
        .atMost(Duration.ofMinutes(3))
        .pollInterval(Duration.ofMillis(250))
        .until(
            () -> {
              published++;
              for (String sender : new String[] {"10.1.2.6", "10.1.2.7", "10.1.2.8"}) {
                String[] messages = numbered(0, MESSAGES);
                String mark = "<13>app: " + sender + " " + published + " ";
                Arrays.setAll(messages, at -> mark + messages[at]);
                boolean lossy = !complete && sender.equals("10.1.2.7");
                streamA.publishFrom(sender, messages);
                streamB.publishFrom(
                    sender, lossy ? Arrays.copyOfRange(messages, 6, MESSAGES) : messages);
              }
              return browser.evaluate(script).equals("true");
            });
  }

  private void assertEverybodyCanRead(String level) throws Exception {
    String pictures = System.getProperty("page.pictures");
    Path folder = pictures == null ? home.resolve("pictures") : Path.of(pictures);
    browser.photograph(folder.resolve("page-" + level + ".png"));
    for (String colours : new String[] {"dark", "light"}) {
      browser.prefer(colours);
      assertThat(browser.violations()).as("%s, %s", level, colours).isEmpty();
    }
    browser.resize(360);
    assertEvaluated("document.documentElement.scrollWidth <= window.innerWidth", "true");
    assertThat(browser.violations()).as("%s, on a phone", level).isEmpty();
    browser.resize(Browser.WIDTH);
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void page_canBeUsedWithKeyboardAndScreenReader() throws Exception {
    assertEvaluated("document.documentElement.lang", "en");
    assertEvaluated("document.querySelectorAll('main, header, footer, nav').length", "4");
    assertEvaluated("document.querySelectorAll('h1').length", "1");
    assertEvaluated("document.querySelectorAll('th:not([scope])').length", "0");
    assertEvaluated(
        "[...document.querySelectorAll('section, .scroll, svg')].every(e =>"
            + " e.getAttribute('aria-labelledby').split(' ')"
            + ".every(id => document.getElementById(id).textContent.trim() !== ''))",
        "true");
    // Every part that scrolls can be scrolled without a mouse.
    assertEvaluated("document.querySelectorAll('.scroll:not([tabindex=\"0\"])').length", "0");
    // A level is a word, and not a colour alone.
    assertEvaluated(
        "[...document.querySelectorAll('#components-rows tr')].every(r =>"
            + " /ok|attention|degraded|down/.test(r.cells[1].textContent))",
        "true");
    assertEvaluated("document.documentElement.scrollWidth <= window.innerWidth", "true");
    String background = "getComputedStyle(document.body).backgroundColor";
    String light = browser.evaluate(background);
    browser.prefer("dark");
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
