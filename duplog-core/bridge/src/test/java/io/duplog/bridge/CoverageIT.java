package io.duplog.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duplog.observe.Json;
import io.duplog.status.CoverageText;
import io.duplog.status.StatusEvents;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Tests that two bridges report exactly the messages that one stream misses, using real RabbitMQs
 * and a real Redis.
 */
class CoverageIT extends BridgeBetweenServers {
  private static final Duration POLL = Duration.ofSeconds(1);
  private static final int BATCHES = 10;
  private static final int SENDERS = 4;

  private static CoverageText look(Bridge bridge) throws Exception {
    return CoverageText.at(bridge.status().document().render(), "1h");
  }

  private static List<String> messages(int batch, int sender) {
    return IntStream.range(0, 100)
        .mapToObj(i -> "<13>app: message %d of batch %d by %d".formatted(i, batch, sender))
        .toList();
  }

  /**
   * Returns how many messages a line of the table reports as missed, or -1 if there is no such
   * line.
   */
  private static long missed(String table, String name, long messages) {
    Matcher line =
        Pattern.compile("(?m)^ *" + Pattern.quote(name) + " +([0-9,]+) +([0-9,]+) +[0-9.]+$")
            .matcher(table);
    return line.find() && Long.parseLong(line.group(1).replace(",", "")) >= messages
        ? Long.parseLong(line.group(2).replace(",", ""))
        : -1;
  }

  /**
   * From the middle of the test on, one in a hundred messages of a sender is withheld from b. All
   * copies of b come after those of a.
   */
  @Test
  void whatIsWithheldFromB_isFound_andNothingElse() throws Exception {
    Bridge one = startWith("one", "lease: 10s", "lease: 10s, window: 20s");
    Bridge two = startWith("two", "lease: 10s", "lease: 10s, window: 20s");
    // Messages in the first window of an epoch are not compared.
    AtomicInteger early = new AtomicInteger();
    await()
        .pollInterval(POLL)
        .until(
            () -> {
              publish("early " + early.incrementAndGet());
              return missed(look(one).text(), "a", 1) >= 0;
            });
    for (int batch = 0; batch < BATCHES; batch++) {
      for (int sender = 1; sender <= SENDERS; sender++) {
        streamA.publishFrom("10.1.2." + sender, messages(batch, sender).toArray(String[]::new));
      }
    }
    int all = early.get() + BATCHES * SENDERS * 100;
    await().until(() -> sink.counts().size() == all);
    assertThat(look(one).text()).doesNotContainPattern("\n[ab] +[0-9,]+ +[1-9]");
    for (int batch = 0; batch < BATCHES; batch++) {
      for (int sender = 1; sender <= SENDERS; sender++) {
        List<String> late = new ArrayList<>(messages(batch, sender));
        if (sender == 3 && batch >= BATCHES / 2) {
          late.remove(batch);
        }
        streamB.publishFrom("10.1.2." + sender, late.toArray(String[]::new));
      }
    }

    await()
        .until(
            () ->
                missed(look(one).text(), "10.1.2.3", 1_000) >= 0
                    && missed(look(one).text(), "a", 4_000) >= 0);

    String table = look(one).text();
    assertThat(missed(table, "10.1.2.3", 1_000)).as(table).isBetween(4L, 6L);
    assertThat(missed(table, "a", 4_000)).as(table).isZero();
    assertThat(missed(table, "b", 4_000)).as(table).isBetween(4L, 6L);
    assertThat(Json.render(StatusEvents.of(one.status().document().render(), Instant.now())))
        .containsPattern(
            "\"kind\":\"sender\",\"bridge\":\"one\",\"stream_name\":\"b\","
                + "\"sender\":\"10.1.2.3\",\"messages\":\\d+,\"missed\":\\d+,\"missed_percent\":");
    await().until(() -> look(two).text().equals(look(one).text()));
    assertThat(one.status().metrics().scrape())
        .contains("duplog_coverage_missed_total{stream=\"b\"}");
  }
}
