package io.duplog.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class LossWatchTest {
  private static final CoverageReport.Sender NOBODY = new CoverageReport.Sender("", 0, 0);

  private static CoverageReport report(
      long doubtful, List<CoverageReport.Partial> partial, CoverageReport.Stream... streams) {
    Instant until = Instant.ofEpochSecond(1_000_000);
    return new CoverageReport(
        Duration.ofMinutes(10),
        until.minusSeconds(3600),
        until,
        doubtful,
        6,
        partial,
        List.of(streams));
  }

  private static CoverageReport.Stream stream(
      String name, long messages, long missed, long atLeast, CoverageReport.Sender... senders) {
    return new CoverageReport.Stream(name, messages, missed, atLeast, List.of(senders), NOBODY);
  }

  @Test
  void lines_nameTheStream_theLoss_andTheSenderOfMostOfIt() {
    CoverageReport.Sender most = new CoverageReport.Sender("10.1.2.7", 20_000, 372);
    CoverageReport.Sender less = new CoverageReport.Sender("10.1.2.8", 20_000, 28);

    assertThat(
            LossWatch.lines(
                report(
                    0,
                    List.of(),
                    stream("syslog-a", 120_000, 0, 0),
                    stream("syslog-b", 120_000, 400, 400, most, less),
                    stream("syslog-c", 120_000, 120_000, 120_000))))
        .containsExactly(
            "syslog-a missed none of 120,000 messages in the last hour",
            "syslog-b missed 0.33 % of 120,000 messages in the last hour,"
                + " most of it from 10.1.2.7 (372)",
            "syslog-c brought nothing: it missed 100 % of 120,000 messages in the last hour");
  }

  @Test
  void lines_sayWhatCouldNotBeCompared_andPrintNoControls() {
    assertThat(
            LossWatch.lines(
                report(
                    1500,
                    List.of(),
                    stream("b", 1_000, 10, 4, new CoverageReport.Sender("\u001b[2J", 10, 10)),
                    stream("c", 1_000, 1_000, 0, new CoverageReport.Sender("s", 1_000, 1_000)))))
        .containsExactly(
            "b missed 0.40 to 1.00 % of 1,000 messages in the last hour, most of it from ?[2J (10);"
                + " up to 1,500 could not be compared",
            "c missed at most 100.00 %, perhaps nothing, of 1,000 messages in the last hour;"
                + " up to 1,500 could not be compared");
  }

  @Test
  void lines_sayHowManyPartsAreMissing_andThenOfNoStreamThatItBroughtNothing() {
    List<CoverageReport.Partial> partial = List.of(new CoverageReport.Partial(4, null, null));

    assertThat(
            LossWatch.lines(report(0, partial, stream("a", 300, 0, 0), stream("b", 300, 300, 300))))
        .containsExactly(
            "a missed none of 300 messages in the last hour;"
                + " without 1 of the ledger's 6 parts for all or some of that time",
            "b missed 100.00 % of 300 messages in the last hour;"
                + " without 1 of the ledger's 6 parts for all or some of that time");
  }

  private final LossWatch watch = new LossWatch(1, () -> 0);

  /** Whether there was an alarm about stream b. */
  private boolean isAlarmed(Site site) throws Exception {
    boolean lost = false;
    for (int i = 0; i < 300; i++) {
      site.run(1, 1);
      watch.runOnce(site.coverages.get(0));
      lost |= watch.isLosing("b");
    }
    return lost;
  }

  @Test
  void loss_pastTheThreshold_isAnAlarm_untilItEnds() throws Exception {
    Site site = new Site(2, 1);
    for (int i = 0; i < 40; i++) {
      site.judge(0, 0, List.of("10.0.0.1 m" + i));
    }
    assertThat(isAlarmed(site)).isTrue();
    assertThat(watch.isLosing("a")).isFalse();

    for (int i = 0; i < 600; i++) {
      site.judge(0, 0, List.of("10.0.0.1 n" + i));
      site.judge(0, 1, List.of("10.0.0.1 n" + i));
      site.run(1, 1);
      watch.runOnce(site.coverages.get(0));
    }
    assertThat(watch.isLosing("b")).isFalse();
  }

  @Test
  void loss_thatIsSureInOnePart_isAnAlarm_whateverAnotherPartCouldNotCompare() throws Exception {
    Site site = new Site(2, 1, 2, tallies -> tallies);
    site.runAll();
    for (int i = 0; i < 40; i++) {
      site.judge(0, site.batch(0, 0, List.of("10.0.0.1 m" + i)));
    }
    site.coverages.get(0).passed(1, 100_000);

    assertThat(isAlarmed(site)).isTrue();
  }
}
