package io.duplog.senders;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.primitives.ImmutableLongArray;
import io.duplog.cli.Commands;
import io.duplog.observe.JsonObject;
import io.duplog.observe.JsonValue;
import io.duplog.observe.Level;
import io.duplog.observe.LogLines;
import io.duplog.senders.SenderReport.Assessment;
import io.duplog.senders.SenderReport.Gone;
import io.duplog.senders.SenderReport.Path;
import io.duplog.senders.SenderReport.State;
import io.duplog.status.SendersText;
import io.duplog.status.StatusEvents;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests that each concern about a sender has the same words in every view: log, page, command and
 * metrics. A new concern only needs a sender in {@link #sender}. AlertsTest compares the metrics.
 */
class ConcernTest {
  private static final long NOW = Instant.parse("2026-11-26T12:00:00Z").toEpochMilli();
  private static final long LONG_AGO = NOW - Duration.ofDays(20).toMillis();

  private final ConcernWatch watch = new ConcernWatch();

  private static MessageNumbers gaps() {
    ImmutableLongArray numbers =
        ImmutableLongArray.copyOf(LongStream.rangeClosed(1, 200).filter(each -> each % 50 != 0));
    return MessageNumbers.NONE
        .plus(ImmutableLongArray.of(1), 0, LONG_AGO, LONG_AGO)
        .plus(numbers, 0, LONG_AGO, LONG_AGO);
  }

  private static SenderReport report(
      String name,
      long firstMillis,
      Totals totals,
      MessageNumbers numbers,
      Headers headers,
      @Nullable Gone gone,
      Volume.@Nullable Change change,
      State stateOnB,
      Assessment look) {
    Map<String, SenderRecord.Path> paths = new TreeMap<>();
    paths.put("a", new SenderRecord.Path(NOW, 10, 0));
    SenderRecord record =
        new SenderRecord(
            firstMillis, totals, Rhythm.NONE, Volume.NONE, numbers, headers, new TreeMap<>(paths));
    Instant last = Instant.ofEpochMilli(firstMillis);
    return new SenderReport(
        name,
        record,
        gone,
        change,
        List.of(
            new Path("a", State.HEARD, Instant.ofEpochMilli(NOW), 10, 0),
            new Path("b", stateOnB, last, 1, stateOnB == State.HEARD ? 0 : 1_234)),
        look);
  }

  private static SenderReport with(String name, Totals totals, Headers headers, Assessment look) {
    return report(
        name, LONG_AGO, totals, MessageNumbers.NONE, headers, null, null, State.HEARD, look);
  }

  private static SenderReport with(
      String name, @Nullable Gone gone, Volume.@Nullable Change change) {
    return report(
        name,
        LONG_AGO,
        Totals.NONE,
        MessageNumbers.NONE,
        Headers.NONE,
        gone,
        change,
        State.HEARD,
        look(false, 0));
  }

  private static SenderReport with(
      long firstMillis, MessageNumbers numbers, State stateOnB, Assessment look) {
    return report(
        "10.1.2.7", firstMillis, Totals.NONE, numbers, Headers.NONE, null, null, stateOnB, look);
  }

  private static Assessment look(boolean isUnheard, long newlyMissing) {
    return new Assessment(NOW, false, isUnheard, newlyMissing);
  }

  private static Headers headers(long malformed, long late, long ahead) {
    return new Headers(12, malformed, late, ahead, ahead, List.of());
  }

  /** Returns a sender that has only this concern. */
  private static SenderReport sender(Concern concern) {
    Assessment look = look(false, 0);
    String name = "10.1.2.7";
    return switch (concern) {
      case SILENT -> with(LONG_AGO, MessageNumbers.NONE, State.SILENT, look);
      case GONE ->
          with(
              name,
              new Gone(Instant.ofEpochMilli(LONG_AGO), 5, "it has to speak every 10 m"),
              null);
      case LOUD -> with(name, null, new Volume.Change(2_000, 40));
      case SLOW -> with(name, null, new Volume.Change(480, 960));
      case LOSING -> with(LONG_AGO, MessageNumbers.NONE, State.HEARD, look(false, 3));
      case UNHEARD -> with(LONG_AGO, MessageNumbers.NONE, State.HEARD, look(true, 0));
      case GAPS -> with(LONG_AGO, gaps(), State.HEARD, look);
      case CLOCK -> with(name, Totals.NONE, headers(0, 0, -3_600_000), look);
      case MALFORMED -> with(name, Totals.NONE, headers(2, 0, 0), look);
      case LATE -> with(name, Totals.NONE, headers(0, 2, 0), look);
      case CUT -> with(name, new Totals(9, 9_000, 0, 1_024, 3), Headers.NONE, look);
      case REFUSED -> with(name, new Totals(9, 900, 2, 100, 1), Headers.NONE, look);
      case ONE_PATH -> with(LONG_AGO, MessageNumbers.NONE, State.UNUSED, look);
      case NEW -> with(NOW - 60_000, MessageNumbers.NONE, State.HEARD, look);
    };
  }

  @ParameterizedTest
  @EnumSource
  void concern_hasTheSameSentence_inEveryView(Concern concern) throws Exception {
    SenderReport sender = sender(concern);
    boolean isUrgent = concern.level() != Level.OK;
    assertThat(sender.concerns()).containsExactly(concern);

    List<String> lines = LogLines.of(ConcernWatch.class, () -> watch.update(1, Stream.of(sender)));

    ConcernCounts counts = watch.counts();
    String sentence = counts.of(concern).sentence();
    assertThat(sentence).startsWith("1 sender " + concern.verb(1) + " (10.1.2.7");
    assertThat(lines).isEqualTo(isUrgent ? List.of("WARN " + sentence) : List.of());
    assertThat(counts.condition().level()).isEqualTo(concern.level());
    if (isUrgent) {
      assertThat(counts.condition().sentence()).isEqualTo(sentence);
      assertThat(counts.condition().runbook()).isNotNull().isEqualTo(concern.runbook());
    }
    JsonObject json =
        SendersJson.put(counts, 20, new JsonObject())
            .put("found", 1)
            .put("senders", List.of(SendersJson.of(sender)));
    JsonValue parsed = JsonValue.parse(JsonObject.render(json));
    assertThat(parsed.at(concern.key()).number()).isEqualTo(1);
    JsonValue told = parsed.at("concerns").list().get(0);
    assertThat(told.at("name").text()).isEqualTo(concern.word());
    assertThat(told.at("level").text()).isEqualTo(concern.level().word());
    assertThat(told.at("count").number()).isEqualTo(1);
    assertThat(told.at("sentence").text()).isEqualTo(sentence);
    String ofSender = told.at("some").list().get(0).at("sentence").text();
    assertThat(ofSender).contains("10.1.2.7").endsWith(".");

    SendersText text = new SendersText(JsonObject.render(json));
    assertThat(text.exitStatus()).isEqualTo(isUrgent ? 1 : 0);
    assertThat(text.table())
        .contains(isUrgent ? sentence : "see --only: " + concern.word() + " 1")
        .endsWith("\n  " + ofSender + "\n");
    assertThat(text.csv()).endsWith("," + concern.word() + "\n");

    JsonObject state = new JsonObject().put("bridge", new JsonObject()).put("senders", json);
    JsonValue event =
        JsonValue.parse(
                JsonObject.render(
                    StatusEvents.of(JsonObject.render(state), Instant.ofEpochMilli(NOW))))
            .list()
            .get(1);
    assertThat(event.at("kind").text()).isEqualTo("concern");
    assertThat(event.at("concern").text()).isEqualTo(concern.word());
    assertThat(event.at("sentence").text()).isEqualTo(sentence);
  }

  /** Readers have to read a sentence of more than 25 words twice. */
  @ParameterizedTest
  @EnumSource
  void sentences_areShort_andComplete(Concern concern) {
    assertThat(concern.advice()).endsWith(".");
    Stream.of(concern.sentence(sender(concern)), concern.advice())
        .flatMap(text -> Stream.of(text.split("(?<=[.;]) ", -1)))
        .forEach(each -> assertThat(each.split(" ", -1)).as(each).hasSizeLessThanOrEqualTo(25));
  }

  @ParameterizedTest
  @EnumSource
  void concern_isInTheHelp_andIsAValidQuery(Concern concern) {
    String help = Commands.run(0, null, "senders", "--help").out().replaceAll("\\s+", " ");

    assertThat(help).contains(concern.word() + " (" + concern.verb(1) + ")");
  }

  @Test
  void mutedSender_hasNoConcern() {
    SenderReport sender = sender(Concern.SILENT);
    SenderReport muted =
        new SenderReport(
            sender.sender(),
            sender.record(),
            null,
            null,
            sender.paths(),
            new Assessment(NOW, true, false, 0));

    assertThat(muted.concerns()).isEmpty();
  }

  @Test
  void counts_nameTheLatestSendersFirst() {
    SenderReport old = sender(Concern.SILENT);
    watch.update(4, Stream.of(old));
    List<SenderReport> more =
        IntStream.rangeClosed(1, 3).mapToObj(i -> named("10.9.9." + i, old)).toList();

    watch.update(4, Stream.concat(Stream.of(old), more.stream()));

    String sentence =
        "4 senders are silent on one path (10.9.9.1 on b, 10.9.9.2 on b, 10.9.9.3 on b, …). ";
    assertThat(watch.counts().of(Concern.SILENT).sentence()).startsWith(sentence);
    watch.update(4, Stream.concat(Stream.of(old), more.stream()));
    assertThat(watch.counts().of(Concern.SILENT).sentence()).startsWith(sentence);
  }

  private static SenderReport named(String name, SenderReport like) {
    return new SenderReport(
        name, like.record(), like.gone(), like.change(), like.paths(), like.assessment());
  }

  @Test
  void condition_namesAllUrgentConcerns_andTheRemedyOfTheWorst() {
    assertThat(watch.counts().condition().sentence()).contains("not read yet");
    watch.update(2, Stream.of());
    assertThat(watch.counts().condition().sentence()).isEqualTo("2 senders, none needs attention");
    watch.update(
        2,
        Stream.of(
            sender(Concern.SILENT),
            named("10.1.2.8", sender(Concern.GONE)),
            named("10.1.2.9", sender(Concern.NEW))));

    assertThat(watch.counts().condition().sentence())
        .isEqualTo(
            "1 sender is silent on one path (10.1.2.7 on b); 1 sender is gone (silent on all paths)"
                + " (10.1.2.8). "
                + Concern.SILENT.advice());
    assertThat(watch.counts().condition().runbook()).isEqualTo(Concern.SILENT.runbook());
  }
}
