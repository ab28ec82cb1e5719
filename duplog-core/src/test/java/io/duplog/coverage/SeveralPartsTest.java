package io.duplog.coverage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duplog.coverage.DisturbedTallies.Call;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.observe.LogLines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A ledger of several parts, of which one is away, or begins anew. */
class SeveralPartsTest {
  private static final int PARTS = 3;

  private final List<DisturbedTallies> ways = new ArrayList<>();
  private Site site;

  @BeforeEach
  void begin() throws Exception {
    site = new Site(2, 1, PARTS, DisturbedTallies.into(ways));
    site.runAll();
  }

  /** A message of each part, of a sender of its own, which stream b does not bring. */
  private void lose(String name) throws Exception {
    for (int part = 0; part < PARTS; part++) {
      site.judge(0, site.batch(part, 0, List.of("10.0.0." + part + " " + name)));
    }
  }

  private void bring(int part, int stream, String... messages) throws Exception {
    site.judge(0, site.batch(part, stream, List.of(messages)));
  }

  private CoverageReport.Stream b() {
    return site.report(0).streams().get(1);
  }

  private List<Integer> partial() {
    return site.report(0).partial().stream().map(CoverageReport.Partial::part).toList();
  }

  @Test
  void sender_ofAFewMessages_isCountedWhicheverPartHasThem() throws Exception {
    bring(1, 0, "10.0.0.7 x", "10.0.0.8 y");
    bring(1, 1, "10.0.0.7 x", "10.0.0.8 y");
    bring(2, 0, "10.0.0.8 z");
    site.settle();

    assertThat(site.report(0).complete()).isTrue();
    assertThat(site.report(0).parts()).isEqualTo(PARTS);
    assertThat(b().messages()).isEqualTo(3);
    assertThat(b().missed()).isEqualTo(1);
    assertThat(b().senders())
        .containsExactly(
            new CoverageReport.Sender("10.0.0.8", 2, 1),
            new CoverageReport.Sender("10.0.0.7", 1, 0));
  }

  @Test
  void part_thatIsAway_isMissing_andNoOtherWaitsForIt() throws Exception {
    lose("x");
    site.settle();
    ways.get(1).disturb(DisturbedTallies.AWAY);
    lose("y");
    site.settle();

    assertThat(partial()).containsExactly(1);
    CoverageReport.Partial partial = site.report(0).partial().get(0);
    assertThat(partial.from()).isEqualTo(site.report(0).from());
    assertThat(partial.settledUntil()).isBefore(site.report(0).settledUntil());
    assertThat(site.report(0).complete()).isFalse();
    assertThat(b().missed()).isEqualTo(3 + 2);
    assertThat(site.report(0).isAbsent(b())).isFalse();
    assertThat(site.coverages.get(0).report(Duration.ofMinutes(1)).partial())
        .containsExactly(new CoverageReport.Partial(1, null, null));

    ways.get(1).disturb(DisturbedTallies.NONE);
    site.settle();

    assertThat(site.report(0).complete()).isTrue();
    assertThat(b().missed()).isEqualTo(3 + 3);
    assertThat(site.report(0).isAbsent(b())).isTrue();
  }

  @Test
  void part_thatIsAwayForAMoment_isWaitedFor() throws Exception {
    site.settle();
    ways.get(1).disturb(DisturbedTallies.AWAY);
    site.run(30, 1);

    assertThat(site.report(0).complete()).isTrue();
  }

  @Test
  void part_thatBeginsAnew_isMissingForAWindow_andTheOthersAreAsTheyWere() throws Exception {
    lose("x");
    site.settle();
    site.stores.get(1).forgetAll();
    site.runAll();

    assertThat(site.report(0).partial()).containsExactly(new CoverageReport.Partial(1, null, null));
    assertThat(b().missed()).isEqualTo(2);
    assertThat(site.coverages.get(0).report(Duration.ofDays(1)).streams().get(1).missed())
        .isEqualTo(2);

    site.settle();
    lose("y");
    site.settle();

    assertThat(b().missed()).isEqualTo(2 + 3);
    assertThat(partial()).containsExactly(1);
    assertThat(site.coverages.get(0).report(Duration.ofMinutes(1)).complete()).isTrue();
  }

  @Test
  void counters_countNothingTwice_whenAPartBeginsAnew() throws Exception {
    Coverage coverage = site.coverages.get(0);
    lose("first");
    site.settle();
    lose("x");
    site.settle();
    assertThat(coverage.messages()).isEqualTo(3);

    site.stores.get(1).forgetAll();
    site.settle();
    assertThat(coverage.messages()).isEqualTo(3);

    lose("y");
    site.settle();
    assertThat(coverage.missed(1)).isEqualTo(3 + 2);
    lose("z");
    site.settle();
    assertThat(coverage.missed(1)).isEqualTo(3 + 2 + 3);
  }

  @Test
  void hours_areTheSame_forABridgeThatWasThere_andForOneThatBegins() throws Exception {
    for (int round = 0; round < 12; round++) {
      lose("m" + round);
      site.settle();
    }
    site.join(site.streams);
    site.run(1);
    site.run(1);

    for (Coverage each : site.coverages) {
      CoverageReport day = each.report(Duration.ofDays(1));
      assertThat(day.streams().get(1).missed()).isEqualTo(12 * PARTS);
      assertThat(day.streams().get(1).senders()).hasSize(PARTS);
    }
  }

  @Test
  void allPartsAway_areAllMissing_andThatIsAnError() throws Exception {
    lose("x");
    site.settle();
    ways.forEach(way -> way.disturb(DisturbedTallies.AWAY));
    site.settle();

    assertThatThrownBy(site.coverages.get(0)::runOnce)
        .isInstanceOf(LedgerUnavailableException.class);
    assertThat(partial()).containsExactly(0, 1, 2);
    assertThat(b().missed()).isEqualTo(3);

    ways.forEach(way -> way.disturb(DisturbedTallies.NONE));
    site.settle();
    assertThat(site.report(0).complete()).isTrue();
  }

  @Test
  void partsThatNeverAnswered_areAllMissing() throws Exception {
    site.join(site.streams, way -> new DisturbedTallies(way, DisturbedTallies.AWAY).disturbed());
    site.run(1);

    assertThat(site.report(1).settledUntil()).isNull();
    assertThat(site.report(1).partial()).hasSize(PARTS);
  }

  @Test
  void ledger_ofOnePart_hasNoneMissing() throws Exception {
    Site one = new Site(2, 1);
    assertThat(one.report(0).partial()).isEmpty();
    one.settle();
    one.store.pass(Duration.ofHours(2));

    assertThat(one.report(0).partial()).isEmpty();
  }

  @Test
  void messages_thatPass_areADoubtOfTheirPart_andHideNoLossOfAnother() throws Exception {
    lose("x");
    lose("y");
    site.coverages.get(0).passed(2, 1);
    site.coverages.get(0).passed(1, 500);
    site.settle();

    for (Duration since : List.of(Duration.ofHours(1), Duration.ofDays(1))) {
      CoverageReport report = site.coverages.get(0).report(since);
      assertThat(report.doubtful()).isEqualTo(501);
      assertThat(report.streams())
          .extracting(CoverageReport.Stream::missedAtLeast)
          .containsExactly(0L, 2L + 0 + 1);
    }
  }

  @Test
  void histories_thatAreSlowToRead_leaveTimeForTheCounts_andAreShownWhenAllAreRead()
      throws Exception {
    site.join(site.streams);
    site.runAll();
    lose("x");
    site.settle();
    for (DisturbedTallies way : ways) {
      way.disturb(
          (call, done) -> {
            for (int second = 0; call == Call.HISTORY && !done && second < 15; second++) {
              site.store.pass(Duration.ofSeconds(1));
              site.run(1);
            }
          });
    }
    site.stores.get(1).forgetAll();

    // The two that have something to read.
    site.run(0);
    assertThat(b().missed()).isEqualTo(3);
    site.run(0);
    assertThat(b().missed()).isEqualTo(2);

    ways.forEach(way -> way.disturb(DisturbedTallies.NONE));
    site.settle();
    assertThat(site.report(1).doubtful()).isZero();
  }

  @Test
  void part_whoseCountsMakeNoSense_isMissing_andNoOtherSuffers() throws Exception {
    List<String> lines =
        LogLines.of(
            PartCoverage.class,
            () -> {
              ways.get(0)
                  .disturb(
                      (call, done) -> {
                        if (call == Call.READ) {
                          throw new NumberFormatException("for example");
                        }
                      });
              lose("x");
              site.settle();
            });

    assertThat(partial()).containsExactly(0);
    assertThat(b().missed()).isEqualTo(2);
    assertThat(lines)
        .filteredOn(line -> line.startsWith("WARN"))
        .singleElement()
        .asString()
        .contains("part 0 of the ledger is not compared", "for example");
  }
}
