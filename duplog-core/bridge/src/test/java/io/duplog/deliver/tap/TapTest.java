package io.duplog.deliver.tap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.base.Splitter;
import io.duplog.bridge.settings.SinkConfig;
import io.duplog.config.ConfigLoader;
import io.duplog.deliver.Allocations;
import io.duplog.deliver.DeliveryRequest;
import io.duplog.deliver.DeliveryRequests;
import io.duplog.deliver.Sink;
import io.duplog.deliver.SinkContext;
import io.duplog.deliver.Sinks;
import io.duplog.deliver.hec.HecSink;
import io.duplog.deliver.hec.HecSinkConfig;
import io.duplog.deliver.hec.HecStage;
import io.duplog.deliver.line.LineFormat;
import io.duplog.deliver.route.Routing;
import io.duplog.observe.Conditions;
import io.duplog.observe.JsonValue;
import io.duplog.observe.LineFeed;
import io.duplog.wire.EventHead;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests which delivered messages {@code duplog tap} shows to its reader, and that it never delays
 * the delivery.
 */
class TapTest {
  private static final HecSinkConfig HEC =
      HecStage.config(
          """
          urls: [http://s]
          token: t
          routing:
            time-zone: UTC
            rules:
              - match: {program: ['%ASA*']}
                set: {index: netfw, sourcetype: cisco:asa, fields: {kind: fw}}
          """);
  private static final Routing RULES = new Routing(HEC.routing());
  private static final String ASA = "10.1.2.3 <166>Oct 11 2023 22:14:15 fw-1 : %ASA-6-1: a\u00ff";
  private static final String OTHER = "10.2.0.1 <13>1 2023-10-11T22:14:15.003Z WEB-1 app - - - b";
  private static final String UNKNOWN = "c";

  private final DeliveryRequests requests = new DeliveryRequests();
  private long nanos = 7;
  private final Taps taps =
      new Taps(sinkName -> new TappedMessage(RULES, RULES, HEC.payload(RULES)), () -> nanos);

  private void offer(String... messages) {
    taps.offer(requests.ofSenders("p", messages));
  }

  /** Returns what the feed brings next, by this member. */
  private static String next(LineFeed feed, String member) throws Exception {
    String lines = feed.next();
    return lines == null
        ? "null"
        : lines.lines().map(line -> value(line, member)).collect(Collectors.joining(" "));
  }

  private static String value(String line, String member) {
    try {
      Object value = JsonValue.parse(line).at(member).value();
      return value == null ? line : value.toString();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void message_isShown_withItsMetadata_asItIsSent() throws Exception {
    LineFeed feed = taps.open(Map.of());
    BitSet second = new BitSet();
    second.set(1);
    taps.offer(
        requests.of(
            "p",
            DeliveryRequests.batch(true, OTHER, ASA),
            second,
            DeliveryRequest.Passage.BYPASSED));
    String payload =
        "{'time':1697062455.000,'host':'fw-1','index':'netfw','sourcetype':'cisco:asa',"
            + "'fields':{'kind':'fw','escaped':'bytes','dedup':'bypassed',"
            + "'stream':'syslog-a','digest':'digest-1'},"
            + "'event':'<166>Oct 11 2023 22:14:15 fw-1 : %ASA-6-1: a\\\\xFF'}";
    String line =
        "{'received':'2026-03-14T15:09:26.535Z','sender':'10.1.2.3','stream':'syslog-a',"
            + "'passage':'bypassed','host':'fw-1','sourcetype':'cisco:asa','index':'netfw',"
            + "'source':null,'rule':1,'payload':";
    String shown = String.valueOf(feed.next());
    assertThat(shown).startsWith(line.replace('\'', '"')).hasLineCount(1).endsWith("}\n");
    assertThat(value(shown, "payload")).isEqualTo(payload.replace('\'', '"'));
  }

  /** A condition of the tap is about the message as it was received, as the rules are. */
  @Test
  void message_isShown_asTheRulesLeaveIt() throws Exception {
    Routing rules =
        new Routing(
            HecStage.config(
                    """
                    urls: [http://s]
                    token: t
                    routing:
                      rules:
                        - {match: {message: noise}, drop: true}
                        - match: {message: pin}
                          mask: [{pattern: '[a-z]+ pin=[0-9]+', replacement: '***'}]
                    """)
                .routing());
    Taps filtered =
        new Taps(
            sinkName -> new TappedMessage(null, rules, LineFormat.MESSAGE.payload()), () -> nanos);
    LineFeed feed = filtered.open(Map.of("sender", "10.2.0.0/16"));
    filtered.offer(
        requests.ofSenders("p", "10.2.0.1 noise", "10.2.0.1 a pin=12", "10.2.0.2 plain"));
    assertThat(next(feed, "payload")).isEqualTo("*** plain");
  }

  @Test
  void eventOfHec_isShown_withTheMetadataOfItsClient() throws Exception {
    LineFeed feed = taps.open(Map.of("sourcetype", "sshd*"));
    EventHead head =
        new EventHead("1.5", "web 1", "/s", "sshd", "main", "\"a\":1", EventHead.Content.TEXT);
    taps.offer(requests.ofEvent("p", head, "10.1.2.3 Accepted"));

    String shown = String.valueOf(feed.next());

    assertThat(shown)
        .contains(
            "'sender':'10.1.2.3'".replace('\'', '"'),
            "'host':'web 1','sourcetype':'sshd','index':'main','source':'/s'".replace('\'', '"'));
    assertThat(value(shown, "payload"))
        .startsWith("{'time':1.5,".replace('\'', '"'))
        .contains("'fields':{'a':1".replace('\'', '"'), "'event':'Accepted'".replace('\'', '"'));
  }

  @Test
  void lineOfAFile_isShown_withWhatIsKnown() throws Exception {
    Taps file =
        new Taps(
            sinkName -> new TappedMessage(null, null, LineFormat.MESSAGE.payload()), () -> nanos);
    LineFeed feed = file.open(Map.of("sender", "web-*"));
    file.offer(requests.ofSenders("p", ASA)); // not shown, so the tap examines the next request
    file.offer(requests.ofSenders("q", OTHER, UNKNOWN));
    assertThat(feed.next())
        .isEqualTo(
            """
            {"received":"2026-03-14T15:09:26.535Z","sender":"10.2.0.1","stream":"syslog-a",\
            "passage":"kept","host":"WEB-1",\
            "payload":"<13>1 2023-10-11T22:14:15.003Z WEB-1 app - - - b"}
            """);
    assertThatThrownBy(() -> file.open(Map.of("sourcetype", "a")))
        .hasMessageContaining("for sinks of type hec");
  }

  /** Messages of three senders arrive; the last sender is unknown. */
  @ParameterizedTest
  @CsvSource({
    "sender=10.1.2.3, 10.1.2.3",
    "sender=10.0.0.0/8, 10.1.2.3 10.2.0.1",
    "sender=10.2.*, 10.2.0.1",
    "sender=web-?, 10.2.0.1",
    "sender=2001:db8::/32, ''",
    "sourcetype=CISCO:*, 10.1.2.3",
    "sample=2, '10.1.2.3 '",
    "sample=2 sender=10.0.0.0/8, 10.1.2.3"
  })
  void words_chooseMessages(String words, String senders) throws Exception {
    LineFeed feed = taps.open(Splitter.on(' ').withKeyValueSeparator('=').split(words));
    offer(ASA, OTHER, UNKNOWN);
    assertThat(next(feed, "sender")).isEqualTo(senders);
  }

  @ParameterizedTest
  @CsvSource({
    "sender, 10.1.2.300, sender must be an address or a network such as",
    "sourcetype, a b, sourcetype must be a name without spaces",
    "sample, 0, 'sample must be a number of at least 1, not ''0'''",
    "sample, x, sample must be a number"
  })
  void word_thatCanNotBeUsed_isRefused(String word, String value, String problem) {
    assertThatThrownBy(() -> taps.open(Map.of(word, value))).hasMessageStartingWith(problem);
  }

  @Test
  void moreThanASecondMayShow_isCounted_andToldInTheNext() throws Exception {
    LineFeed feed = taps.open(Map.of());
    offer(IntStream.range(0, 250).mapToObj(i -> "10.0.0.1 m" + i).toArray(String[]::new));
    assertThat(next(feed, "sender").split(" ", -1)).hasSize(Tap.MAX_A_SECOND);
    offer(OTHER);
    assertThat(feed.next()).isEmpty();
    nanos += TimeUnit.SECONDS.toNanos(1);
    offer(OTHER);
    assertThat(next(feed, "sender")).isEqualTo("{\"notShown\":151} 10.2.0.1");

    nanos += TimeUnit.SECONDS.toNanos(1);
    offer("10.0.0.1 " + "\"".repeat(Tap.BYTES_A_SECOND / 2), OTHER, OTHER);
    assertThat(next(feed, "sender")).isEqualTo("10.0.0.1");
    nanos += TimeUnit.SECONDS.toNanos(Tap.LONGEST_SECONDS);
    assertThat(next(feed, "end"))
        .isEqualTo("{\"notShown\":2} the tap has ended, after " + Tap.LONGEST_SECONDS + " s");
    assertThat(feed.next()).isNull();
  }

  /** The reader holds up nobody: this thread offers all messages before the reader begins. */
  @Test
  void readerThatIsSlow_getsWhatFits() throws Exception {
    LineFeed feed = taps.open(Map.of());
    Collections.nCopies(Tap.MAX_QUEUED + 20, OTHER).forEach(this::offer);
    int shown = 0;
    while (!String.valueOf(feed.next()).isEmpty()) {
      shown++;
    }
    assertThat(shown).isEqualTo(Tap.MAX_QUEUED);
    String large = "10.0.0.1 " + "x".repeat(1_000_000);
    IntStream.range(0, 20).forEach(i -> offer(large));
    nanos += TimeUnit.SECONDS.toNanos(1);
    assertThat(next(feed, "sender")).isEqualTo("{\"notShown\":38} 10.0.0.1");
    while (!String.valueOf(feed.next()).isEmpty()) {}
    offer(large, large, large); // not even alone
    nanos += TimeUnit.SECONDS.toNanos(1);
    assertThat(feed.next()).isEqualTo("{\"notShown\":3}\n");
  }

  @Test
  void ruleFileThatBreaks_isShownAsTheSinkHasIt(@TempDir Path folder) throws Exception {
    Path rules = folder.resolve("rules.yaml");
    Files.writeString(
        rules,
        "rules: [{match: {program: ['%ASA*']}, set: {index: netfw, sourcetype: cisco:asa}}]");
    SinkConfig config =
        ConfigLoader.ofSystem()
            .parse(
                "sink.yaml",
                """
                type: hec
                hec: {urls: ['http://127.0.0.1:1'], token: t, routing: {include: ['%s']}}
                """
                    .formatted(rules),
                SinkConfig.class);
    try (Sink sink =
        HecSink.open(
            Objects.requireNonNull(config.hec()),
            SinkContext.ofOnly(line -> {}, Conditions.ofSystem()))) {
      Files.writeString(rules, "rules: [");
      Taps taps =
          new Taps(sinkName -> config.tapped(Sinks.of("hec", sink).members().get(0)), () -> nanos);
      LineFeed feed = taps.open(Map.of("sourcetype", "cisco:*"));
      taps.offer(requests.ofSenders("p", ASA));
      assertThat(next(feed, "index")).isEqualTo("netfw");
    }
  }

  @Test
  void whereNobodyWatches_nothingIsAllocated_norAskedFor() {
    Taps unwatched =
        new Taps(
            sinkName -> {
              throw new AssertionError("nobody watches");
            },
            () -> 0);
    DeliveryRequest delivery = requests.ofSenders("p", ASA);
    Allocations.assertNone(() -> IntStream.range(0, 1000).forEach(i -> unwatched.offer(delivery)));
    taps.open(Map.of()).close();
    Allocations.assertNone(() -> IntStream.range(0, 1000).forEach(i -> taps.offer(delivery)));
  }
}
