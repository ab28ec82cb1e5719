package io.duplog.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duplog.observe.Condition;
import io.duplog.observe.Conditions;
import io.duplog.observe.JsonValue;
import io.duplog.observe.Level;
import io.duplog.observe.Runbook;
import io.duplog.status.Health;
import io.duplog.status.StateDocument;
import io.duplog.status.StatusConfig;
import io.duplog.status.StatusServer;
import io.duplog.status.page.Trends;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests in a real browser that the status page shows what a given state document says, word for
 * word.
 */
class PageViewIT {
  /** A bridge with a lossy stream, senders that need attention, and an unavailable Redis. */
  private static final Map<String, String> SECTIONS =
      Map.of(
          "bridge",
          """
          {"name": "center-1", "version": "1.2.3", "now": "2026-01-02T12:10:30Z",
           "started": "2026-01-02T12:00:30Z", "uptime_seconds": 600, "window_seconds": 600}""",
          "journey",
          "{}",
          "ends",
          """
          [{"key": "kept", "words": "kept, delivered"}, {"key": "bypassed", "words": "bypassed"},
           {"key": "dropped", "words": "duplicates removed"}, {"key": "refused", "words": "refused"}]""",
          "streams",
          """
          [{"name": "a", "broker": "10.0.0.1:5672", "connected": true, "level": "ok", "received": 1000,
            "batches": 10, "delivered": 990, "kept": 990, "bypassed": 0, "dropped": 7, "refused": 0, "in_flight": 3},
           {"name": "b", "broker": "10.0.0.2:5672", "connected": true, "level": "ok", "received": 900,
            "batches": 10, "delivered": 10, "kept": 10, "bypassed": 0, "dropped": 888, "refused": 0, "in_flight": 2}]""",
          "store",
          """
          {"kind": "redis", "address": "10.0.0.3:6379", "level": "degraded", "available": false}""",
          "sink",
          """
          {"kind": "hec", "level": "ok", "available": true}""",
          "coverage",
          """
          {"dedup_window_seconds": 600, "settled_until": "2026-01-02T12:00:00Z",
           "lost_by_all": {"messages": 2.7, "low": 1.2, "high": 6.1},
           "mismatches": [{"one": "a", "other": "b", "sentence": "Streams a and b share nothing.",
             "runbook": "runbook#duplogmismatch"}],
           "streams": [{"stream": "b", "messages": 1000, "missed": 31, "missed_percent": 3.1,
             "level": "attention", "sentence": "b missed 3.10 %, mostly from <b>.",
             "runbook": "runbook#duplogcoverageloss", "node": {"dropped": 1024, "discarded": 2},
             "senders": [{"sender": "<b>", "messages": 100, "missed": 31, "missed_percent": 31.0}]}]}""",
          "senders",
          """
          {"known": 412, "concerns": [
            {"name": "loud", "level": "ok", "count": 0, "sentence": "No sender is loud.", "some": []},
            {"name": "silent", "level": "attention", "count": 2, "sentence": "2 senders are silent.",
             "runbook": "runbook#duplogsendersilent", "some": [
               {"sender": "<i>10.1.2.7", "sentence": "10.1.2.7 is silent on b."}]}]}""",
          "bridges",
          """
          {"sentence": "2 bridges share the work.", "bridges": [
            {"name": "center-1", "level": "degraded", "version": "1.2.3", "received_per_second": 12.5,
             "delivered_per_second": 6.3, "detail": "Delivering, degraded."},
            {"name": "center-2", "level": "degraded", "detail": "Bridge center-2 has reported nothing.",
             "runbook": "runbook#duplogbridgedown"}]}""");

  @TempDir Path home;

  private @AutoClose Browser browser;
  private final StateDocument state = new StateDocument();
  private final Conditions board = Conditions.ofSystem();
  private final Health health = new Health(board);
  private final Trends trends = new Trends();
  private StatusServer server;
  private String url;

  @BeforeEach
  void open() throws Exception {
    board.add("sink", () -> "accepts");
    board.add("redis", () -> "");
    board.report(new Condition("redis", Level.DEGRADED, "Redis is away.", Runbook.STORE_AWAY));
    for (Map.Entry<String, String> section : SECTIONS.entrySet()) {
      Object value = JsonValue.parse(section.getValue()).value();
      state.add(section.getKey(), () -> value);
    }
    state.add("health", health::overall);
    trends.addRate("received", "a", () -> 5 * Instant.now().getEpochSecond());
    trends.addValue("missed_percent", "a", () -> 1.5);
    long now = Instant.now().getEpochSecond();
    LongStream.rangeClosed(-360, 0)
        .forEach(step -> trends.look(Instant.ofEpochSecond(now + 10 * step)));
    server =
        StatusServer.open(
            new StatusConfig("127.0.0.1:0", null, false),
            new StatusServer.Views(state, health, () -> "", () -> true, trends, null));
    url = server.url();
    browser = new Browser(home);
    browser.visit(url + "/");
    await().until(() -> browser.evaluate("document.body.dataset.shown").startsWith("2026"));
  }

  @AfterEach
  void close() {
    server.close();
  }

  private String text(String id) throws Exception {
    return browser.evaluate("document.getElementById('" + id + "').innerText");
  }

  /** Returns the links to the documents in a section, a line each. */
  private String links(String id) throws Exception {
    return browser.evaluate(
        "[...document.querySelectorAll('#"
            + id
            + " a')].map(a => a.getAttribute('href')).join('\\n')");
  }

  @Test
  void page_repeatsTheBridgesSentences_andLinksWhatIsNotOk() throws Exception {
    assertThat(text("overall")).isEqualTo("▲ Delivering, degraded. Redis is away.");
    assertThat(text("components-rows"))
        .containsPattern(
            "^redis\\s+▲ degraded\\s+Redis is away. What to do about redis\\s+sink\\s+● ok");
    assertThat(links("components")).isEqualTo("docs/runbook#duplogstoreaway");
    assertThat(text("coverage-sentences"))
        .contains("◆ b missed 3.10 %, mostly from <b>. What to do about stream b")
        .contains("Streams a and b share nothing. What to do about a and b");
    assertThat(links("coverage").lines())
        .containsExactly("docs/runbook#duplogcoverageloss", "docs/runbook#duplogmismatch");
    assertThat(text("senders"))
        .contains("412 known", "2 senders are silent.", "10.1.2.7 is silent on b.", "<i>10.1.2.7")
        .doesNotContain("loud");
    assertThat(links("senders")).isEqualTo("docs/runbook#duplogsendersilent");
    assertThat(text("bridges"))
        .contains("2 bridges share the work.", "bridge center-1 (this one)", "13/s", "6.3/s")
        .contains("Bridge center-2 has reported nothing.");
    assertThat(links("bridges")).isEqualTo("docs/runbook#duplogbridgedown");
    assertThat(browser.complaints()).isEmpty();
    assertThat(browser.violations()).isEmpty();
  }

  /** Received is the sum of the rows that are shown: what is folded away is zero. */
  @Test
  void numbers_addUp_orThePageSaysWhyTheyCannot() throws Exception {
    assertThat(text("ledger-rows"))
        .containsPattern("received\\s+1,000\\s+900\\s+1,900")
        .containsPattern("= kept, delivered\\s+990\\s+10\\s+1,000")
        .containsPattern("\\+ duplicates removed\\s+7\\s+888\\s+895")
        .containsPattern("\\+ in flight\\s+3\\s+2\\s+5")
        .doesNotContain("refused", "bypassed");
    assertThat(text("zeros")).contains("All counts: 2 more, which are 0");
    assertThat(browser.evaluate("picture.textContent"))
        .contains("5 copies in flight", "1,000 delivered");
    browser.evaluate("document.getElementById('zeros-title').click()");
    assertThat(text("zero-rows")).contains("+ bypassed", "+ refused");
    assertThat(text("coverage-why"))
        .startsWith(
            "Messages of all bridges, not copies of this one. A message is settled 10 min after it"
                + " came, because another stream may still bring it.")
        .contains(
            "The kernel of b’s node dropped 1,024 datagrams. The queues of b’s rsyslog discarded 2",
            "Estimated to be lost on both streams: 3 (1 to 7)");
  }

  @Test
  void trends_areDrawn_saidInWords_andOfTheRangeThatWasChosen() throws Exception {
    await().until(() -> browser.evaluate("document.querySelectorAll('canvas').length").equals("2"));
    assertThat(text("trends")).containsPattern("stream a: 1.50 %, at most 1.50 %");
    browser.evaluate("document.querySelector('[data-range=\"1d\"]').click()");
    await().until(() -> browser.evaluate("trends.dataset.shown").equals("1d"));
    assertThat(browser.evaluate("document.querySelector('[aria-pressed=true]').innerText"))
        .isEqualTo("last day");
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void page_ofAnOlderBridge_isShown_withoutWhatItDoesNotKnow() throws Exception {
    state.add("senders", () -> Map.of("known", 3));
    state.add("bridges", () -> null);
    await().until(() -> text("senders").contains("3 known"));
    assertThat(text("bridges")).contains("Nothing is known yet");
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void bridgeThatIsGone_isSaid_withItsTime_andItsNumbersAreGrey() throws Exception {
    assertThat(text("updated")).matches("updated \\d+ s ago");
    server.close();

    await().until(() -> text("overall").startsWith("✕ No updates since "));
    assertThat(browser.evaluate("document.body.classList.contains('lost')")).isEqualTo("true");
    assertThat(browser.violations()).isEmpty();
  }
}
