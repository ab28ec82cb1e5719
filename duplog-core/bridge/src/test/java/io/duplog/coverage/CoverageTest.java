package io.duplog.coverage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that the reported numbers of missed messages equal those that the test withheld, in random
 * histories.
 */
class CoverageTest {
  /** Number of copies that arrive on each stream, by message. */
  private final Map<String, int[]> copiesByMessage = new HashMap<>();

  /** Messages by the second in which they arrive, for each stream. */
  private final TreeMap<Integer, List<ArrayList<String>>> arrivals = new TreeMap<>();

  private void arrive(int streams, int stream, int second, String message) {
    arrivals
        .computeIfAbsent(
            second, added -> Stream.generate(() -> new ArrayList<String>()).limit(streams).toList())
        .get(stream)
        .add(message);
    copiesByMessage.computeIfAbsent(message, added -> new int[streams])[stream]++;
  }

  private long messages(String sender) {
    return sum(sender, copies -> Arrays.stream(copies).max().orElse(0));
  }

  private long missed(String sender, int stream) {
    return messages(sender) - sum(sender, copies -> copies[stream]);
  }

  private long sum(String sender, ToLongFunction<int[]> of) {
    return copiesByMessage.entrySet().stream()
        .filter(each -> sender.isEmpty() || each.getKey().startsWith(sender + " "))
        .mapToLong(each -> of.applyAsLong(each.getValue()))
        .sum();
  }

  /**
   * Has the bridges judge the arriving messages, in batches that go to any bridge, sometimes twice.
   */
  private void replay(Site site, Random random) throws Exception {
    int bridges = site.coverages.size();
    int last = arrivals.lastKey();
    List<Site.Batch> earlier = new ArrayList<>();
    for (int second = 0; second <= last; second++) {
      List<ArrayList<String>> now = arrivals.getOrDefault(second, List.of());
      for (int stream = 0; stream < now.size(); stream++) {
        List<String> all = now.get(stream);
        Collections.shuffle(all, random);
        for (int part = 0; part < site.stores.size(); part++) {
          int ofPart = part;
          List<String> messages =
              all.stream()
                  .filter(each -> Math.floorMod(each.hashCode(), site.stores.size()) == ofPart)
                  .toList();
          for (int from = 0; from < messages.size(); ) {
            int to = Math.min(messages.size(), from + 1 + random.nextInt(6));
            Site.Batch batch = site.batch(part, stream, messages.subList(from, to));
            site.judge(random.nextInt(bridges), batch);
            earlier.add(batch);
            from = to;
          }
        }
      }
      if (!earlier.isEmpty() && random.nextInt(3) == 0) {
        // The broker redelivers the batch within a window.
        int recent = earlier.size() - 1 - random.nextInt(Math.min(10, earlier.size()));
        site.judge(random.nextInt(bridges), earlier.get(recent));
      }
      site.store.pass(Duration.ofSeconds(1));
      for (int bridge = 0; bridge < bridges; bridge++) {
        if (random.nextInt(4) == 0 || second % 20 == 0) {
          site.run(bridge);
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1, 2, 1", "2, 2, 1", "3, 2, 2", "4, 2, 5", "5, 3, 1", "6, 3, 1", "7, 3, 3", "8, 3, 4"
  })
  void randomHistory_isReportedExactly_byEveryBridge(long seed, int streams, int parts)
      throws Exception {
    Random random = new Random(seed);
    Site site = new Site(streams, 3, parts);
    DisturbedTallies.Disturbance flaky = DisturbedTallies.flaky(random);
    site.connections.forEach(bridge -> bridge.forEach(way -> way.disturb(flaky)));
    for (int second = 0; second < 250; second++) {
      for (int i = random.nextInt(6); i > 0; i--) {
        String sender = "10.0.0." + random.nextInt(8);
        String message = sender + " m" + second + "-" + i;
        int repeats = random.nextInt(5) == 0 ? 3 : 1;
        for (int stream = 0; stream < streams; stream++) {
          for (int copy = 0; copy < repeats; copy++) {
            // Each stream has one sender that loses most messages. The lag stays within the window.
            int loss = sender.endsWith("." + stream) ? 30 : 2;
            if (random.nextInt(100) >= loss) {
              arrive(streams, stream, second + random.nextInt(random.nextInt(70) + 1), message);
            }
          }
        }
      }
    }
    replay(site, random);
    site.settle();

    for (int bridge = 0; bridge < 3; bridge++) {
      CoverageReport report = site.report(bridge);
      assertThat(report.complete()).isTrue();
      for (int stream = 0; stream < streams; stream++) {
        CoverageReport.Stream found = report.streams().get(stream);
        assertThat(found.messages()).isEqualTo(messages(""));
        assertThat(found.missed()).isEqualTo(missed("", stream)).isPositive();
        assertThat(found.senders()).hasSize(8);
        for (CoverageReport.Sender sender : found.senders()) {
          assertThat(sender.messages()).isEqualTo(messages(sender.sender()));
          assertThat(sender.missed()).isEqualTo(missed(sender.sender(), stream));
        }
        assertThat(found.senders().get(0).sender()).isEqualTo("10.0.0." + stream);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 2, 20", "2, 2, 60", "3, 3, 20", "4, 3, 97", "5, 2, 97", "6, 2, 3"})
  void forgottenDigests_causeNeitherMissesNorMismatches(long seed, int streams, int every)
      throws Exception {
    Random random = new Random(seed);
    Site site = new Site(streams, 2, 1);
    for (int second = 0; second < 600; second++) {
      for (int stream = 0; stream < streams; stream++) {
        int sent = second - 30 * stream;
        if (sent < 0 || sent > 500) {
          continue;
        }
        List<String> messages = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
          messages.add("10.1.1." + i + " m" + sent);
        }
        site.judge(random.nextInt(2), site.batch(0, stream, messages));
      }
      if (second > 150 && second < 250 && second % every == 0) {
        site.store.forgetDigests();
      }
      site.run(1, 1);
      // All messages arrive on all streams, at different times.
      CoverageReport report = site.report(0);
      assertThat(report.streams()).allMatch(stream -> stream.missedAtLeast() == 0);
      assertThat(site.coverages.get(0).mismatches()).isEmpty();
    }
    site.settle();

    CoverageReport all = site.report(1);
    assertThat(all.streams()).allMatch(stream -> stream.missedAtLeast() == 0);
    assertThat(all.doubtful())
        .as("the rest is compared")
        .isBetween(1L, all.streams().get(0).messages() - 1_000);
  }

  @Test
  void lateStream_neverMissesMessages() throws Exception {
    Site site = new Site(2, 2, 1);
    for (int second = 0; second < 520; second++) {
      for (int stream = 0; stream < 2; stream++) {
        int sent = second - 70 * stream;
        if (sent >= 0 && sent < 300) {
          List<String> message = List.of("10.1.1." + sent % 3 + " m" + sent);
          site.judge(second % 2, site.batch(0, stream, message));
        }
      }
      site.run(1, 1);
      assertThat(site.report(0).streams()).allMatch(stream -> stream.missed() == 0);
    }
    assertThat(site.report(0).streams().get(1).messages()).isEqualTo(300);
  }

  @ParameterizedTest
  @CsvSource({"2, 2.852", "3, NaN"})
  void messagesLostOnAllStreams_areEstimated_forTwoStreams(int streams, double estimate)
      throws Exception {
    Site site = new Site(streams, 1, 1);
    for (int i = 0; i < 200; i++) {
      for (int stream = 0; stream < streams; stream++) {
        if (i % (10 - 3 * stream) != 0) {
          arrive(streams, stream, 200, "10.0.0.1 m" + i);
        }
      }
    }
    replay(site, new Random(1));
    site.settle();

    LostByAll lost = site.report(0).lostByAll();
    assertThat(lost == null ? Double.NaN : lost.messages()).isCloseTo(estimate, within(0.001));
  }

  @Test
  void manySenders_keepExactStreamTotals_andTopSenders() throws Exception {
    Random random = new Random(11);
    Site site = new Site(2, 2, 1);
    for (int second = 0; second < 200; second++) {
      for (int i = 0; i < 20; i++) {
        String message = "203.0." + random.nextInt(256) + "." + random.nextInt(256) + " spam " + i;
        arrive(2, 0, second, message + " " + second);
        if (random.nextInt(50) != 0) {
          arrive(2, 1, second + random.nextInt(5), message + " " + second);
        }
      }
      for (int i = 0; i < 10; i++) {
        String message = "10.1.2.7 m" + second + "-" + i;
        arrive(2, 0, second, message);
        if (random.nextInt(10) != 0) {
          arrive(2, 1, second + random.nextInt(30), message);
        }
      }
    }
    replay(site, random);
    site.settle();

    CoverageReport.Stream b = site.report(1).streams().get(1);
    assertThat(b.messages()).isEqualTo(messages(""));
    assertThat(b.missed()).isEqualTo(missed("", 1));
    assertThat(b.senders().get(0))
        .isEqualTo(
            new CoverageReport.Sender("10.1.2.7", messages("10.1.2.7"), missed("10.1.2.7", 1)));
    assertThat(b.others().messages()).isPositive();
    long named = b.senders().stream().mapToLong(CoverageReport.Sender::messages).sum();
    assertThat(named + b.others().messages()).isEqualTo(b.messages());
  }
}
