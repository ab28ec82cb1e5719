package io.duplog.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.bridge.settings.LedgerFactory;
import io.duplog.bridge.status.BridgeStatus;
import io.duplog.deliver.Sinks;
import io.duplog.observe.Conditions;
import java.util.regex.Matcher;

/**
 * Creates the state document of a bridge with losses and a degraded period, for tests of pages,
 * commands and events.
 */
public final class ReportedState {
  private static final String CONFIG =
      """
      name: bridge-1
      streams: [{name: syslog-a}, {name: syslog-b, port: 1}]
      dedup: {store: memory}
      status: {listen: "127.0.0.1:0"}
      sink:
        type: hec
        hec: {urls: ["http://127.0.0.1:1"], token: t, report: {index: duplog, every: 2m}}
      """;

  /** Section as CoverageQuery writes it; CoverageIT compares the names. */
  private static final String COVERAGE =
      """
      "not_compared":12,"streams":[\
      {"stream":"syslog-a","messages":1000,"missed":0,"missed_percent":0.0,"missed_at_least":0,\
      "level":"ok","sentence":"it missed none",\
      "senders":[{"sender":"10.1.2.6","messages":900,"missed":0,"missed_percent":0.0}]},\
      {"stream":"syslog-b","messages":1000,"missed":31,"missed_percent":3.1,"missed_at_least":19,\
      "level":"attention","sentence":"it missed 3.1 %",\
      "senders":[{"sender":"10.1.2.7","messages":100,"missed":30,"missed_percent":30.0},\
      {"sender":"10.1.2.6","messages":900,"missed":1,"missed_percent":0.1}]}]\
      """;

  private static final String LAG =
      "\"state\":\"unknown\",\"age_seconds\":1.5,\"lag_seconds\":0.25,\"depth\":7";

  private static final String DEGRADED =
      """
      "degraded":[\
      {"part":"sink","from":"2026-11-21T09:00:00Z","to":null,"cause":"hec accepts nothing"},\
      {"part":"redis","from":"2026-11-21T08:00:00.250Z","to":"2026-11-21T08:00:30Z","cause":"away"},\
      {"part":"redis","from":"2026-11-21T07:00:00Z","to":"2026-11-21T07:59:59Z","cause":"away"}]\
      """;

  private ReportedState() {}

  /**
   * Returns the document of a bridge that was made and not started, with what takes time to happen
   * filled in.
   */
  public static String document() throws Exception {
    BridgeConfig config = BridgeBetweenServers.parsed(CONFIG);
    Conditions board = Conditions.ofSystem();
    Bridge bridge =
        new Bridge(
            config,
            LedgerFactory.ledgers(config, board),
            Sinks.of(config.sinkNames(), new CollectingSink()),
            board);
    try (BridgeStatus status = bridge.status()) {
      status.open();
      String document = status.document().render();
      String happened = replace(document, "\"not_compared\":0,(.*?)\"streams\":\\[]", COVERAGE);
      return replace(happened, "\"degraded\":\\[.*?]", DEGRADED)
          .replace("\"state\":\"unknown\"", LAG);
    }
  }

  private static String replace(String document, String pattern, String by) {
    String replaced = document.replaceFirst(pattern, Matcher.quoteReplacement(by));
    assertThat(replaced).as("%s is in %s", pattern, document).isNotEqualTo(document);
    return replaced;
  }
}
