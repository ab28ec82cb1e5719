package io.duplog.lag;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.wire.Heartbeat.Losses;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class NodeLossesTest {
  private static final Instant BEGIN = Instant.parse("2026-11-25T10:00:00Z");

  private final NodeLosses losses = new NodeLosses();

  private void seen(int minute, long dropped, long discarded) {
    Instant at = BEGIN.plus(Duration.ofMinutes(minute));
    losses.seen(new Losses(dropped, discarded), at.toEpochMilli());
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
  void rsyslogsRestart_beginsItsCountersAgain() {
    seen(0, 500, 9);
    seen(1, 4, 0);
    seen(2, 6, 1);
    assertThat(losses.sum()).isEqualTo(new Losses(6, 1));
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
    assertThat(between(10, 30)).isEqualTo(new Losses(0, 3));
    assertThat(between(-60, 60)).isEqualTo(new Losses(5, 3));
    assertThat(between(-60, -30)).isEqualTo(Losses.NONE_KNOWN);
  }

  @Test
  void whatIsTooOldForAnyReport_isForgotten_butForTheSum() {
    for (int day = 0; day < 10; day++) {
      seen(day * 24 * 60, day, 0);
    }
    assertThat(losses.sum()).isEqualTo(new Losses(9, 0));
    assertThat(between(8 * 24 * 60, 9 * 24 * 60)).isEqualTo(new Losses(1, 0));
  }
}
