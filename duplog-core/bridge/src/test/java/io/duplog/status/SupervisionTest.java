package io.duplog.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.observe.Boards;
import io.duplog.observe.Condition;
import io.duplog.observe.Conditions;
import io.duplog.observe.Level;
import io.duplog.process.Supervision;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests what a program reports to systemd: that it is ready, alive, in trouble or stopping. */
class SupervisionTest {
  private static final Map<String, String> SYSTEMD =
      Map.of("NOTIFY_SOCKET", "/run/systemd/notify", "WATCHDOG_USEC", "60000000");

  private final List<String> said = new ArrayList<>();
  private final Conditions board = Boards.at(() -> 0);
  private boolean alive = true;
  private long nanos = Long.MAX_VALUE - 1;

  private Supervision in(Map<String, String> environment) {
    board.add("sink", () -> "file accepts");
    return new Supervision(
        environment, new Health(board)::line, () -> alive, said::addAll, () -> nanos);
  }

  /** Returns what is logged in a minute, in which it is asked every five seconds. */
  private List<String> saidInAMinute(Supervision supervision) {
    said.clear();
    for (int turn = 0; turn < 12; turn++) {
      nanos += TimeUnit.SECONDS.toNanos(5);
      supervision.runOnce();
    }
    return said;
  }

  @Test
  void start_underSystemd_saysReadyAndHowItIs() {
    board.report(new Condition("sink", Level.DOWN, "file accepts nothing", null));

    in(SYSTEMD).start();

    assertThat(said).startsWith("READY=1", "STATUS=Not ready. sink: file accepts nothing.");
  }

  @Test
  void anything_withoutSystemd_isSilent() {
    Supervision supervision = in(Map.of("WATCHDOG_USEC", "60000000"));

    supervision.start();
    supervision.stopping(Duration.ofSeconds(1));

    assertThat(said).isEmpty();
  }

  @Test
  void runOnce_whileAlive_saysSoThriceInWatchdogsTime() {
    Supervision supervision = in(SYSTEMD);
    supervision.runOnce();

    assertThat(saidInAMinute(supervision))
        .containsExactly("WATCHDOG=1", "WATCHDOG=1", "WATCHDOG=1");
  }

  @Test
  void runOnce_whenStuck_saysThatAndNoLongerThatItIsAlive() {
    Supervision supervision = in(SYSTEMD);
    supervision.runOnce();

    alive = false;

    assertThat(saidInAMinute(supervision)).containsExactly("STATUS=stuck: its work does not go on");
  }

  @Test
  void runOnce_withoutWatchdog_saysOnlyWhatChanges() {
    Supervision supervision = in(Map.of("NOTIFY_SOCKET", "@socket"));

    assertThat(saidInAMinute(supervision))
        .containsExactly("STATUS=Delivering. All components work.");
    board.report(new Condition("sink", Level.DEGRADED, "1 of 2 URLs\nis left out", null));
    supervision.runOnce();
    board.report(new Condition("sink", Level.OK, "hec accepts", null));
    supervision.runOnce();

    assertThat(said)
        .containsExactly(
            "STATUS=Delivering. All components work.",
            "STATUS=Delivering, degraded. sink: 1 of 2 URLs is left out.",
            "STATUS=Delivering. All components work.");
  }

  @Test
  void stopping_underSystemd_saysForHowLong() {
    in(SYSTEMD).stopping(Duration.ofSeconds(30));

    assertThat(said)
        .containsExactly("STOPPING=1", "STATUS=settling what is in flight, 30 s at most");
  }
}
