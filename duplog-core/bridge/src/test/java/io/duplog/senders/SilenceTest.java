package io.duplog.senders;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.deliver.DeliveryRequests;
import io.duplog.observe.LogLines;
import io.duplog.senders.SenderReport.State;
import io.duplog.testkit.Script;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests which senders are reported as silent on one path, as gone from all paths, or as sending an
 * unusual amount.
 */
@Tag("slow")
class SilenceTest extends SenderInventories {
  /**
   * Each word is a step. Time passes, in which the bridge runs every second ({@code +30s}), every
   * ten seconds ({@code +20m}), or not at all ({@code jump:23h}). Messages from senders arrive on
   * stream a ({@code a:x}), or on both streams ({@code both:x,y}). Streams become unavailable
   * ({@code away}) and available again ({@code back}). The bridge reads the list in the second
   * column, or restarts. Words with {@code =} assert which senders are silent on a path, gone on
   * all paths, unheard, slow, known or stored. They also assert a sender's state on stream b, the
   * messages missed on stream b, and the number of all messages.
   */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          sender that stops on one path is silent there until it is heard there again | | look both:x +10s 4*(a:x +10s) +300s x.b=HEARD a:x +40s x.b=SILENT silent=x x.missed=5 both:x +30s x.b=HEARD silent=none
          path that a sender never used is unused, and the sender is not silent on it | | look 10*(a:x +10s) x.b=UNUSED silent=none
          no sender is silent on a path that is not up to date | | away:b look both:x +10s 5*(a:x +10s) +60s x.b=HEARD
          sender without messages since a path recovered is not silent on it | | look both:x,y +10s away:b 20*(a:x +10s) back 60*(both:y +60s silent=none)
          recovered path has to miss five more messages before a sender is silent on it | | look both:x away:b 20*(a:x +10s) back +120s 5*(silent=none a:x +130s) silent=x
          silence continues when it gets as long as an earlier one during an outage | | look both:x away:b 20*(a:x +10s) back +120s both:x +10s 5*(a:x +10s) +40s silent=x 30*(a:x +130s silent=x)
          path that a sender has not used for eight days is unused | | look both:x +10s 5*(a:x +10s) +60s 8*(x.b=SILENT jump:23h a:x +10s jump:1h a:x +40s) x.b=UNUSED silent=none
          sender that is silent on all paths for a day is silent on no single path | | look both:x +10s 5*(a:x +10s) +60s x.b=SILENT jump:24h +30s x.b=HEARD
          sender that has one path by design is not silent on the other | {sender: x, one-path: true} | list look both:x +10s 5*(a:x +10s) +60s x.b=HEARD
          sender that is silent on all paths is gone until it speaks, or for eight days | | learn 20*(both:y +1m) gone=none 30*(both:y +1m) gone=x silent=none both:x +30s gone=none +7d +23h +59m gone=x +1m gone=none
          sender that is silent on one path is not gone while the other is unavailable | | learn 60*(a:x +10m) x.b=SILENT away:a +1d gone=y
          outage of the paths or of the store makes no sender gone | | learn away:a,b +1d gone=none back:a +10m gone=none jump:20h +10m gone=none +15m gone=x,y
          restarted bridge reports gone senders as soon as it can | | learn 60*(both:y +1m) both:y +20s restart away:a,b jump:10s look back both:y +1m gone=none both:y +1m gone=x
          bridge that starts after an outage of the nodes reports no sender as gone | | learn jump:10h restart 25*(both:y +1m) gone=none 20*(both:y +1m) gone=x
          sender with a maximum silence is gone without a known rhythm, and after eight days unheard | {sender: x, every: 10m} | list both:x,y +10m gone=none +40s gone=x +7d gone=x +1d unheard=x
          muted sender is neither silent nor gone until the given day | {sender: x, every: 10m, mute-until: 2026-11-27}, {sender: z, mute-until: 2026-11-27} | list look both:x +10s 5*(a:x +10s) +60s +1h silent=none gone=none unheard=none +13h silent=x gone=x unheard=z
          decommissioned sender is forgotten until it sends messages again | {sender: x, every: 10m, forget-before: 2026-11-27}, {sender: z, forget-before: 2026-11-27} | both:x,y +20s list +1h gone=none unheard=none stored=x,y +13h +20s known=y stored=y both:x +20s x.messages=1
          expected sender is unheard before its first message, and after eight days without a message | {sender: x}, {sender: y} | list both:y +30s unheard=x both:x +30s unheard=none 9*(both:y +1d) unheard=x
          sender is kept for as long as it was heard, for at least eight and at most 35 days | | a:once,long,longer +10s jump:7d a:long,longer +30s known=long,longer,once jump:7d a:long,longer +30s known=long,longer stored=long,longer 10*(jump:9d a:longer +30s) stored=longer jump:34d +30s known=longer jump:1d +30s known=none stored=none
          slow sender is reported when its paths are up to date, unless it is gone | | halve away:a,b 2*(send:20) slow=none back +1m slow=none +1m +20s slow=x away:a,b +1m +20s slow=x back +1h gone=x slow=none
          """)
  void senderStates_afterSteps_areAsExpected(String what, @Nullable String list, String script)
      throws Exception {
    Script.run(what, script, step -> execute(step, list), this::actual);
  }

  private void execute(String step, @Nullable String list) throws Exception {
    if (step.startsWith("+")) {
      Duration time = Script.time(step.substring(1));
      if (step.endsWith("s")) {
        advance(time, bridge);
      } else {
        updateEveryTenSeconds((int) time.toSeconds() / 10);
      }
      return;
    }
    String verb = step.replaceFirst(":.*", "");
    String value = step.substring(Math.min(step.length(), verb.length() + 1));
    switch (verb) {
      case "look" -> bridge.runOnce();
      case "list" -> expect(bridge, list);
      case "learn" -> learnRhythm();
      case "halve" -> receiveHalfOnTheLastOf29Days();
      case "send" -> receiveForAnHour(Integer.parseInt(value));
      case "restart" -> bridge = senders(100);
      case "jump" -> now += Script.time(value).toMillis();
      case "away" -> upToDateStreams.removeAll(List.of(value.split(",", -1)));
      case "back" -> upToDateStreams.addAll(value.isEmpty() ? STREAMS : List.of(value));
      case "a", "both" -> {
        for (String sender : value.split(",", -1)) {
          receive(bridge, A, sender + " m");
          if (verb.equals("both")) {
            receiveCopyOnB(bridge, now, sender + " m");
          }
        }
      }
      default -> throw new IllegalArgumentException(step);
    }
  }

  private String actual(String about) throws Exception {
    if (about.contains(".")) {
      SenderReport sender = of(bridge, about.replaceFirst("\\..*", ""));
      SenderReport.Path path = sender.paths().get(B);
      return switch (about.replaceFirst(".*\\.", "")) {
        case "b" -> path.state().name();
        case "missed" -> String.valueOf(path.missed());
        case "messages" -> String.valueOf(sender.record().totals().messages());
        default -> throw new IllegalArgumentException(about);
      };
    }
    Stream<String> senders =
        switch (about) {
          case "silent" -> found(bridge, Concern.SILENT).stream();
          case "gone" -> found(bridge, Concern.GONE).stream();
          case "unheard" -> found(bridge, Concern.UNHEARD).stream();
          case "slow" -> found(bridge, Concern.SLOW).stream();
          case "known" ->
              bridge.report().filter(SenderReport::isKnown).map(SenderReport::sender).sorted();
          case "stored" -> store.all().keySet().stream().sorted();
          default -> throw new IllegalArgumentException(about);
        };
    String names = senders.collect(Collectors.joining(","));
    return names.isEmpty() ? "none" : names;
  }

  @Test
  void sender_withManyTimesOrHalfTheMessages_isLoudOrSlow() throws Exception {
    receiveHalfOnTheLastOf29Days();
    assertThat(found(one, Concern.SLOW)).as("the day is just over").isEmpty();
    receiveForAnHour(20);
    updateEveryTenSeconds(4);
    assertThat(found(one, Concern.SLOW)).containsExactly("x");
    assertThat(only("changed"))
        .contains("1 of 1 found\n1 sender sends far fewer messages than usual (x). ")
        .contains(
            "\n  x sent 480 messages on the last day; on that day of the two weeks before, it sent at least 960.\n");

    receiveForAnHour(1_100);
    assertThat(found(one, Concern.LOUD)).containsExactly("x");
    assertThat(found(one, Concern.SLOW)).isEmpty();
    assertThat(only("changed"))
        .containsPattern("\n  x sent 1,\\d+ messages in an hour; before, it sent at most 40[.]\n");
    expect(one, "{sender: x, mute-until: 2027-01-31}");
    updateEveryTenSeconds(2);
    assertThat(found(one, Concern.LOUD)).as("muted").isEmpty();
  }

  @Test
  void slowSender_thatBecomesLoud_isWarnedAboutAgain() throws Exception {
    List<String> lines =
        LogLines.of(
            ConcernWatch.class,
            () -> {
              receiveHalfOnTheLastOf29Days();
              receiveForAnHour(20);
              receiveForAnHour(20);
              receiveForAnHour(1_100);
            });

    assertThat(lines).hasSize(3);
    assertThat(lines.get(0)).startsWith("WARN 1 sender sends far fewer messages than usual (x). ");
    assertThat(lines)
        .anyMatch(
            line -> line.startsWith("WARN 1 sender sends far more messages than usual (x). "));
  }

  /** Duplicates that were published ten days ago arrive on stream b. */
  @Test
  void lateDuplicates_doNotCountForEarlierDays() throws Exception {
    for (int day = 0; day < 15; day++) {
      receiveOnBoth(one, "x m");
      updateEveryTenSeconds(2);
      now += Duration.ofDays(1).toMillis();
    }
    for (int i = 0; i < 2_000; i++) {
      String message = "x " + i;
      receive(one, A, message);
      receiveCopyOnB(one, now - Duration.ofDays(10).toMillis(), message);
    }
    updateEveryTenSeconds(4);

    assertThat(of(one, "x").change()).isEqualTo(new Volume.Change(2_000, 1));
  }

  @Test
  void goneSender_staysGone_duringShortOutagesOfStreams() throws Exception {
    learnRhythm();
    advanceWithoutX(60);
    List<String> lines =
        LogLines.of(
            ConcernWatch.class,
            () -> {
              upToDateStreams.clear();
              for (int i = 0; i < 12; i++) {
                updateEveryTenSeconds(1);
                assertThat(found(one, Concern.GONE)).containsExactly("x");
                upToDateStreams.addAll(STREAMS);
              }
            });
    assertThat(lines).as("no recovery").isEmpty();
  }

  @Test
  void outageOfStreams_isNotLearnedAsASilence() throws Exception {
    learnRhythm();
    for (int i = 0; i < 2; i++) {
      upToDateStreams.clear();
      updateEveryTenSeconds(6 * 360);
      upToDateStreams.addAll(STREAMS);
      receiveOnBoth(one, "x again");
      updateEveryTenSeconds(360);
      now += Duration.ofHours(18).toMillis();
      receiveOnBoth(one, "x and again");
      updateEveryTenSeconds(6);
    }
    assertThat(of(one, "x").record().rhythm().longestSilence()).isLessThan(10);
  }

  @Test
  void futureTime_isCorrected_withTheNextMessage() throws Exception {
    receive(one, A, "x m");
    now += Duration.ofDays(365).toMillis();
    receive(two, B, "x m");
    advance(Duration.ofSeconds(10), two);
    now -= Duration.ofDays(365).toMillis();
    advance(Duration.ofSeconds(10), one);
    receiveOnA("x", 10);

    assertThat(of(one, "x").record().lastMillis()).isLessThan(now);
    assertThat(stateOnB(one, "x")).isEqualTo(State.SILENT);
  }

  @Test
  void nodeClockAhead_doesNotHideASilence() throws Exception {
    one.runOnce();
    one.counted(DeliveryRequests.batch(true, "x m"), B, null, now + 3_600_000);
    advance(Duration.ofSeconds(10), one);
    receiveOnA("x", 10);

    assertThat(stateOnB(one, "x")).isEqualTo(State.SILENT);
  }

  @Test
  void burst_onDifferentBridgesOrAtDifferentTimes_isNotASilence() throws Exception {
    String[] burst = {"x 1", "x 2", "x 3", "x 4", "x 5", "x 6", "x 7"};
    for (int i = 0; i < 5; i++) {
      receive(one, A, burst);
      receiveCopyOnB(two, now, burst);
      advanceWithoutSilence(8, one);
      advanceWithoutSilence(1_200, one, two);
      long published = now;
      receive(one, A, burst);
      advanceWithoutSilence(8, one, two);
      receiveCopyOnB(one, published, burst);
      advanceWithoutSilence(1_200, one, two);
    }
  }

  private void advanceWithoutSilence(int seconds, SenderInventory... bridges) throws Exception {
    for (int second = 0; second < seconds; second++) {
      advance(Duration.ofSeconds(1), bridges);
      assertThat(bridges).allSatisfy(bridge -> assertThat(found(bridge, Concern.SILENT)).isEmpty());
    }
  }

  @Test
  void messageOnTwoOfThreeStreams_isMissedOnce() throws Exception {
    SenderInventory three =
        new SenderInventory(
            List.of("a", "b", "c"), store, 100, new TestHeaders(), stream -> true, () -> now);
    three.runOnce();
    for (int stream = 0; stream < 3; stream++) {
      receive(three, stream, "x m");
    }
    advance(Duration.ofSeconds(10), three);
    for (int i = 0; i < 5; i++) {
      assertThat(found(three, Concern.SILENT)).as("lost: " + i).isEmpty();
      receive(three, A, "x " + i);
      receive(three, B, "x " + i);
      advance(Duration.ofMinutes(1), three);
    }

    assertThat(found(three, Concern.SILENT)).containsExactly("x");
  }

  /** Receives this many messages from x within an hour, on both streams. */
  private void receiveForAnHour(int messages) throws Exception {
    for (int i = 0; i < 360; i++) {
      int times = messages * (i + 1) / 360 - messages * i / 360;
      for (int each = 0; each < times; each++) {
        receiveOnBoth(one, "x " + i + ' ' + each);
      }
      updateEveryTenSeconds(1);
    }
  }

  private void receiveHalfOnTheLastOf29Days() throws Exception {
    now = Instant.parse("2026-11-26T00:00:00Z").toEpochMilli();
    for (int hour = 0; hour < 29 * 24; hour++) {
      receiveForAnHour(hour >= 28 * 24 ? 20 : 40);
    }
  }
}
