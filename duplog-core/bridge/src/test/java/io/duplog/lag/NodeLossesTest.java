package io.duplog.lag;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.wire.Heartbeat;
import io.duplog.wire.Heartbeat.Losses;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/**
 * Tests that a node's losses, as its shims report them, are added up without counting any twice.
 */
class NodeLossesTest {
  private static final Instant BEGIN = Instant.parse("2026-11-25T10:00:00Z");

  private final NodeLosses losses = new NodeLosses();

  private void seen(String process, Duration after, long dropped, long discarded) {
    long millis = BEGIN.plus(after).toEpochMilli();
    Heartbeat.Report report =
        new Heartbeat.Report(0, 0, 1, new Losses(dropped, discarded), Heartbeat.Rsyslog.NOT_KNOWN);
    losses.seen(new Heartbeat("a", process, millis, 10_000, report, false), millis);
  }

  private void seen(int minute, long dropped, long discarded) {
    seen("p", Duration.ofMinutes(minute), dropped, discarded);
  }

  private Losses between(int fromMinute, int untilMinute) {
    return losses.between(
        BEGIN.plus(Duration.ofMinutes(fromMinute)), BEGIN.plus(Duration.ofMinutes(untilMinute)));
  }

  @Test
  void whatWasLostBeforeTheFirstHeartbeat_isNotCounted() {
    assertThat(losses.sum()).isEqualTo(Losses.NONE_KNOWN);
    seen(0, 500, 7);
    assertThat(losses.sum()).isEqualTo(new Losses(0, 0));
    seen(1, 530, 7);
    assertThat(losses.sum()).isEqualTo(new Losses(30, 0));
  }

  @Test
  void nextShim_countsFromItsOwnStart() {
    seen(0, 500, 9);
    seen("q", Duration.ofMinutes(1), 4, 0);
    seen("q", Duration.ofMinutes(2), 6, 1);
    assertThat(losses.sum()).isEqualTo(new Losses(2, 1));
  }

  /** A queue that lags, or another bridge, brings an older heartbeat after a newer one. */
  @Test
  void heartbeatsOutOfOrder_countOnce() {
    for (int i = 0; i < 30; i++) {
      seen(i, 1_000_000 + i, 0);
      seen(i, 1_000_000 + Math.max(0, i - 2), 0);
    }
    assertThat(losses.sum()).isEqualTo(new Losses(29, 0));
  }

  @Test
  void shimsOfOneNodeAtOnce_countOnce() {
    for (int i = 0; i < 10; i++) {
      seen("p", Duration.ofSeconds(i), 100 + i, 0);
      seen("q", Duration.ofSeconds(i), 100 + i, 0);
    }
    assertThat(losses.sum()).isEqualTo(new Losses(9, 0));
  }

  @Test
  void clockThatIsSetBack_leavesNoNegativeNumber() {
    seen(0, 0, 0);
    seen(100, 50, 0);
    seen(10, 60, 0);
    assertThat(between(0, 20)).isEqualTo(new Losses(60, 0));
    assertThat(between(0, 200)).isEqualTo(new Losses(60, 0));
    assertThat(between(150, 5)).isEqualTo(new Losses(0, 0));
  }

  @Test
  void heartbeatThatDoesNotTell_changesNothing() {
    seen(0, 500, Losses.UNKNOWN);
    seen(1, Losses.UNKNOWN, Losses.UNKNOWN);
    seen(2, 510, Losses.UNKNOWN);
    assertThat(losses.sum()).isEqualTo(new Losses(10, Losses.UNKNOWN));
  }

  @Test
  void losses_areToldOfAStretchOfTime() {
    seen(0, 0, 0);
    seen(10, 5, 0);
    seen(11, 5, 0);
    seen(20, 5, 3);
    assertThat(between(0, 9)).isEqualTo(new Losses(0, 0));
    assertThat(between(9, 10)).isEqualTo(new Losses(5, 0));
    assertThat(between(11, 30)).isEqualTo(new Losses(0, 3));
    assertThat(between(-60, 60)).isEqualTo(new Losses(5, 3));
    assertThat(between(-60, -30)).isEqualTo(Losses.NONE_KNOWN);
  }

  /** A bridge's first report begins where the bridge did, within a minute. */
  @Test
  void lossesInTheMinuteInWhichAStretchBegins_areInIt() {
    seen("p", Duration.ofSeconds(5), 0, 0);
    seen("p", Duration.ofSeconds(45), 500, 0);
    assertThat(losses.between(BEGIN.plusSeconds(5), BEGIN.plusSeconds(300)))
        .isEqualTo(new Losses(500, 0));
  }

  @Test
  void whatIsTooOldForAnyReport_isForgotten_butForTheSum() {
    for (int day = 0; day < 20; day++) {
      seen(day * 24 * 60, day, 0);
    }
    assertThat(losses.sum()).isEqualTo(new Losses(19, 0));
    assertThat(between(10 * 24 * 60 + 1, 11 * 24 * 60)).isEqualTo(new Losses(1, 0));
  }
}
