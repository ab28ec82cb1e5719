package io.duplog.coverage;

import static org.assertj.core.api.Assertions.assertThat;

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

/** Coverage against what the test itself has sent and withheld. */
class CoverageTest {
  private static final Duration HOUR = Duration.ofHours(1);

  /** Of each message, how many copies each stream brings. */
  private final Map<String, int[]> brought = new HashMap<>();

  /** Messages by the second in which they arrive, for each stream. */
  private final TreeMap<Integer, List<ArrayList<String>>> arrivals = new TreeMap<>();

  private void arrive(int streams, int stream, int second, String message) {
    arrivals
        .computeIfAbsent(
            second, added -> Stream.generate(() -> new ArrayList<String>()).limit(streams).toList())
        .get(stream)
        .add(message);
    brought.computeIfAbsent(message, added -> new int[streams])[stream]++;
  }

  private long messages(String sender) {
    return sum(sender, copies -> Arrays.stream(copies).max().orElse(0));
  }

  private long missed(String sender, int stream) {
    return messages(sender) - sum(sender, copies -> copies[stream]);
  }

  private long sum(String sender, ToLongFunction<int[]> of) {
    return brought.entrySet().stream()
        .filter(each -> sender.isEmpty() || each.getKey().startsWith(sender + " "))
        .mapToLong(each -> of.applyAsLong(each.getValue()))
        .sum();
  }

  /**
   * Has the bridges judge what arrives, in batches that any of them may get, now and then twice.
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
        // Delivered again by the broker, within a window.
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
    Site site =
        new Site(
            streams,
            3,
            parts,
            way -> new DisturbedTallies(way, DisturbedTallies.flaky(random)).disturbed());
    for (int second = 0; second < 250; second++) {
      for (int i = random.nextInt(6); i > 0; i--) {
        String sender = "10.0.0." + random.nextInt(8);
        String message = sender + " m" + second + "-" + i;
        int repeats = random.nextInt(5) == 0 ? 3 : 1;
        for (int stream = 0; stream < streams; stream++) {
          for (int copy = 0; copy < repeats; copy++) {
            // A sender of its own for each stream loses most; lag stays within the window.
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

  @Test
  void stream_thatIsLate_missesNothing_atAnyTime() throws Exception {
    Site site = new Site(2, 2);
    Random random = new Random(7);
    for (int second = 0; second < 300; second++) {
      String message = "10.1.1." + second % 3 + " m" + second;
      arrive(2, 0, second, message);
      arrive(2, 1, second + 70, message);
    }
    for (int second = 0; second <= arrivals.lastKey() + 150; second++) {
      List<ArrayList<String>> now = arrivals.getOrDefault(second, List.of());
      for (int stream = 0; stream < now.size(); stream++) {
        if (!now.get(stream).isEmpty()) {
          site.judge(random.nextInt(2), stream, now.get(stream));
        }
      }
      site.run(1, 1);
      assertThat(site.report(0).streams()).allMatch(stream -> stream.missed() == 0);
    }
    assertThat(site.report(0).streams().get(1).messages()).isEqualTo(300);
  }

  @Test
  void loss_isToldWithinAMinuteAfterTheWindow() throws Exception {
    Site site = new Site(2, 1);
    site.judge(0, 0, List.of("10.1.2.7 x", "10.1.2.8 y"));
    site.judge(0, 1, List.of("10.1.2.8 y"));

    int seconds = 0;
    while (site.report(0).streams().get(1).missed() == 0 && seconds < 1000) {
      site.run(1, 1);
      seconds++;
    }

    assertThat(seconds).isBetween(80, 80 + 60);
    assertThat(site.report(0).streams().get(1).senders().get(0))
        .isEqualTo(new CoverageReport.Sender("10.1.2.7", 1, 1));
  }

  @Test
  void stream_thatBringsNothing_isAbsent() throws Exception {
    Site site = new Site(3, 1);
    site.judge(0, 0, List.of("s x", "s y"));
    site.judge(0, 1, List.of("s x", "s y"));
    site.settle();

    assertThat(site.report(0).streams())
        .extracting(site.report(0)::isAbsent)
        .containsExactly(false, false, true);
  }

  @Test
  void manySenders_costNoPrecisionOfTheStreams_andTheForemostAreRight() throws Exception {
    Random random = new Random(11);
    Site site = new Site(2, 2);
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

  @Test
  void bridge_thatDies_leavesADoubtThatCoversWhatItHadCounted() throws Exception {
    Site site = new Site(2, 2);
    for (int second = 0; second < 60; second++) {
      for (int i = 0; i < 10; i++) {
        List<String> message = List.of("10.0.0.1 m" + second + "-" + i);
        site.judge(0, 0, message);
        site.judge(1, 1, message);
      }
      site.store.pass(Duration.ofSeconds(1));
      if (second < 59) {
        site.runAll();
      }
    }
    site.kill(1);
    site.settle();

    CoverageReport report = site.report(0);
    CoverageReport.Stream b = report.streams().get(1);
    assertThat(b.missed()).isEqualTo(10);
    assertThat(report.complete()).isFalse();
    assertThat(b.missedAtLeast()).isZero();
  }

  @Test
  void messages_thatPassUncounted_areADoubt_andCountersBeginWithTheBridge() throws Exception {
    Site site = new Site(2, 1);
    site.runAll();
    site.judge(0, 0, List.of("s x", "s y"));
    site.coverages.get(0).passed(0, 2);
    site.settle();

    CoverageReport report = site.report(0);
    assertThat(report.streams().get(1).missed()).isEqualTo(2);
    assertThat(report.doubtful()).isEqualTo(2);
    assertThat(report.streams().get(1).missedAtLeast()).isZero();

    site.judge(0, 0, List.of("s z"));
    site.coverages.get(0).passed(0, 1);
    site.settle();

    Coverage counters = site.coverages.get(0);
    assertThat(counters.messages()).as("since the bridge began").isEqualTo(1);
    assertThat(counters.missed(0)).isZero();
    assertThat(counters.missed(1)).isEqualTo(1);
    assertThat(counters.notCompared()).isEqualTo(1);
  }

  /** Under a new id, since the shim that had published it was killed before it could answer. */
  @Test
  void batch_publishedAgainByANewShim_isToldAsTheOthersLoss() throws Exception {
    Site site = new Site(2, 1);
    List<String> messages = List.of("10.0.0.1 x", "10.0.0.1 y");
    site.judge(0, 0, messages);
    site.judge(0, 1, messages);
    site.judge(0, 0, messages);
    site.settle();

    assertThat(site.report(0).streams())
        .extracting(CoverageReport.Stream::missed)
        .containsExactly(0L, 2L);
  }

  /** What is judged while the clock tells another time is told as not compared, or not at all. */
  @Test
  void clockOfTheStore_setForwardAndBack_isNobodysLoss() throws Exception {
    Site site = new Site(2, 2);
    int sent = 0;
    for (int hours : List.of(0, 1, -1)) {
      site.store.pass(Duration.ofHours(hours));
      site.runAll();
      for (int second = 0; second < 200; second++) {
        List<String> message = List.of("10.0.0.1 m" + sent++);
        site.judge(0, 0, message);
        site.judge(1, 1, message);
        site.store.pass(Duration.ofSeconds(1));
        site.runAll();
      }
    }
    site.settle();

    assertThat(site.report(0).streams()).allMatch(stream -> stream.missed() == 0);
    assertThat(site.report(0).streams().get(0).messages()).as("of the last epoch").isPositive();
  }

  @Test
  void firstWindowOfAnEpoch_isNotCompared() throws Exception {
    Site site = new Site(2, 1);
    site.judge(0, 0, List.of("s x"));
    site.runAll();
    site.store.forgetAll();
    site.run(0);
    site.judge(0, 1, List.of("s x"));
    site.settle();

    assertThat(site.report(0).streams()).allMatch(stream -> stream.missed() == 0);
    site.judge(0, 0, List.of("s z"));
    site.settle();
    assertThat(site.report(0).streams().get(1).missed()).isEqualTo(1);
  }

  @Test
  void stream_addedAndRemovedWhileBridgesRun_isComparedInBetween() throws Exception {
    Site site = new Site(2, 2);
    site.judge(0, 0, List.of("s x"));
    site.judge(1, 1, List.of("s x"));
    site.settle();
    assertThat(missed(site.report(1))).isEqualTo(Map.of("a", 0L, "b", 0L));

    site.join(List.of("a0", "a", "b"));
    site.runAll();
    assertThat(site.report(0).settledUntil()).isNull();
    site.pass(Site.WINDOW.plusSeconds(10));
    site.judge(2, 0, List.of("s y", "s z"));
    site.judge(0, 0, List.of("s y", "s z", "s v"));
    site.judge(1, 1, List.of("s y"));
    site.settle();

    assertThat(missed(site.report(0))).isEqualTo(Map.of("a", 0L, "b", 2L));
    assertThat(missed(site.report(2))).isEqualTo(Map.of("a0", 1L, "a", 0L, "b", 2L));
    assertThat(site.report(2).streams().get(0).messages()).isEqualTo(3);
    assertThat(site.report(2).streams().get(0).senders())
        .containsExactly(new CoverageReport.Sender("s", 3, 1));

    site.store.remove("a0");
    site.runAll();
    site.pass(Site.WINDOW.plusSeconds(10));
    site.judge(0, 0, List.of("s u", "s t"));
    site.judge(1, 1, List.of("s u"));
    site.settle();

    assertThat(missed(site.report(0))).isEqualTo(Map.of("a", 0L, "b", 1L));
    assertThat(missed(site.report(2))).isEqualTo(Map.of("a0", 0L, "a", 0L, "b", 1L));
  }

  private static Map<String, Long> missed(CoverageReport report) {
    Map<String, Long> missed = new HashMap<>();
    report.streams().forEach(stream -> missed.put(stream.stream(), stream.missed()));
    return missed;
  }

  @Test
  void bridge_startedLater_tellsTheSame() throws Exception {
    Site site = new Site(2, 2);
    site.judge(0, 0, List.of("10.0.0.1 x"));
    for (int i = 0; i < 300; i++) {
      site.store.pass(Duration.ofSeconds(1));
      site.run(0);
    }
    site.run(1);
    site.run(1);

    CoverageReport first = site.coverages.get(0).report(HOUR);
    assertThat(first.streams().get(1).missed()).isEqualTo(1);
    assertThat(site.coverages.get(1).report(HOUR).streams()).isEqualTo(first.streams());
    assertThat(site.coverages.get(1).report(Duration.ofDays(1)).streams())
        .isEqualTo(first.streams());
    assertThat(site.coverages.get(1).report(Duration.ofMinutes(1)).streams().get(1).missed())
        .isZero();
  }
}
