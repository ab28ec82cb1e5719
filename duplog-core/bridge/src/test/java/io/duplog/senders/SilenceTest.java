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

/** Tests which senders two bridges report as silent, gone, loud or slow. */
@Tag("slow")
class SilenceTest extends SenderInventories {
  /**
   * Each word is a step. Time passes, in which the bridge looks every second ({@code +30s}), every
   * ten seconds ({@code +20m}), or not at all ({@code jump:23h}). Messages of senders come by
   * stream a ({@code a:x}), or by both streams ({@code both:x,y}). Streams become unavailable and
   * come back. The bridge reads the list in the second column, or starts again. Words with {@code
   * =} assert who is silent on a path, gone on all, unheard, slow, known or stored; and of a
   * sender, its state on stream b, the messages that stream b missed, and all messages.
   */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          sender that one path brings no more is silent there until it is heard again | | look both:x +10s 4*(a:x +10s) +300s x.b=HEARD a:x +40s x.b=SILENT silent=x x.missed=5 both:x +30s x.b=HEARD silent=none
          sender that one path never brought is told as such, and not as silent | | look 10*(a:x +10s) x.b=UNUSED silent=none
          on a path that is not current nobody is silent | | away:b look both:x +10s 5*(a:x +10s) +60s x.b=HEARD
          path that was away and is back makes nobody silent who has not spoken since | | look both:x,y +10s away:b 20*(a:x +10s) back 60*(both:y +60s silent=none)
          path that is back has to miss five more before a sender is silent there | | look both:x away:b 20*(a:x +10s) back +120s 5*(silent=none a:x +130s) silent=x
          silence goes on when it is as long as one while the path was away | | look both:x away:b 20*(a:x +10s) back +120s both:x +10s 5*(a:x +10s) +40s silent=x 30*(a:x +130s silent=x)
          path that a sender has not used for eight days is given up | | look both:x +10s 5*(a:x +10s) +60s 8*(x.b=SILENT jump:23h a:x +10s jump:1h a:x +40s) x.b=UNUSED silent=none
          sender that is silent for a day is silent on no path | | look both:x +10s 5*(a:x +10s) +60s x.b=SILENT jump:24h +30s x.b=HEARD
          sender that has one path by design is not silent on the other | {sender: x, one-path: true} | list look both:x +10s 5*(a:x +10s) +60s x.b=HEARD
          sender that is silent on all paths is gone until it speaks, or for eight days | | learn 20*(both:y +1m) gone=none 30*(both:y +1m) gone=x silent=none both:x +30s gone=none +7d +23h +59m gone=x +1m gone=none
          sender that one path lost is not gone while the other is away | | learn 60*(a:x +10m) x.b=SILENT away:a +1d gone=y
          paths that are away make nobody gone, nor does a store that is | | learn away:a,b +1d gone=none back:a +10m gone=none jump:20h +10m gone=none +15m gone=x,y
          bridge that begins tells who is gone as soon as it may | | learn 60*(both:y +1m) both:y +20s restart away:a,b jump:10s look back both:y +1m gone=none both:y +1m gone=x
          bridge that begins after nodes were down calls nobody gone | | learn jump:10h restart 25*(both:y +1m) gone=none 20*(both:y +1m) gone=x
          sender that must speak is gone without any rhythm, is not given up, and is then unheard | {sender: x, every: 10m} | list both:x,y +10m gone=none +40s gone=x +7d gone=x +1d unheard=x
          sender that is muted is neither silent nor gone until the day | {sender: x, every: 10m, mute-until: 2026-11-27}, {sender: z, mute-until: 2026-11-27} | list look both:x +10s 5*(a:x +10s) +60s +1h silent=none gone=none unheard=none +13h silent=x gone=x unheard=z
          sender that is taken out of service is forgotten until it speaks again | {sender: x, every: 10m, forget-before: 2026-11-27}, {sender: z, forget-before: 2026-11-27} | both:x,y +20s list +1h gone=none unheard=none stored=x,y +13h +20s known=y stored=y both:x +20s x.messages=1
          sender that is expected is unheard until it speaks, and when it has not for eight days | {sender: x}, {sender: y} | list both:y +30s unheard=x both:x +30s unheard=none 9*(both:y +1d) unheard=x
          sender is kept for as long as it was heard, but eight days at least, and 35 at most | | a:once,long,longer +10s jump:7d a:long,longer +30s known=long,longer,once jump:7d a:long,longer +30s known=long,longer stored=long,longer 10*(jump:9d a:longer +30s) stored=longer jump:34d +30s known=longer jump:1d +30s known=none stored=none
          sender that seems slow is told once its paths bring everything, and unless it is gone | | halve away:a,b 2*(send:20) slow=none back +1m slow=none +1m +20s slow=x away:a,b +1m +20s slow=x back +1h gone=x slow=none
          """)
  void whoIsSilent_follows(String what, @Nullable String list, String script) throws Exception {
    Script.run(what, script, step -> take(step, list), this::said);
  }

  private void take(String step, @Nullable String list) throws Exception {
    if (step.startsWith("+")) {
      Duration time = Script.time(step.substring(1));
      if (step.endsWith("s")) {
        pass(time, bridge);
      } else {
        lookEveryTenSeconds((int) time.toSeconds() / 10);
      }
      return;
    }
    String verb = step.replaceFirst(":.*", "");
    String value = step.substring(Math.min(step.length(), verb.length() + 1));
    switch (verb) {
      case "look" -> bridge.runOnce();
      case "list" -> expect(bridge, list);
      case "learn" -> learnRhythm();
      case "halve" -> sendHalfOnTheLastOf29Days();
      case "send" -> sendAnHour(Integer.parseInt(value));
      case "restart" -> bridge = senders(100);
      case "jump" -> now += Script.time(value).toMillis();
      case "away" -> current.removeAll(List.of(value.split(",", -1)));
      case "back" -> current.addAll(value.isEmpty() ? STREAMS : List.of(value));
      case "a", "both" -> {
        for (String sender : value.split(",", -1)) {
          came(bridge, A, sender + " m");
          if (verb.equals("both")) {
            cameAgain(bridge, now, sender + " m");
          }
        }
      }
      default -> throw new IllegalArgumentException(step);
    }
  }

  private String said(String about) throws Exception {
    if (about.contains(".")) {
      SenderReport sender = of(bridge, about.replaceFirst("\\..*", ""));
      SenderReport.Path path = sender.paths().get(B);
      return switch (about.replaceFirst(".*\\.", "")) {
        case "b" -> path.state().name();
        case "missed" -> String.valueOf(path.missed());
        case "messages" -> String.valueOf(sender.known().totals().messages());
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
  void senderWithManyTimesTheMessages_isLoud_andWithHalf_slow() throws Exception {
    sendHalfOnTheLastOf29Days();
    assertThat(found(one, Concern.SLOW)).as("the day is just over").isEmpty();
    sendAnHour(20);
    lookEveryTenSeconds(4);
    assertThat(found(one, Concern.SLOW)).containsExactly("x");
    assertThat(only("changed"))
        .contains("1 of 1 found\n1 sender sends far fewer messages than usual (x). ")
        .contains(
            "\n  x sent 480 messages on the last day; on that day of the two weeks before, it sent at least 960.\n");

    sendAnHour(1_100);
    assertThat(found(one, Concern.LOUD)).containsExactly("x");
    assertThat(found(one, Concern.SLOW)).isEmpty();
    assertThat(only("changed"))
        .containsPattern("\n  x sent 1,\\d+ messages in an hour; before, it sent at most 40[.]\n");
    expect(one, "{sender: x, mute-until: 2027-01-31}");
    lookEveryTenSeconds(2);
    assertThat(found(one, Concern.LOUD)).as("muted").isEmpty();
  }

  @Test
  void senderThatIsSlow_andThenLoud_isWarnedOfAnew() throws Exception {
    List<String> lines =
        LogLines.of(
            ConcernWatch.class,
            () -> {
              sendHalfOnTheLastOf29Days();
              sendAnHour(20);
              sendAnHour(20);
              sendAnHour(1_100);
            });

    assertThat(lines).hasSize(3);
    assertThat(lines.get(0)).startsWith("WARN 1 sender sends far fewer messages than usual (x). ");
    assertThat(lines)
        .anyMatch(
            line -> line.startsWith("WARN 1 sender sends far more messages than usual (x). "));
  }

  /** Stream b brings messages again that were published ten days before. */
  @Test
  void duplicatesThatCameLate_areNoMessagesOfEarlierDays() throws Exception {
    for (int day = 0; day < 15; day++) {
      cameByBoth(one, "x m");
      lookEveryTenSeconds(2);
      now += Duration.ofDays(1).toMillis();
    }
    for (int i = 0; i < 2_000; i++) {
      String message = "x " + i;
      came(one, A, message);
      cameAgain(one, now - Duration.ofDays(10).toMillis(), message);
    }
    lookEveryTenSeconds(4);

    assertThat(of(one, "x").change()).isEqualTo(new Volume.Change(2_000, 1));
  }

  @Test
  void senderThatIsGone_staysSo_whilePathsAreAwayForAMoment() throws Exception {
    learnRhythm();
    missX(60);
    List<String> lines =
        LogLines.of(
            ConcernWatch.class,
            () -> {
              current.clear();
              for (int i = 0; i < 12; i++) {
                lookEveryTenSeconds(1);
                assertThat(found(one, Concern.GONE)).containsExactly("x");
                current.addAll(STREAMS);
              }
            });
    assertThat(lines).as("no recovery").isEmpty();
  }

  @Test
  void outageOfThePaths_isNotLearnedAsASilence() throws Exception {
    learnRhythm();
    for (int i = 0; i < 2; i++) {
      current.clear();
      lookEveryTenSeconds(6 * 360);
      current.addAll(STREAMS);
      cameByBoth(one, "x again");
      lookEveryTenSeconds(360);
      now += Duration.ofHours(18).toMillis();
      cameByBoth(one, "x and again");
      lookEveryTenSeconds(6);
    }
    assertThat(of(one, "x").known().rhythm().quietest()).isLessThan(10);
  }

  @Test
  void timeThatIsNotOver_isMended_onceTheSenderSpeaks() throws Exception {
    came(one, A, "x m");
    now += Duration.ofDays(365).toMillis();
    came(two, B, "x m");
    pass(Duration.ofSeconds(10), two);
    now -= Duration.ofDays(365).toMillis();
    pass(Duration.ofSeconds(10), one);
    comeByA("x", 10);

    assertThat(of(one, "x").known().lastMillis()).isLessThan(now);
    assertThat(onB(one, "x")).isEqualTo(State.SILENT);
  }

  @Test
  void nodeWhoseClockIsAhead_hidesNoSilence() throws Exception {
    one.runOnce();
    one.counted(DeliveryRequests.batch(true, "x m"), B, null, now + 3_600_000);
    pass(Duration.ofSeconds(10), one);
    comeByA("x", 10);

    assertThat(onB(one, "x")).isEqualTo(State.SILENT);
  }

  @Test
  void burstThatStreamsBringToDifferentBridges_orOneAfterTheOther_isNoSilence() throws Exception {
    String[] burst = {"x 1", "x 2", "x 3", "x 4", "x 5", "x 6", "x 7"};
    for (int i = 0; i < 5; i++) {
      came(one, A, burst);
      cameAgain(two, now, burst);
      passWithNobodySilent(8, one);
      passWithNobodySilent(1_200, one, two);
      long published = now;
      came(one, A, burst);
      passWithNobodySilent(8, one, two);
      cameAgain(one, published, burst);
      passWithNobodySilent(1_200, one, two);
    }
  }

  private void passWithNobodySilent(int seconds, SenderInventory... bridges) throws Exception {
    for (int second = 0; second < seconds; second++) {
      pass(Duration.ofSeconds(1), bridges);
      assertThat(bridges).allSatisfy(bridge -> assertThat(found(bridge, Concern.SILENT)).isEmpty());
    }
  }

  @Test
  void withThreeStreams_aMessageThatTwoBring_isMissedOnce() throws Exception {
    SenderInventory three =
        new SenderInventory(
            List.of("a", "b", "c"), store, 100, new TestHeaders(), stream -> true, () -> now);
    three.runOnce();
    for (int stream = 0; stream < 3; stream++) {
      came(three, stream, "x m");
    }
    pass(Duration.ofSeconds(10), three);
    for (int i = 0; i < 5; i++) {
      assertThat(found(three, Concern.SILENT)).as("lost: " + i).isEmpty();
      came(three, A, "x " + i);
      came(three, B, "x " + i);
      pass(Duration.ofMinutes(1), three);
    }

    assertThat(found(three, Concern.SILENT)).containsExactly("x");
  }

  /** Has sender x send this many messages in an hour, by both paths. */
  private void sendAnHour(int messages) throws Exception {
    for (int i = 0; i < 360; i++) {
      int times = messages * (i + 1) / 360 - messages * i / 360;
      for (int each = 0; each < times; each++) {
        cameByBoth(one, "x " + i + ' ' + each);
      }
      lookEveryTenSeconds(1);
    }
  }

  private void sendHalfOnTheLastOf29Days() throws Exception {
    now = Instant.parse("2026-11-26T00:00:00Z").toEpochMilli();
    for (int hour = 0; hour < 29 * 24; hour++) {
      sendAnHour(hour >= 28 * 24 ? 20 : 40);
    }
  }
}
