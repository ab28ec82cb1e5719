package io.duplog.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duplog.observe.JsonObject;
import io.duplog.status.CoverageLook;
import io.duplog.status.StatusEvents;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Two bridges between real brokers and a real Redis tell what a stream misses, and do not take it
 * for lossy because it is late.
 */
class CoverageIT extends BridgeBetweenServers {
  private static final Duration WHILE = Duration.ofMinutes(4);
  private static final Duration WINDOW = Duration.ofSeconds(20);
  private static final int LATE_SECONDS = 8;
  private static final int SENDING_SECONDS = 10;
  private static final int SENDERS = 4;

  private static CoverageLook look(Bridge bridge) throws Exception {
    return CoverageLook.at(bridge.status().document().render(), "1h");
  }

  /** What is due by a clock that runs on while the machine is busy. */
  private interface Due {
    void send(int second) throws Exception;
  }

  private static void everySecond(int seconds, Due due) throws Exception {
    long began = System.nanoTime();
    for (int second = 0; second < seconds; second++) {
      long at = began + TimeUnit.SECONDS.toNanos(second);
      while (at - System.nanoTime() > 0) {
        LockSupport.parkNanos(at - System.nanoTime());
      }
      due.send(second);
    }
  }

  private static String[] messages(int second, int sender) {
    return IntStream.range(0, 100)
        .mapToObj(i -> "<13>app: message %d of second %d by %d".formatted(i, second, sender))
        .toArray(String[]::new);
  }

  /** What a line of the table says that was missed; -1 where there is no such line. */
  private static long missed(String table, String name, long messages) {
    Matcher line =
        Pattern.compile("(?m)^ *" + Pattern.quote(name) + " +([0-9,]+) +([0-9,]+) +[0-9.]+$")
            .matcher(table);
    return line.find() && Long.parseLong(line.group(1).replace(",", "")) >= messages
        ? Long.parseLong(line.group(2).replace(",", ""))
        : -1;
  }

  /** One in a hundred of what a sender sends at last; b is late with all others. */
  @Test
  void whatIsWithheldFromB_isFoundWithinAMinuteAfterTheWindow_andNothingElse() throws Exception {
    Bridge one = startWith("one", "lease: 2s", "lease: 10s, window: 20s");
    Bridge two = startWith("two", "lease: 2s", "lease: 10s, window: 20s");
    // What comes in periods that begin in the first window of an epoch is not compared. A period is
    // as long as this window, and begins with a multiple of it by the clock. The epoch begins
    // within
    // two seconds. All that follows is sent in one period, which is settled when its time is over.
    int window = (int) WINDOW.toSeconds();
    int ofPeriod = (int) ((Instant.now().getEpochSecond() + 2) % window);
    everySecond(2 + 2 * window - ofPeriod + 1, second -> publish("early " + second));
    int[] withheld = {0};
    everySecond(
        SENDING_SECONDS + LATE_SECONDS,
        now -> {
          for (int sender = 1; sender <= SENDERS; sender++) {
            if (now < SENDING_SECONDS) {
              streamA.publishFrom("10.1.2." + sender, messages(now, sender));
            }
            int second = now - LATE_SECONDS;
            if (second >= 0) {
              List<String> late = new ArrayList<>(List.of(messages(second, sender)));
              if (sender == 3 && second >= SENDING_SECONDS / 2) {
                late.remove(second % late.size());
                withheld[0]++;
              }
              streamB.publishFrom("10.1.2." + sender, late.toArray(String[]::new));
            }
          }
          assertThat(look(one).text()).doesNotContainPattern("\n[ab] +[0-9,]+ +[1-9]");
        });
    long end = System.nanoTime();
    assertThat(withheld[0]).isEqualTo(5);

    await().atMost(WHILE).until(() -> missed(look(one).text(), "10.1.2.3", 1_000) >= 0);
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - end);

    String table = look(one).text();
    assertThat(missed(table, "10.1.2.3", 1_000)).as(table).isBetween(4L, 6L);
    assertThat(missed(table, "a", 4_000)).as(table).isZero();
    assertThat(missed(table, "b", 4_000)).as(table).isBetween(4L, 6L);
    assertThat(JsonObject.render(StatusEvents.of(one.status().document().render(), Instant.now())))
        .containsPattern(
            "\"kind\":\"sender\",\"bridge\":\"one\",\"stream_name\":\"b\","
                + "\"sender\":\"10.1.2.3\",\"messages\":\\d+,\"missed\":\\d+,\"missed_percent\":");
    assertThat(seconds).isLessThan(WINDOW.toSeconds() + 60);
    await().atMost(WHILE).until(() -> look(two).text().equals(look(one).text()));
    assertThat(one.status().metrics().scrape())
        .contains("duplog_coverage_missed_total{stream=\"b\"}");
  }
}
