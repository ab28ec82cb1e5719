package io.duplog.coverage;

import static java.time.ZoneOffset.UTC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.observe.LogLines;
import io.duplog.testkit.Script;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests which missed messages several bridges report when messages are lost, streams change, or a
 * store fails.
 */
class CoverageStepsTest {
  private static final Pattern EXPECTED = Pattern.compile("(?:(\\d)\\.)?([a-z]+)(?:/(\\w+))?=(.+)");
  private static final Pattern DONE =
      Pattern.compile("(?:(\\d)\\.)?([a-z0-9-]+)(?:@(\\d))?(?::(.+))?");

  private long nanos;
  private final LossWatch watch = new LossWatch(1, () -> nanos);
  private Site site;
  private int sent;
  private int hoursRead;

  /**
   * Each word is a step. Seconds ({@code +31}) or hours pass. Messages from the senders x and y
   * arrive on stream a at the first bridge ({@code a:x1,y1}), or at another bridge or part of the
   * ledger ({@code 2.a@1:x1}). A message for each part, or for one part ({@code lose@1}), arrives
   * on stream a only. A message arrives on all streams ({@code all}): at the first bridge on stream
   * a, at the last bridge on the others. Words with {@code =} assert a figure of each bridge, in
   * the last hour or in another range ({@code missed/24h=b:3}). Zeros are left out. A missing part
   * may have a beginning or an end.
   */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          loss is reported within a minute after the window | 2 | 1 | 1 | a:x1,y1 b:y1 +79 missed=none +61 missed=b:1 senders=x:1/1,y:0/1
          stream without messages is absent | 3 | 1 | 1 | a:x1,y1 b:x1,y1 settle absent=c
          messages counted by a bridge that died are doubtful | 2 | 2 | 1 | 59*(10*(all) +1) 10*(all) kill settle missed=b:10 surely=none complete=false
          write with a lost answer is repeated, and counted once | 2 | 2 | 1 | run a:x1,y1 b:x1 unanswered 5*(+1) a:z1 b:z1 +1 back settle missed=b:1 messages=3 doubtful=0 senders=y:1/1,x:0/1,z:0/1
          write of a bridge that dies before the answer is counted once | 2 | 2 | 1 | run 2.a:x1,y1 2.b:x1 2.unanswered 2.turn kill settle missed=b:1 messages=2 senders=y:1/1,x:0/1 surely=none
          restarted bridge adds counts to those that it had written | 2 | 2 | 1 | run 2.a:x1,y1 2.unanswered 2.turn kill join 2.b:x1 2.turn settle missed=b:1 messages=2 senders=y:1/1,x:0/1
          counts written after their period was settled are doubtful | 2 | 2 | 1 | run 2.a:x1,y1 2.b:x1 2.turn 2.away 2.b:y1 settle 1.missed=b:1 1.doubtful=6 back settle missed=b:1 doubtful=7 surely=none
          uncounted messages are doubtful, and counters begin with the bridge | 2 | 1 | 1 | run a:x1,y1 passed:2 settle missed=b:2 doubtful=2 surely=none a:z1 passed:1 settle counters=1,0,1,1
          batch republished with a new id by a new shim is reported as the other stream's loss | 2 | 1 | 1 | a:x1,y1 b:x1,y1 a:x1,y1 settle missed=b:2
          changes of the store's clock cause no loss | 2 | 2 | 1 | 200*(all +1) clock:3600 run 200*(all +1) clock:-3600 run 200*(all +1) settle missed=none messages=120
          first window of an epoch is not compared | 2 | 1 | 1 | a:x1 run forget run b:x1 settle missed=none a:z1 settle missed=b:1
          stream added while bridges run is compared until it is removed | 2 | 2 | 1 | all settle missed=none join:a0,a,b run settled=nothing +90 3.a0:s1,s2 a:s1,s2,s3 2.b:s1 settle 1.missed=b:2 3.missed=a0:1,b:2 senders=s:2/3 remove:a0 run +90 a:s4,s5 2.b:s4 settle missed=b:1
          bridge that writes several periods at once while a stream is added blocks no comparison | 2 | 2 | 1 | run 2.away 2.a:x1 +40 2.a:y1 +40 2.a:z1 join:a0,a,b run back settle settle settle a:s1,s2 2.b:s1 3.a0:s1,s2 settle 1.missed=b:1
          doubt of a bridge that counts for the first time stays | 2 | 2 | 1 | run 2.a:w1 +200 join 3.passed:7 3.a:x1 settle 1.doubtful=7
          bridge that starts later hides nothing from the others | 2 | 1 | 1 | a:x1 settle join +2 1.missed=b:1
          bridge that starts later reports the same | 2 | 1 | 1 | a:x1 settle join +3 missed=b:1 missed/24h=b:1 missed/1m=none
          sender with few messages is counted in any part | 2 | 1 | 3 | run a@1:x1,y1 b@1:x1,y1 a@2:y2 settle complete=true messages=3 missed=b:1 senders=y:1/2,x:0/1
          unavailable part is missing, and other parts do not wait for it | 2 | 1 | 3 | run lose settle away@1 lose settle partial=1:beginning complete=false missed=b:5 absent=none partial/1m=1:nothing back settle complete=true missed=b:6 absent=b
          reports wait for a part that is unavailable for a moment | 2 | 1 | 3 | run settle away@1 +30 complete=true
          part that restarts empty is missing for a window, and the others are unchanged | 2 | 1 | 3 | run lose settle forget@1 run partial=1:nothing missed=b:2 missed/24h=b:2 settle lose settle partial=1:end missed=b:5 complete/1m=true
          counters count nothing twice when a part restarts empty | 2 | 1 | 3 | run lose settle lose settle counters=3,0,3,0 forget@1 settle counters=3,0,3,0 lose settle counters=5,0,5,0 lose settle counters=8,0,8,0
          report on a day is the same from a running and from a new bridge | 2 | 1 | 3 | run 12*(lose settle) join +3 missed/24h=b:36 senders/24h=0:12/12,1:12/12,2:12/12
          report on a day begins with a full hour | 2 | 1 | 1 | lose settle +26h lose settle minute/24h=0 missed/24h=b:1
          unavailable parts are all missing, and a run without any part fails | 2 | 1 | 3 | run lose settle away@0 away@1 away@2 settle fails partial=0:beginning:end,1:beginning:end,2:beginning:end missed=b:3 back settle complete=true
          parts that never answered are all missing | 2 | 1 | 3 | away@0 away@1 away@2 run settled=nothing partial=0:nothing,1:nothing,2:nothing
          ledger of one part has none missing | 2 | 1 | 1 | partial=none settle clock:7200 partial=none
          uncounted messages do not hide a loss in another part | 2 | 1 | 3 | run lose lose passed@2:1 passed@1:500 settle doubtful=501 surely=b:3 doubtful/24h=501 surely/24h=b:3
          part that recovers after hours is reported as by a new bridge | 2 | 1 | 2 | run lose@1 settle lose away@1 +2h missed/24h=b:2 back settle join settle missed/24h=b:3
          part that recovers after hours makes bridges read the others once, and is missing until it has settled | 2 | 1 | 2 | run 12*(lose@1 +5) lose@0 run away@1 +2h back count-readings run 5*(+1 partial=1:nothing) settle readings=1 missed/24h=b:13 complete=true
          part that settles rarely causes no repeated reads | 2 | 1 | 2 | run lose settle count-readings 3*(+2h lose@1 settle) readings=0 missed/24h=b:5
          period settled while a bridge reads is counted once | 2 | 1 | 2 | run lose@0 settle join lose@0 slow:hours:100 run back settle missed/24h=b:2
          slow reads of histories do not delay the counts, and are shown when complete | 2 | 2 | 3 | run lose settle slow:history:15 forget@1 2.turn 2.missed=b:3 2.turn 2.missed=b:2 back settle 1.doubtful=0
          loss above the threshold is an alarm for an hour | 2 | 1 | 1 | 40*(lose) +200 alarm=b 30*(all +100) alarm=b 10*(all +100) alarm=none
          certain loss in one part is an alarm in spite of doubtful messages in another | 2 | 1 | 2 | run 40*(lose@0) passed@1:100000 +200 alarm=b
          """)
  void report_afterSteps_isAsExpected(
      String what, int streams, int bridges, int parts, String script) throws Exception {
    site = new Site(streams, bridges, parts);
    List<String> done = new ArrayList<>();
    for (String step : Script.steps(script)) {
      done.add(step);
      Matcher expected = EXPECTED.matcher(step);
      if (expected.matches()) {
        String chosen = expected.group(1);
        int first = chosen == null ? 0 : Integer.parseInt(chosen) - 1;
        int end = chosen == null ? site.coverages.size() : first + 1; // one that is not there fails
        for (int bridge = first; bridge < end; bridge++) {
          String range = expected.group(3) == null ? "1h" : expected.group(3);
          assertThat(actual(bridge, expected.group(2), Duration.parse("PT" + range)))
              .as("%s: bridge %d after %s", what, bridge + 1, String.join(" ", done))
              .isEqualTo(expected.group(4));
        }
      } else {
        execute(step);
      }
    }
  }

  /** With a window of a day, a period is longer than the hour of a report or of a statement. */
  @ParameterizedTest
  @CsvSource({"PT10M", "PT90M", "PT18H", "PT24H", "P7D"})
  void loss_withAnyWindow_isReported(Duration window) throws Exception {
    site = new Site(2, 1, 1, window);
    int step = (int) window.toSeconds() / 320;
    for (int i = 0; i < 3 * 320; i++) {
      execute("all");
      execute("lose");
      advance(1, step);
    }
    assertThat(actual(0, "alarm", Duration.ofHours(1))).isEqualTo("b");
    execute("join");
    advance(3, 1);

    for (String range : List.of("5M", "1H", "24H")) {
      CoverageReport report = site.coverages.get(0).report(Duration.parse("PT" + range));
      assertThat(report.streams().get(1).missedPercent()).as(range).isBetween(40.0, 60.0);
      assertThat(site.coverages.get(1).report(Duration.parse("PT" + range))).isEqualTo(report);
    }
    Instant hour = site.report(0).settledUntil().truncatedTo(ChronoUnit.HOURS);
    for (int i = 0; i < 20; i++) {
      hour = hour.minus(1, ChronoUnit.HOURS);
      CoverageReport stated = site.coverages.get(0).reportOf(hour);
      assertThat(stated == null || stated.streams().get(1).missed() > 0).as("hour %d", i).isTrue();
    }
  }

  /** With this window, a period is longer than the time for which streams are compared. */
  @Test
  void mismatch_withALongWindow_isReportedContinuously() throws Exception {
    site = new Site(2, 1, 1, Duration.ofHours(6));
    for (int i = 0; i < 3 * 320; i++) {
      for (int each = 0; each < 20; each++) {
        receive(0, 0, 0, "x" + sent++);
        receive(0, 0, 1, "x" + sent++);
      }
      advance(1, 67);
      if (i > 2 * 320 + 80) {
        assertThat(site.coverages.get(0).mismatches()).as("at step %d", i).isNotEmpty();
      }
    }
  }

  @Test
  void hourlyLines_afterALongPause_areLoggedOnce() throws Exception {
    site = new Site(2, 1, 1);
    for (String step : List.of("run", "lose", "settle")) {
      execute(step);
    }
    nanos = Duration.ofHours(5).toNanos();
    List<String> lines = LogLines.of(LossWatch.class, () -> advance(3, 1));

    assertThat(lines)
        .containsExactly(
            "INFO a missed none of 1 messages in the 5 minutes until 00:06 UTC.",
            "INFO b brought none of 1 messages in the 5 minutes until 00:06 UTC, mostly from 0 (1).");
  }

  private void execute(String step) throws Exception {
    if (step.startsWith("+")) {
      boolean hours = step.endsWith("h");
      int number = Integer.parseInt(step.replaceAll("\\D", ""));
      advance(hours ? number * 360 : number, hours ? 10 : 1);
      return;
    }
    Matcher words = DONE.matcher(step);
    assertThat(words.matches()).as(step).isTrue();
    int bridge = words.group(1) == null ? 0 : Integer.parseInt(words.group(1)) - 1;
    int part = words.group(3) == null ? 0 : Integer.parseInt(words.group(3));
    String value = words.group(4);
    DisturbedTallies way = site.connections.get(bridge).get(part);
    switch (words.group(2)) {
      case "run" -> site.run(1, 0);
      case "turn" -> site.run(bridge);
      case "settle" -> site.settle();
      case "lose" -> {
        for (int each = 0; each < site.stores.size(); each++) {
          if (words.group(3) == null || each == part) {
            receive(0, each, 0, each + "-" + sent++);
          }
        }
      }
      case "all" -> {
        for (int stream = 0; stream < site.report(0).streams().size(); stream++) {
          receive(stream == 0 ? 0 : site.coverages.size() - 1, 0, stream, "s" + sent);
        }
        sent++;
      }
      case "passed" -> site.coverages.get(bridge).uncounted(part, Long.parseLong(value));
      case "away" -> way.disturb(DisturbedTallies.AWAY);
      case "unanswered" -> way.disturb(DisturbedTallies.UNANSWERED);
      case "nonsense" ->
          way.disturb((call, over) -> Integer.parseInt(call.equals("read") ? "for example" : "0"));
      case "slow" -> {
        String[] slow = value.split(":", -1);
        site.connections
            .get(1)
            .forEach(each -> each.disturb(slow(slow[0], Integer.parseInt(slow[1]))));
      }
      case "back" ->
          site.connections.forEach(
              ways -> ways.forEach(each -> each.disturb(DisturbedTallies.NONE)));
      case "forget" -> site.stores.get(part).forgetAll();
      case "clock" -> site.store.pass(Duration.ofSeconds(Long.parseLong(value)));
      case "join" -> site.join(value == null ? List.of("a", "b") : List.of(value.split(",", -1)));
      case "kill" -> site.kill(1);
      case "remove" -> site.store.remove(value);
      case "fails" ->
          assertThatThrownBy(site.coverages.get(0)::runOnce)
              .isInstanceOf(LedgerUnavailableException.class);
      case "count-readings" ->
          way.disturb((call, over) -> hoursRead += call.equals("hours") && over ? 1 : 0);
      default -> {
        List<String> names = names(site.report(bridge).streams(), stream -> true);
        receive(bridge, part, names.indexOf(words.group(2)), value.split(",", -1));
      }
    }
  }

  /** Lets seconds pass while the second bridge reads. The first bridge runs meanwhile. */
  private DisturbedTallies.Disturbance slow(String reading, int seconds) {
    return (call, over) -> {
      for (int second = 0; call.equals(reading) && !over && second < seconds; second++) {
        site.store.pass(Duration.ofSeconds(1));
        site.run(0);
      }
    };
  }

  private void advance(int times, int seconds) throws Exception {
    for (int i = 0; i < times; i++) {
      site.run(1, seconds);
      watch.runOnce(site.coverages.get(0));
    }
  }

  /** Receives messages whose first character is their sender. */
  private void receive(int bridge, int part, int stream, String... messages) throws Exception {
    List<String> lines = Stream.of(messages).map(each -> each.charAt(0) + " " + each).toList();
    site.judge(bridge, site.batch(part, stream, lines));
  }

  private boolean needsAttention(String stream) {
    return watch.conditions().stream()
        .anyMatch(each -> each.subject().equals("coverage " + stream) && !each.isOk());
  }

  private String actual(int bridge, String about, Duration range) {
    Coverage coverage = site.coverages.get(bridge);
    CoverageReport report = coverage.report(range);
    List<CoverageReport.Stream> streams = report.streams();
    List<?> said =
        switch (about) {
          case "settled" -> List.of(report.settledUntil() == null ? "nothing" : "something");
          case "minute" -> List.of(report.from().atOffset(UTC).getMinute());
          case "complete" -> List.of(report.complete());
          case "messages" -> List.of(streams.get(0).messages());
          case "doubtful" -> List.of(report.doubtful());
          case "missed" -> numbers(streams, CoverageReport.Stream::missed);
          case "surely" -> numbers(streams, CoverageReport.Stream::missedAtLeast);
          case "absent" -> names(streams, report::isAbsent);
          case "alarm" -> names(streams, stream -> needsAttention(stream.stream()));
          case "senders" ->
              streams.get(streams.size() - 1).senders().stream()
                  .map(each -> each.sender() + ":" + each.missed() + "/" + each.messages())
                  .toList();
          case "partial" -> report.partial().stream().map(part -> text(part, report)).toList();
          case "counters" ->
              List.of(
                  coverage.messages(),
                  coverage.missed(0),
                  coverage.missed(1),
                  coverage.notCompared());
          case "readings" -> List.of(hoursRead);
          default -> throw new IllegalArgumentException(about);
        };
    return said.isEmpty() ? "none" : said.toString().replaceAll("[\\[\\] ]", "");
  }

  private static List<String> numbers(
      List<CoverageReport.Stream> streams, ToLongFunction<CoverageReport.Stream> number) {
    return streams.stream()
        .filter(stream -> number.applyAsLong(stream) > 0)
        .map(stream -> stream.stream() + ":" + number.applyAsLong(stream))
        .toList();
  }

  private static List<String> names(
      List<CoverageReport.Stream> streams, Predicate<CoverageReport.Stream> which) {
    return streams.stream().filter(which).map(CoverageReport.Stream::stream).toList();
  }

  private static String text(CoverageReport.Partial part, CoverageReport report) {
    if (part.from() == null) {
      return part.part() + ":nothing";
    }
    boolean beginning = part.from().equals(report.from());
    boolean end = part.settledUntil().equals(report.settledUntil());
    return part.part() + (beginning ? ":beginning" : "") + (end ? ":end" : "");
  }

  @Test
  void hour_isReported_afterAllOfItIsSettled() throws Exception {
    site = new Site(2, 1, 2);
    execute("run");
    Coverage coverage = site.coverages.get(0);
    Instant begin = Instant.ofEpochMilli(site.store.millis()).truncatedTo(ChronoUnit.HOURS);
    Instant hour = begin.plus(1, ChronoUnit.HOURS);
    while (site.store.millis() < hour.toEpochMilli()) {
      advance(1, 10);
    }
    execute("lose");
    execute("lose@1");
    advance(360, 10);
    assertThat(coverage.reportOf(hour)).as("not settled").isNull();
    execute("lose");
    execute("settle");

    CoverageReport report = coverage.reportOf(hour);
    assertThat(numbers(report.streams(), CoverageReport.Stream::missed)).containsExactly("b:3");
    assertThat(report.streams().get(0).messages()).isEqualTo(3);
    assertThat(report.from()).isEqualTo(hour);
    assertThat(report.complete()).isTrue();
    assertThat(coverage.reportOf(begin.minus(1, ChronoUnit.HOURS))).as("before all").isNull();
  }

  @Test
  void partWithInvalidCounts_isMissing_andOthersAreReported() throws Exception {
    List<String> lines =
        LogLines.of(
            PartCoverage.class,
            () ->
                report_afterSteps_isAsExpected(
                    "nonsense",
                    2,
                    1,
                    3,
                    "run nonsense lose settle partial=0:beginning missed=b:2"));

    assertThat(lines)
        .filteredOn(line -> line.startsWith("WARN"))
        .singleElement()
        .asString()
        .contains("part 0 of the ledger is not compared", "for example");
  }
}
