package io.duplog.deliver.hec.event;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.deliver.Allocations;
import io.duplog.deliver.DeliveryRequest;
import io.duplog.deliver.DeliveryRequests;
import io.duplog.deliver.hec.Event;
import io.duplog.deliver.hec.HecStage;
import io.duplog.deliver.route.MessageFilter;
import io.duplog.deliver.route.Routing;
import io.duplog.observe.EventCounts;
import io.duplog.wire.EventHead;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests the JSON event, with its time, host and metadata, that a syslog message becomes for Splunk.
 */
class EncoderTest {
  private static final String ROUTING =
      """
      urls: [http://s]
      token: t
      routing:
        time-zone: UTC
        defaults: {sourcetype: "sys\\"log", fields: {env: prod}}
        rules:
          - match: {program: [named]}
            set: {index: dns, sourcetype: bind, source: "a b", host: ns-1, fields: {kind: dns}}
      """;

  private final EventEncoder encoder = new EventEncoder(routing(ROUTING), "main");
  private final RawEncoder raw = new RawEncoder(routing(ROUTING), "main");

  private static Routing routing(String config) {
    return new Routing(HecStage.config(config).routing());
  }

  private static DeliveryRequest delivery(String... messages) {
    return new DeliveryRequests().ofSenders("p", messages);
  }

  private static String encoded(Encoder encoder, DeliveryRequest delivery) {
    Body body = new Body(10_000);
    for (int i = 0; i < delivery.batch().count(); i++) {
      assertThat(encoder.add(delivery, i, false, body)).isTrue();
    }
    return new String(body.bytes(), 0, body.length(), ISO_8859_1);
  }

  @Test
  void event_hasTimeHostAndRoute() {
    assertThat(
            encoded(
                encoder,
                delivery(
                    "10.0.0.1 <13>1 2023-10-11T22:14:15.003Z web-1 app - - - \"hi\"",
                    "10.0.0.2 <13>Oct 11 2023 22:14:15 x named[1]: q",
                    "10.0.0.3 no header")))
        .isEqualTo(
            """
            {"time":1697062455.003,"host":"web-1","sourcetype":"sys\\"log","fields":{"env":"prod"},"event":"<13>1 2023-10-11T22:14:15.003Z web-1 app - - - \\"hi\\""}
            {"time":1697062455.000,"host":"ns-1","index":"dns","sourcetype":"bind","source":"a b","fields":{"env":"prod","kind":"dns"},"event":"<13>Oct 11 2023 22:14:15 x named[1]: q"}
            {"time":1773500966.535,"host":"10.0.0.3","sourcetype":"sys\\"log","fields":{"env":"prod"},"event":"no header"}
            """);
  }

  /** Returns a request as a sink with these masks gets it. */
  private static DeliveryRequest masked(DeliveryRequest delivery, String pattern, String to) {
    MessageFilter filter =
        routing(
                "urls: [http://s]\ntoken: t\nrouting: {rules: [{match: {message: pin}, mask:"
                    + " [{pattern: '%s', replacement: '%s'}]}]}".formatted(pattern, to))
            .filter();
    return delivery.with(
        Objects.requireNonNull(
            Objects.requireNonNull(filter)
                .apply(delivery.batch(), delivery.chosen(), delivery.digests(), 0)));
  }

  /** A mask must not cost a message what a rule finds in the text, nor its host or time. */
  @Test
  void maskedMessage_hasTheMetadataOfTheOriginal() {
    String message = "10.0.0.2 <13>Oct 11 2023 22:14:15 x named[1]: pin=1";
    assertThat(encoded(encoder, masked(delivery(message), "Oct.*pin=", "?")))
        .isEqualTo(
            encoded(encoder, delivery(message))
                .replace("Oct 11 2023 22:14:15 x named[1]: pin=", "?"));
  }

  @Test
  void maskedEvent_isJson_orAString() {
    EventHead head = new EventHead("1", "h", "s", "t", "i", null, EventHead.Content.JSON);
    DeliveryRequest event =
        new DeliveryRequests().ofEvent("e", head, "10.0.0.1 {\"pin\":1234,\"a\":\"b\"}");
    assertThat(encoded(encoder, masked(event, "[0-9]+", "0")))
        .endsWith("\"event\":{\"pin\":0,\"a\":\"b\"}}\n");
    assertThat(encoded(encoder, masked(event, "[0-9]+", "#")))
        .endsWith("\"event\":\"{\\\"pin\\\":#,\\\"a\\\":\\\"b\\\"}\"}\n");
  }

  /** Another bridge may have sent what a broker delivers again, so a search must find it. */
  @Test
  void eventOfARedeliveredBatch_isMarked_unlessItIsResentForAnotherReason() {
    DeliveryRequest first = delivery("10.0.0.3 no header");
    DeliveryRequest again =
        new DeliveryRequest(
            new DeliveryRequest.Origin("syslog-a", 0, true, null),
            first.batch(),
            first.chosen(),
            first.passage(),
            first.digests(),
            first.callback());
    assertThat(encoded(encoder, again)).contains("\"env\":\"prod\",\"resent\":\"redelivered\"}");
    Body body = new Body(10_000);
    encoder.add(again, 0, false, "unanswered", body);
    assertThat(new String(body.bytes(), 0, body.length(), ISO_8859_1))
        .contains("\"resent\":\"unanswered\"}");
  }

  private static final String EVENT_ROUTING =
      """
      urls: [http://s]
      token: t
      routing:
        time-zone: UTC
        defaults: {sourcetype: fallback, index: main, host: bridge, fields: {env: prod}}
        rules:
          - match: {event: {sourcetype: ["bind*"], fields: {site: 7}}}
            set: {index: dns, host: ns-1}
      """;

  private static String encodedEvent(Encoder encoder, EventHead head, String senderAndText) {
    return encoded(encoder, new DeliveryRequests().ofEvent("e", head, senderAndText));
  }

  /** A client's metadata go before the defaults, and a rule's go before the client's. */
  @Test
  void eventOfHec_keepsItsMetadata() {
    EventEncoder events = new EventEncoder(routing(EVENT_ROUTING), null);
    EventHead full =
        new EventHead("1.250001", "web-1", "s", "t", "i", "\"a\":[1]", EventHead.Content.JSON);
    EventHead ruled =
        new EventHead(null, "x", null, "bind:q", "i", "\"site\":7", EventHead.Content.TEXT);
    EventHead empty = new EventHead(null, null, null, null, null, null, EventHead.Content.TEXT);

    assertThat(encodedEvent(events, full, "web-1 {\"k\":\"v\"}"))
        .isEqualTo(
            """
            {"time":1.250001,"host":"web-1","index":"i","sourcetype":"t","source":"s","fields":{"a":[1],"env":"prod"},"event":{"k":"v"}}
            """);
    assertThat(encodedEvent(events, ruled, "x a \"b\""))
        .isEqualTo(
            """
            {"time":1773500966.535,"host":"ns-1","index":"dns","sourcetype":"bind:q","fields":{"site":7,"env":"prod"},"event":"a \\"b\\""}
            """);
    assertThat(encodedEvent(events, empty, " a"))
        .isEqualTo(
            """
            {"time":1773500966.535,"host":"bridge","index":"main","sourcetype":"fallback","fields":{"env":"prod"},"event":"a"}
            """);
  }

  /** Splunk takes the time of receipt for an event, and looks for a time in a raw line. */
  @Test
  void eventOfHec_withoutTime_hasTimeOfReceiptUnlessItIsRaw() {
    EventHead event = new EventHead(null, "h", null, null, null, null, EventHead.Content.TEXT);
    EventHead line = new EventHead(null, "h", null, null, null, null, EventHead.Content.LINE);
    String text = "h <13>1 2023-10-11T22:14:15.003Z h app - - - x";

    assertThat(encodedEvent(encoder, event, text)).startsWith("{\"time\":1773500966.535,");
    assertThat(encodedEvent(encoder, line, text)).startsWith("{\"time\":1697062455.003,");
  }

  @Test
  void eventOfHec_asRawLine_hasItsMetadataInUrl() {
    EventHead head = new EventHead("1", "web-1", "s", "t", "i", "\"a\":1", EventHead.Content.JSON);
    assertThat(encodedEvent(raw, head, "web-1 {}")).isEqualTo("{}\n");
    assertThat(raw.path())
        .isEqualTo("/services/collector/raw?index=i&sourcetype=t&source=s&host=web-1");
  }

  @Test
  void eventsOfHec_withMadeUpMetadata_takeBoundedMemory() {
    EventEncoder events = new EventEncoder(routing(EVENT_ROUTING), null);
    for (int i = 0; i < 20_000; i++) {
      EventHead head = new EventHead("1", "h", "s" + i, "t", "i", null, EventHead.Content.TEXT);
      encodedEvent(events, head, "h x");
    }
    assertThat(events.cachedRoutes()).isLessThanOrEqualTo(4_096);
  }

  @Test
  void counters_followCurrentRules_forAnyNumberOfHosts() {
    EventCounts counts = new EventCounts();
    SourceCounter counter = new SourceCounter(counts);
    String[] hosts =
        IntStream.range(0, 10_100).mapToObj(i -> "h" + i + " m").toArray(String[]::new);
    for (int round = 1; round <= 2; round++) {
      for (String message : hosts) {
        encoder.add(delivery(message), 0, false, new Body(1_000));
        counter.of(encoder.metadata()).increment();
      }
      assertThat(counts.sums())
          .hasSize(10_001)
          .containsEntry(new EventCounts.Source("sys\"log", "h9999"), (long) round)
          .containsEntry(new EventCounts.Source("sys\"log", "(others)"), 100L * round);
    }
    EventEncoder others = new EventEncoder(routing(ROUTING.replace("log", "tem")), null);
    others.add(delivery("h1 m"), 0, false, new Body(1_000));
    counter.of(others.metadata()).increment();
    assertThat(counts.sums()).containsEntry(new EventCounts.Source("sys\"tem", "(others)"), 1L);
  }

  /** Clients by HEC may make up sourcetypes, too. */
  @Test
  void counters_ofMadeUpSourcetypes_takeBoundedMemory() {
    EventCounts counts = new EventCounts();
    for (int i = 0; i < 30_000; i++) {
      counts.of(EventCounts.Source.of("t" + i, "h")).increment();
    }
    counts.of(EventCounts.Source.of("t\n" + "x".repeat(1 << 20), "h".repeat(1 << 20))).increment();

    assertThat(counts.sums())
        .hasSize(20_001)
        .containsEntry(new EventCounts.Source("t9999", "h"), 1L)
        .containsEntry(new EventCounts.Source("t19999", "(others)"), 1L)
        .containsEntry(new EventCounts.Source("(others)", "(others)"), 10_001L);
    EventCounts.Source longest = EventCounts.Source.of("t\n" + "x".repeat(300), "h".repeat(300));
    assertThat(longest.sourcetype()).hasSize(256).startsWith("t?x");
    assertThat(longest.host()).hasSize(256);
  }

  @Test
  void invalidUtf8_isMarked_unlikeATextThatLooksEscaped() {
    assertThat(encoded(encoder, delivery("h \u00e9\\xE9", "h \\xE9")))
        .contains(
            "\"fields\":{\"env\":\"prod\",\"escaped\":\"bytes\"},\"event\":\"\\\\xE9\\\\x5CxE9\"")
        .endsWith("\"fields\":{\"env\":\"prod\"},\"event\":\"\\\\xE9\"}\n");
  }

  @Test
  void blankMessage_isReplacedByText_onBothEndpoints() {
    assertThat(encoded(encoder, delivery("10.0.0.3 \t ")))
        .endsWith("\"event\":\"[blank message of 2 bytes]\"}\n");
    assertThat(encoded(raw, delivery("h ", "h \r")))
        .isEqualTo("[blank message of 0 bytes]\n[blank message of 1 byte]\n");
  }

  @Test
  void reroutedEvent_hasTheFallbackIndex() {
    DeliveryRequest delivery =
        delivery("h <13>Oct 11 22:14:15 h named: a", "h <13>Oct 11 22:14:15 h named: b");
    Body body = new Body(1000);
    encoder.add(delivery, 0, false, body);
    encoder.add(delivery, 1, true, body);
    assertThat(new String(body.bytes(), 0, body.length(), ISO_8859_1))
        .containsSubsequence("\"index\":\"dns\"", "named: a", "\"index\":\"main\"", "named: b");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0.000",
    "7, 0.007",
    "999, 0.999",
    "1000, 1.000",
    "-1500, -1.500",
    "1697062455123, 1697062455.123",
    "253402300799999, 253402300799.999"
  })
  void time_isInSecondsWithMilliseconds(long millis, String text) {
    byte[] out = new byte[40];
    int end = EventEncoder.putSeconds(millis, out, 3);
    assertThat(new String(out, 3, end - 3, ISO_8859_1)).isEqualTo(text);
  }

  @Test
  void bytesWithMaximumGrowth_almostFillTheBody_andNeverExceedIt() {
    String worst = "\u0001".repeat(100);
    DeliveryRequest delivery = delivery("h " + worst, "h " + worst);
    int both = encoded(encoder, delivery).length();
    int fits = 0;
    for (int capacity = both - 10; capacity < both + 120; capacity++) {
      Body body = new Body(capacity);
      assertThat(encoder.add(delivery, 0, false, body)).isTrue();
      boolean second = encoder.add(delivery, 1, false, body);
      fits += second ? 1 : 0;
      assertThat(body.length()).isEqualTo(second ? both : both / 2).isLessThanOrEqualTo(capacity);
      assertThat(Event.read(body.bytes(), body.length())).hasSize(second ? 2 : 1);
    }
    assertThat(fits)
        .as("of 120 bodies with room for both messages, the number that accept both")
        .isGreaterThan(80);
  }

  @Test
  void body_afterOneLargeEvent_isSmallAgain() {
    Body body = new Body(1000);
    assertThat(encoder.add(delivery("h " + "x".repeat(100_000)), 0, false, body)).isTrue();
    body.clear();
    assertThat(body.bytes()).hasSize(1000);
  }

  @Test
  void event_allocatesNothing() {
    SourceCounter counter = new SourceCounter(new EventCounts());
    DeliveryRequest delivery =
        delivery("10.0.0.1 <13>Oct 11 22:14:15 web-1 app[7]: " + "some text \u00ff".repeat(60));
    Body body = new Body(1_000_000);
    Allocations.assertNone(
        () -> {
          body.clear();
          for (int i = 0; i < 500; i++) {
            encoder.add(delivery, 0, false, body);
            counter.of(encoder.metadata()).increment();
          }
        });
  }

  @Test
  void raw_isEncodedAsLines_withMetadataInUrl() {
    assertThat(encoded(raw, delivery("10.0.0.1 a\nb\r\nc\u00ff", "10.0.0.1 d")))
        .isEqualTo("a#012b#015#012c\u00ff\nd\n");
    assertThat(raw.path()).isEqualTo("/services/collector/raw?sourcetype=sys%22log&host=10.0.0.1");
  }

  @Test
  void raw_fillsBodyToItsLastByte() {
    DeliveryRequest delivery = delivery("h " + "x\n".repeat(100), "h " + "y".repeat(100));
    for (int capacity = 600; capacity < 603; capacity++) {
      Body body = new Body(capacity);
      assertThat(raw.add(delivery, 0, false, body)).isTrue();
      assertThat(body.length()).isEqualTo(501);
      assertThat(raw.add(delivery, 1, false, body)).isEqualTo(capacity == 602);
    }
  }

  @Test
  void raw_startsNewRequest_ifMetadataChange() {
    DeliveryRequest delivery =
        delivery(
            "h <13>Oct 11 22:14:15 h named: a",
            "g <13>Oct 11 22:14:15 g named: b",
            "h x",
            "g x",
            "g x");
    Body body = new Body(1000);
    List<String> paths = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      boolean rerouted = i == 4;
      if (!raw.add(delivery, i, rerouted, body)) {
        body.clear();
        assertThat(raw.add(delivery, i, rerouted, body)).isTrue();
        paths.add("next request");
      }
      paths.add(raw.path().replace("/services/collector/raw", ""));
    }
    assertThat(paths)
        .containsExactly(
            "?index=dns&sourcetype=bind&source=a+b&host=ns-1",
            "?index=dns&sourcetype=bind&source=a+b&host=ns-1",
            "next request",
            "?sourcetype=sys%22log&host=h",
            "next request",
            "?sourcetype=sys%22log&host=g",
            "next request",
            "?index=main&sourcetype=sys%22log&host=g");
  }
}
