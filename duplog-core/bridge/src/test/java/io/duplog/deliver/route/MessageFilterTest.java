package io.duplog.deliver.route;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.config.ConfigException;
import io.duplog.config.RereadFile;
import io.duplog.deliver.Allocations;
import io.duplog.deliver.DeliveryRequests;
import io.duplog.wire.EventHead;
import io.duplog.wire.MessageBatch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which messages the rules drop, and how they mask texts. */
class MessageFilterTest {
  private static String digest(int message) {
    return Integer.toHexString(message * 0x9E3779B1);
  }

  private static Routing routing(String rules) throws ConfigException {
    return new Routing(RoutingConfigTest.parse("rules: [" + rules + "]"));
  }

  private static BitSet all(MessageBatch batch) {
    BitSet all = new BitSet();
    all.set(0, batch.count());
    return all;
  }

  private static MessageFilter.Filtered apply(String rules, MessageBatch batch) throws Exception {
    MessageFilter filter = Objects.requireNonNull(routing(rules).filter());
    return Objects.requireNonNull(filter.apply(batch, all(batch), MessageFilterTest::digest, 0));
  }

  /** Returns what the rules leave of a message, or null if they drop it. */
  private static String after(String rules, String message) throws Exception {
    MessageBatch batch = DeliveryRequests.batch(true, "10.1.2.3 " + message);
    MessageFilter filter = routing(rules).filter();
    MessageFilter.Filtered filtered =
        filter == null ? null : filter.apply(batch, all(batch), MessageFilterTest::digest, 0);
    if (filtered == null) {
      return message;
    }
    return filtered.chosen().isEmpty()
        ? null
        : DeliveryRequests.texts(filtered.batch()).get(0).substring("10.1.2.3 ".length());
  }

  @Test
  void rulesWithoutAction_makeNoFilter() throws Exception {
    assertThat(
            routing("{match: {severity: err}, set: {index: a}}, {match: {severity: err}}").filter())
        .isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          # rules | message | what is delivered, - if nothing
          {match: {message: noise}, drop: true}    | <13>some noise | -
          {match: {message: noise}, drop: true}    | <13>a signal   | <13>a signal
          {match: {message: noise}, drop: observe} | <13>some noise | <13>some noise
          {match: {sender: [10.1.0.0/16]}, drop: true} | <13>a | -
          {match: {sender: [10.2.0.0/16]}, drop: true} | <13>a | <13>a
          {match: {severity: debug}, set: {index: a}, drop: true} | <15>a | -
          # a rule that only sets metadata protects nothing, wherever it is
          {match: {severity: debug}, set: {index: a}}, {match: {message: a}, drop: true} | <15>a | -
          # an exception before a rule that drops, and one that comes too late
          {match: {message: keep}, drop: false}, {match: {severity: debug}, drop: true} | <15>keep | <15>keep
          {match: {severity: debug}, drop: true}, {match: {message: keep}, drop: false} | <15>keep | -
          # all masks apply, in order, to what the one before left
          {match: {message: pin}, mask: [{pattern: '[0-9]{4}', replacement: '****'}]} | <13>pin 1234, 5678 | <13>pin ****, ****
          {match: {message: other}, mask: [{pattern: '[0-9]{4}', replacement: '****'}]} | <13>pin 1234 | <13>pin 1234
          {match: {message: a}, mask: [{pattern: a, replacement: b}]}, {match: {message: a}, mask: [{pattern: b, replacement: c}]} | <13>ab | <13>cc
          {match: {message: a}, mask: [{pattern: 'x(.)(.)', replacement: '$2-$1$0'}]} | <13>a x12 | <13>a 2-1x12
          {match: {message: a}, mask: [{pattern: '[0-9]{4}', replacement: '$ \\ $'}]} | <13>a 1234 | <13>a $ \\ $
          {match: {severity: notice}, mask: [{pattern: '(?i)PASSWORD=[^ ]+', replacement: 'password=***'}]} | <13>a PassWord=b c | <13>a password=*** c
          # a mask that is not needed changes nothing
          {match: {message: a}, mask: [{pattern: zzz, replacement: b}]} | <13>a | <13>a
          {match: {message: a}, drop: observe, mask: [{pattern: a, replacement: b}]} | <13>a | <13>b
          """)
  void message_isDroppedOrMasked(String rules, String message, String delivered) throws Exception {
    String left = after(rules.replace("\\\\", "\\"), message);
    assertThat(left == null ? "-" : left).isEqualTo(delivered.replace("\\\\", "\\"));
  }

  @Test
  void masks_keepBytesThatAreNotUtf8_andCharactersOfAnyLength() throws Exception {
    String rule = "{match: {severity: notice}, mask: [{pattern: '[0-9]+', replacement: 'é'}]}";
    String utf8 = new String("<13>é😀 7 ".getBytes(UTF_8), ISO_8859_1);
    String e = new String("é".getBytes(UTF_8), ISO_8859_1);
    // A byte that begins no character, one without its second byte, and a surrogate in UTF-8.
    String invalid = "\u00ff1\u00c3 2\u00ed\u00a0\u0080\u00f0\u009f 3";
    assertThat(after(rule, utf8 + invalid))
        .isEqualTo(
            new String(("<" + "é" + ">é😀 é ").getBytes(UTF_8), ISO_8859_1)
                + invalid.replaceAll("[123]", e));
  }

  @Test
  void sample_isThatOfTheDigests_andAboutOneOfN() throws Exception {
    MessageBatch batch =
        DeliveryRequests.batch(
            false, IntStream.range(0, 4_000).mapToObj(i -> "m" + i).toArray(String[]::new));
    String rule = "{match: {message: m}, sample: 10}";
    MessageFilter.Filtered filtered = apply(rule, batch);
    assertThat(filtered.chosen().cardinality()).isBetween(300, 500);
    assertThat(filtered.chosen().cardinality() + filtered.dropped().cardinality()).isEqualTo(4_000);
    assertThat(apply(rule, batch).chosen()).isEqualTo(filtered.chosen());

    MessageFilter.Filtered observed =
        apply("{match: {message: m}, sample: 10, drop: observe}", batch);
    assertThat(observed.dropped().isEmpty()).isTrue();
    assertThat(IntStream.of(observed.rules()).sum()).isEqualTo(filtered.dropped().cardinality());
  }

  @Test
  void messages_keepTheirIndexes_andDroppedOnesAreNotRetained() throws Exception {
    MessageBatch batch =
        DeliveryRequests.batch(false, "drop it", "a 1", "b", "drop it, too", "c 2");
    MessageFilter.Filtered filtered =
        apply(
            "{match: {message: drop}, drop: true},"
                + " {match: {message: '[0-9]'}, mask: [{pattern: '[0-9]', replacement: X}]}",
            batch);
    assertThat(filtered.chosen()).hasToString("{1, 2, 4}");
    assertThat(filtered.dropped()).hasToString("{0, 3}");
    assertThat(filtered.rules()).containsExactly(1, 0, 0, 1, 0);
    assertThat(DeliveryRequests.texts(filtered.batch())).containsExactly("", "a X", "b", "", "c X");
  }

  /** A request may have some messages of a batch only; the others are not looked at. */
  @Test
  void messagesThatAreNotRequested_areNeitherDroppedNorMasked() throws Exception {
    MessageBatch batch = DeliveryRequests.batch(false, "a", "a");
    BitSet one = new BitSet();
    one.set(1);
    MessageFilter filter =
        Objects.requireNonNull(routing("{match: {message: a}, drop: true}").filter());
    MessageFilter.Filtered filtered =
        Objects.requireNonNull(filter.apply(batch, one, MessageFilterTest::digest, 0));
    assertThat(filtered.dropped()).isEqualTo(one);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          JSON | {"user":"a","pin":"1234"} | {"user":"a","pin":"X"} | JSON
          JSON | {"pin":1234}              | {"pin":X}              | TEXT
          JSON | 1234                      | X                      | TEXT
          TEXT | pin 1234                  | pin X                  | TEXT
          LINE | pin 1234                  | pin X                  | LINE
          """)
  void maskedEvent_staysJson_orBecomesAText(
      EventHead.Content content, String text, String masked, EventHead.Content after)
      throws Exception {
    EventHead head = new EventHead("1.5", "web-1", null, "app", null, "\"a\":\"b\"", content);
    MessageBatch batch = DeliveryRequests.event(head, "10.1.2.3 " + text);
    MessageBatch delivered =
        apply(
                "{match: {event: {sourcetype: [app]}}, mask: [{pattern: '[0-9]{4}', replacement: X}]}",
                batch)
            .batch();
    assertThat(DeliveryRequests.texts(delivered)).containsExactly("10.1.2.3 " + masked);
    assertThat(delivered.eventHead(0)).isEqualTo(head.with(after));
    assertThat(delivered.textStart(0)).isEqualTo(delivered.end(0) - masked.length());
  }

  @Test
  void rulesThatAppearInAFile_apply_andDisappear(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("rules.yaml");
    Files.writeString(file, "rules: []");
    AtomicLong nanos = new AtomicLong();
    Routing routing =
        new Routing(RoutingConfigTest.parse("include: ['" + file + "']")).open(nanos::get);
    assertThat(routing.filter()).isNull();

    Files.writeString(file, "rules: [{match: {message: a}, drop: true}]");
    letLook(routing, nanos);
    MessageFilter filter = Objects.requireNonNull(routing.filter());
    assertThat(filter.droppingRules()).isEqualTo(List.of(1));
    assertThat(Objects.requireNonNull(routing.filter()).droppingRules())
        .isSameAs(filter.droppingRules());

    Files.writeString(file, "rules: [{match: {message: a}, set: {index: b}}]");
    letLook(routing, nanos);
    assertThat(routing.filter()).isNull();
  }

  /** A changed file is read when two looks find the same version. */
  private static void letLook(Routing routing, AtomicLong nanos) {
    for (int i = 0; i < 2; i++) {
      nanos.addAndGet(TimeUnit.SECONDS.toNanos(RereadFile.LOOK_SECONDS));
      routing.filter();
    }
  }

  @Test
  void rulesWithoutAction_costNothing() throws Exception {
    Routing routing = routing("{match: {severity: err}, set: {index: a}}");
    Allocations.assertNone(() -> IntStream.range(0, 1000).forEach(i -> routing.filter()));
  }

  /** The metadata of a message does not depend on rules that only drop or mask. */
  @Test
  void ruleWithoutSet_leavesTheMetadataToOthers() throws Exception {
    Routing routing =
        routing(
            "{match: {message: a}, mask: [{pattern: a, replacement: b}]},"
                + " {match: {program: [x]}, drop: observe}, {match: {message: a}, set: {index: i}}");
    EventMetadata metadata = new EventMetadata(routing);
    byte[] message = "<13>Oct 11 22:14:15 h x: a".getBytes(UTF_8);
    metadata.read(message, 0, 0, message.length, 0);
    assertThat(metadata.route().index()).isEqualTo("i");
    assertThat(metadata.route().rule()).isEqualTo(3);
    assertThat(
            metadata.matching(message, 0, 0, message.length).stream()
                .map(route -> String.valueOf(route.rule()))
                .collect(Collectors.joining(" ")))
        .isEqualTo("3");
  }
}
