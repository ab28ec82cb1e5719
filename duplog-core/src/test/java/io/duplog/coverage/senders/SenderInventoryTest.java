package io.duplog.coverage.senders;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duplog.Script;
import io.duplog.coverage.senders.SenderReport.State;
import io.duplog.dedup.FailingTexts;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.SharedTexts;
import io.duplog.deliver.DeliveryRequests;
import io.duplog.observe.JsonObject;
import io.duplog.observe.LogLines;
import io.duplog.status.SendersText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The inventory of one bridge or two, with a clock and a store of the test's. */
class SenderInventoryTest {
  private static final List<String> STREAMS = List.of("a", "b");
  private static final int A = 0;
  private static final int B = 1;
  private static final long BEGIN = Instant.parse("2026-11-26T10:00:00Z").toEpochMilli();

  @TempDir private Path folder;
  private final FailingTexts store = new FailingTexts();
  private final Set<String> current = new HashSet<>(STREAMS);
  private long now = BEGIN;
  private final SenderInventory one = senders(100);
  private final SenderInventory two = senders(100);
  private SenderInventory bridge = one;

  private SenderInventory senders(int most) {
    return new SenderInventory(
        STREAMS, store, most, new TestHeaders(), current::contains, () -> now);
  }

  /** Reads {@code +90 m} as 90 seconds ahead, and {@code #12 m} as number 12. */
  private static final class TestHeaders implements Headers.Reader {
    @Override
    public long aheadMillis(byte[] data, int start, int end, long receivedMillis) {
      String text = new String(data, start, end - start, UTF_8);
      return text.startsWith("broken")
          ? MALFORMED
          : text.matches("[+-]\\d+ .*") ? 1_000 * Long.parseLong(text.replaceFirst(" .*", "")) : 0;
    }

    @Override
    public long number(byte[] data, int start, int end) {
      String text = new String(data, start, end - start, UTF_8);
      return text.startsWith("#") ? Long.parseLong(text.replaceAll("#| .*", "")) : -1;
    }
  }

  private void came(SenderInventory bridge, int stream, String... messages) {
    BitSet kept = new BitSet();
    kept.set(0, messages.length);
    bridge.counted(DeliveryRequests.batch(true, messages), stream, kept, now);
  }

  /** Stream b brings copies of messages that stream a has brought. */
  private void cameAgain(SenderInventory bridge, long publishedMillis, String... messages) {
    bridge.counted(DeliveryRequests.batch(true, messages), B, new BitSet(), publishedMillis);
  }

  private void cameByBoth(SenderInventory bridge, String message) {
    came(bridge, A, message);
    cameAgain(bridge, now, message);
  }

  private void pass(Duration time, SenderInventory... bridges) throws Exception {
    for (long end = now + time.toMillis(); now < end; ) {
      now = Math.min(end, now + 1_000);
      for (SenderInventory bridge : bridges) {
        bridge.runOnce();
      }
    }
  }

  private static SenderReport of(SenderInventory bridge, String sender) {
    return bridge.report().filter(each -> each.sender().equals(sender)).findAny().orElseThrow();
  }

  private static State onB(SenderInventory bridge, String sender) {
    return of(bridge, sender).paths().get(B).state();
  }

  @Test
  void sender_isKnownWithItsMessagesEachCountedOnce() throws Exception {
    cameByBoth(one, "10.0.0.1 first");
    pass(Duration.ofMinutes(1), one);
    came(one, A, "10.0.0.1 more", "10.0.0.2 other", "10.0.0.1 last", "nobody");
    pass(Duration.ofSeconds(6), one);

    SenderReport sender = of(one, "10.0.0.1");
    assertThat(sender.known().firstMillis()).isEqualTo(BEGIN);
    assertThat(sender.known().lastMillis()).isEqualTo(BEGIN + 60_000);
    assertThat(sender.known().totals().messages()).isEqualTo(3);
    assertThat(sender.known().totals().bytes()).isEqualTo("firstmorelast".length());
    assertThat(sender.paths().stream().map(SenderReport.Path::copies)).containsExactly(3L, 1L);
    assertThat(one.size()).isEqualTo(2);
  }

  /** Stream a alone brings messages, one every ten seconds. */
  private void comeByA(String sender, int messages) throws Exception {
    for (int i = 0; i < messages; i++) {
      came(one, A, sender + " only by a " + i);
      pass(Duration.ofSeconds(10), one);
    }
  }

  /** Both streams bring a sender, then one does. */
  private void loseB(String sender) throws Exception {
    one.runOnce();
    cameByBoth(one, sender + " m");
    pass(Duration.ofSeconds(10), one);
    comeByA(sender, 5);
    pass(Duration.ofMinutes(1), one);
  }

  /**
   * Each word is a step. Time passes, in which the bridge looks every second ({@code +30s}), every
   * ten seconds ({@code +20m}), or not at all ({@code jump:23h}). Messages of senders come by
   * stream a ({@code a:x}), or by both streams ({@code both:x,y}). Streams go away and come back.
   * The bridge reads the list in the second column, or starts again. Words with {@code =} assert
   * who is silent on a path, gone on all, unheard, slow, known or stored; and of a sender, its
   * state on stream b, the messages that stream b missed, and all messages.
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
          case "silent" -> bridge.silent().stream().map(SenderReport::sender);
          case "gone" -> bridge.gone().keySet().stream();
          case "unheard" -> bridge.unheard().stream();
          case "slow" ->
              bridge.changes().keySet().stream()
                  .filter(each -> !bridge.changes().get(each).isLoud());
          case "known" -> bridge.report().map(SenderReport::sender).sorted();
          case "stored" -> store.all().keySet().stream().sorted();
          default -> throw new IllegalArgumentException(about);
        };
    String names = senders.collect(Collectors.joining(","));
    return names.isEmpty() ? "none" : names;
  }

  /** Senders x and y speak on both paths every ten minutes, for eight days and a while. */
  private void learnRhythm() throws Exception {
    for (int i = 0; i < 8 * 24 * 6 + 3; i++) {
      cameByBoth(one, "x " + i);
      cameByBoth(one, "y " + i);
      lookEveryTenSeconds(60);
    }
    lookEveryTenSeconds(12);
    assertThat(one.gone()).isEmpty();
  }

  /** Time passes in which y speaks and x does not. */
  private void missX(int minutes) throws Exception {
    for (int i = 0; i < minutes; i++) {
      cameByBoth(one, "y at " + now);
      lookEveryTenSeconds(6);
    }
  }

  private void lookEveryTenSeconds(int times) throws Exception {
    for (int i = 0; i < times; i++) {
      now += 10_000;
      bridge.runOnce();
    }
  }

  @Test
  void senderThatIsGone_isToldWithWhatItWouldHaveSent() throws Exception {
    learnRhythm();
    missX(50);
    long last = of(one, "x").known().lastMillis();
    assertThat(one.gone().get("x").since()).isEqualTo(Instant.ofEpochMilli(last));
    assertThat(one.gone().get("x").missing()).isBetween(5.0, 7.0);
    SendersText text = text(one, "only", "gone");
    assertThat(text.needsAttention()).isTrue();
    assertThat(text.table())
        .contains("0 silent on one path, 1 gone, 0 loud, 0 slow; 1 of 1 found")
        .contains("  gone: it would have spoken about 6 times, and never left out more than 1");
    expect(one, "{sender: x, every: 10m}");
    lookEveryTenSeconds(1);
    assertThat(text(one, "only", "gone").table()).contains("  gone: it has to speak every 600 s\n");
  }

  private void expect(SenderInventory bridge, String entries) throws Exception {
    Path file = folder.resolve("senders.yaml");
    SenderList list = SenderList.read(Files.writeString(file, "senders: [" + entries + "]"));
    bridge.follow(() -> list);
  }

  /** Sender x sends so many messages in an hour, by both paths. */
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

  private String only(String kind) throws Exception {
    return text(one, "only", kind).table();
  }

  private SendersText text(SenderInventory bridge, String word, String value) throws Exception {
    return new SendersText(
        JsonObject.render(SendersJson.of(bridge, Map.of(word, value), Instant.ofEpochMilli(now))));
  }

  @Test
  void senderWithManyTimesTheMessages_isLoud_andWithHalf_slow() throws Exception {
    sendHalfOnTheLastOf29Days();
    assertThat(new SenderSums(one).slow()).as("the day is just over").isZero();
    sendAnHour(20);
    lookEveryTenSeconds(4);
    assertThat(new SenderSums(one).slow()).isOne();
    assertThat(only("changed"))
        .contains("0 gone, 0 loud, 1 slow; 1 of 1 found")
        .contains("\n  slow: 480 messages on the last day, usually 960\n");

    sendAnHour(1_100);
    assertThat(new SenderSums(one).loud()).isOne();
    assertThat(new SenderSums(one).slow()).isZero();
    assertThat(only("changed"))
        .contains("\n  loud: ")
        .contains(" messages in an hour, at most 40 before\n");
    expect(one, "{sender: x, mute-until: 2027-01-31}");
    lookEveryTenSeconds(2);
    assertThat(new SenderSums(one).loud()).as("muted").isZero();
  }

  @Test
  void senderThatIsSlow_andThenLoud_isWarnedOfAnew() throws Exception {
    List<String> lines =
        LogLines.of(
            VolumeWatch.class,
            () -> {
              sendHalfOnTheLastOf29Days();
              sendAnHour(20);
              sendAnHour(20);
              sendAnHour(1_100);
            });

    assertThat(lines).hasSize(3);
    assertThat(lines.get(0)).contains("1 senders send far fewer messages than usual: x 480 on the");
    assertThat(lines.get(1)).contains("1 senders send far more messages than usual: x 1,0");
  }

  /** Stream b brings what was published ten days before, again. */
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

    assertThat(one.changes().get("x")).isEqualTo(new Volume.Change(2_000, 1));
  }

  /** Two bridges read one queue each; number 70 is on neither. */
  @Test
  void numberThatNoPathBrought_isTold_thoughNoBridgeSawAllOfThem() throws Exception {
    for (int number = 1; number <= 300; number++) {
      SenderInventory first = number % 3 == 0 ? one : two;
      SenderInventory second = number % 2 == 0 ? one : two;
      String message = "x #%d m".formatted(number);
      if (number != 70) {
        came(first, A, message);
        cameAgain(second, now, message);
      }
      pass(Duration.ofSeconds(1), one, two);
    }
    pass(Duration.ofSeconds(30), one, two);

    for (SenderInventory bridge : List.of(one, two)) {
      assertThat(new SenderSums(bridge).missingNumbers()).isEqualTo(1);
      SendersText text = text(bridge, "only", "gaps");
      assertThat(text.table())
          .contains("\n  numbers: 1 are missing, so that nobody has these messages\n");
      assertThat(text.needsAttention()).isFalse();
    }
    assertThat(new SenderSums(senders(100)).missingNumbers()).as("nothing was read").isNaN();
    expect(one, "{sender: x, mute-until: 2026-11-27}");
    pass(Duration.ofSeconds(11), one);
    assertThat(new SenderSums(one).missingNumbers()).as("muted").isZero();
  }

  /** Numbers from one to the other, in batches of a thousand; the store is away. */
  private void comeNumbered(int from, int until, @Nullable BitSet kept) {
    for (int i = from; i < until; i += 1_000) {
      String[] messages = new String[Math.min(1_000, until - i)];
      for (int each = 0; each < messages.length; each++) {
        messages[each] = "x #" + (i + each) + " m";
      }
      one.counted(DeliveryRequests.batch(true, messages), A, kept, now);
    }
  }

  /** Without Redis, duplicates pass; with a part of it, numbers are more than there is room for. */
  @Test
  void numbersThatCantBeCounted_areNotHeld_andProveNothing() throws Exception {
    BitSet all = new BitSet();
    all.set(0, 1_000);
    comeNumbered(1, 1_001, all);
    pass(Duration.ofSeconds(6), one);
    store.failsBefore = true;
    comeNumbered(2_000, 3_000, null);
    comeNumbered(2_000, 3_000, null);
    store.failsBefore = false;
    pass(Duration.ofSeconds(6), one);
    comeNumbered(3_000, 4_000, all);
    pass(Duration.ofSeconds(21), one);
    assertThat(new SenderSums(one).missingNumbers()).isZero();

    comeNumbered(4_000, 1_005_000, all);
    comeNumbered(1_005_001, 1_006_001, all);
    pass(Duration.ofSeconds(21), one);
    assertThat(new SenderSums(one).missingNumbers()).as("among too many").isZero();
    comeNumbered(1_006_001, 1_006_501, all);
    comeNumbered(1_006_502, 1_007_002, all);
    pass(Duration.ofSeconds(21), one);
    assertThat(new SenderSums(one).missingNumbers()).isEqualTo(1);
  }

  @Test
  void clockThatIsOff_andHeadersThatAreMalformed_areTold() throws Exception {
    came(
        one,
        A,
        "x +7205 m",
        "x +99999 only the first of a row is looked at",
        "y -340 m",
        "z broken");
    cameByBoth(one, "w m");
    pass(Duration.ofSeconds(6), one);
    came(one, A, "z m");
    pass(Duration.ofSeconds(6), one);

    assertThat(new SenderSums(one).clocksOff()).isEqualTo(2);
    assertThat(only("clock"))
        .contains("\n  clock: 7,205 s ahead of ours, which a wrong time zone would explain\n")
        .contains("\n  clock: 340 s behind ours\n")
        .contains("2 of 2 found");
    assertThat(only("malformed"))
        .contains("1 of 1 found")
        .contains(
            "\n  header: 1 of 2 messages that were looked at have no priority, or no time to be trusted\n");
  }

  @Test
  void messagesThatWereLate_cutOrRefused_areToldOfTheirSenders() throws Exception {
    String longest = "m".repeat(1_024);
    for (int i = 0; i < 3; i++) {
      cameByBoth(one, "x " + longest);
      came(one, A, "y " + longest.substring(5), "z m");
      pass(Duration.ofSeconds(6), one);
    }
    cameByBoth(one, "z -70 m");
    pass(Duration.ofSeconds(6), one);
    for (int i = 0; i < 2; i++) {
      one.refused(DeliveryRequests.batch(true, "y m", "x m", "nobody"), 2 * i);
      one.refused(DeliveryRequests.batch(true, "unknown m"), 0);
      one.refused(DeliveryRequests.batch(true, "y m", "x m"), 0);
      pass(Duration.ofSeconds(6), one);
    }

    SenderReport y = of(one, "y");
    assertThat(y.known().totals()).isEqualTo(new Totals(3, 3 * 1_019, 3, 1_019, 3));
    assertThat(y.known().lastMillis()).as("refused later").isEqualTo(BEGIN + 12_000);
    assertThat(only("cut"))
        .contains("1 of 1 found")
        .contains("\n  cut: 3 messages have 1,024 bytes, and none has more\n");
    assertThat(only("refused"))
        .contains("1 of 1 found")
        .contains("\n  refused: 3 times, as dead letters show\n");
    assertThat(only("late"))
        .contains("1 of 1 found")
        .contains(
            "\n  late: 1 of 4 messages that were looked at came a minute or more later than the one before, by their own times\n");
  }

  @Test
  void senderThatIsUnheard_isTold() throws Exception {
    expect(one, "{sender: x}, {sender: y}");
    cameByBoth(one, "y m");
    lookEveryTenSeconds(3);
    SendersText text = text(one, "only", "unheard");
    assertThat(text.needsAttention()).isTrue();
    assertThat(text.table())
        .isEqualTo(
            """
            1 senders, 0 silent on one path, 0 gone, 0 loud, 0 slow; 0 of 0 found
            1 expected and not heard: x
            """);
  }

  @Test
  void senderThatIsExpected_hasAPlace_inAFullInventory() throws Exception {
    SenderInventory full = senders(2);
    expect(full, "{sender: x}");
    full.runOnce();
    came(full, A, "invented m", "too m", "three m", "x m");
    pass(Duration.ofSeconds(20), full);

    assertThat(full.unheard()).isEmpty();
    assertThat(of(full, "x").known().totals().messages()).isEqualTo(1);
    assertThat(full.unlisted()).isEqualTo(1);
  }

  @Test
  void senderThatIsGone_staysSo_whilePathsAreAwayForAMoment() throws Exception {
    learnRhythm();
    missX(60);
    List<String> lines =
        LogLines.of(
            GoneWatch.class,
            () -> {
              current.clear();
              for (int i = 0; i < 12; i++) {
                lookEveryTenSeconds(1);
                assertThat(one.gone()).containsOnlyKeys("x");
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
  void batchOfATimeBefore1970_harmsNobody() throws Exception {
    for (int hour = -200; hour < 0; hour += 5) {
      one.counted(DeliveryRequests.batch(true, "x m"), A, null, hour * 3_600_000L);
      pass(Duration.ofSeconds(6), one);
    }
    came(one, A, "y m");
    pass(Duration.ofSeconds(10), one);

    assertThat(of(one, "y").known().totals().messages()).isEqualTo(1);
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
      assertThat(bridges).allSatisfy(bridge -> assertThat(bridge.silent()).isEmpty());
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
      assertThat(three.silent()).as("lost: " + i).isEmpty();
      came(three, A, "x " + i);
      came(three, B, "x " + i);
      pass(Duration.ofMinutes(1), three);
    }

    assertThat(three.silent()).hasSize(1);
  }

  @Test
  void bridges_addToTheSameRecords_whoeverIsFirst() throws Exception {
    for (int i = 0; i < 20; i++) {
      came(one, A, "x m" + i);
      cameAgain(two, now, "x m" + i);
      pass(Duration.ofSeconds(6), one, two);
    }
    pass(Duration.ofMinutes(5), one, two);

    for (SenderInventory bridge : List.of(one, two)) {
      assertThat(of(bridge, "x").known().totals().messages()).isEqualTo(20);
      assertThat(of(bridge, "x").paths().stream().map(SenderReport.Path::copies))
          .containsExactly(20L, 20L);
      assertThat(onB(bridge, "x")).isEqualTo(State.HEARD);
    }
  }

  @Test
  void bridgesThatAddTheSame_areBothCounted() throws Exception {
    for (SenderInventory bridge : List.of(one, two)) {
      came(bridge, A, "x m");
    }
    pass(Duration.ofMinutes(1), one, two);

    assertThat(of(two, "x").known().totals().messages()).isEqualTo(2);
  }

  @Test
  void inventoryThatAnotherBridgeHasFilled_takesNobodyMore() throws Exception {
    SenderInventory few = senders(2);
    came(few, A, "a m", "b m", "c m");
    came(one, A, "x m", "y m", "z m");
    now += 6_000;
    one.runOnce();
    pass(Duration.ofSeconds(10), few);

    assertThat(few.size()).isEqualTo(3);
    assertThat(few.unlisted()).isEqualTo(3);
    came(few, A, "z n");
    pass(Duration.ofSeconds(10), few);
    assertThat(of(few, "z").known().totals().messages()).isEqualTo(2);
  }

  @ParameterizedTest(name = "done before the failure: {0}")
  @CsvSource({"true", "false"})
  void storeThatFails_losesNothing_andCountsNothingTwice(boolean done) throws Exception {
    one.runOnce();
    came(one, A, "x 1", "x 2");
    now += 6_000;
    store.failsAfter = done;
    store.failsBefore = !done;
    for (int second = 0; second < 30; second++) {
      assertThatThrownBy(one::runOnce).isInstanceOf(LedgerUnavailableException.class);
      now += 1_000;
    }
    came(one, A, "x 3");
    store.failsAfter = false;
    store.failsBefore = false;
    pass(Duration.ofSeconds(10), one);

    assertThat(of(one, "x").known().totals().messages()).isEqualTo(3);
  }

  @ParameterizedTest(name = "the sender goes on: {0}")
  @CsvSource({"true", "false"})
  void storeThatForgot_isToldAgain_withAllThatWasKnown(boolean active) throws Exception {
    cameByBoth(one, "x 1");
    pass(Duration.ofSeconds(10), one);
    if (active) {
      came(one, A, "x 2", "x 3");
      now += 5_000;
    }
    store.store = SharedTexts.ofOneBridge();
    pass(Duration.ofMinutes(1), one);

    SenderInventory other = senders(100);
    other.runOnce();
    assertThat(of(other, "x")).isEqualTo(of(one, "x"));
    assertThat(of(other, "x").known().firstMillis()).isEqualTo(BEGIN);
    assertThat(of(other, "x").known().totals().messages()).isEqualTo(active ? 3 : 1);
    assertThat(of(other, "x").paths().get(B).copies()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"gibberish", "1 2", "1764151200000 +1 1 a 1764151200000 1 0"})
  void textThatIsNoRecord_isReplaced(String text) throws Exception {
    store.replace(List.of(new SharedTexts.Change("x", "", text)));
    came(one, A, "x 1");
    pass(Duration.ofSeconds(10), one);
    store.replace(List.of(new SharedTexts.Change("x", store.all().get("x"), text)));
    came(one, A, "x 2");
    pass(Duration.ofSeconds(6), one);
    came(one, A, "y 1");
    pass(Duration.ofSeconds(6), one);

    assertThat(of(one, "y").known().totals().messages()).as("not held up").isEqualTo(1);
    assertThat(store.all()).containsOnlyKeys("x", "y").doesNotContainValue(text);
  }

  @Test
  void senderWithoutAPlace_isCountedAsUnlisted() throws Exception {
    SenderInventory few = senders(3);
    came(few, A, "x 1", "y 1");
    pass(Duration.ofSeconds(10), few);
    // Those that are known and wait need no second place.
    came(few, A, "x 2", "y 2", "z 1", "last 1", "last 2");
    pass(Duration.ofSeconds(10), few);
    came(few, A, "last 3", "z 2");

    assertThat(few.size()).isEqualTo(3);
    assertThat(few.unlisted()).isEqualTo(3);
  }

  @Test
  void moreSendersThanATurnTakes_areHandedOverAtTheEnd() throws Exception {
    SenderInventory many = senders(3_000);
    for (int i = 0; i < 1_700; i++) {
      came(many, A, "10.0.0." + i + " m");
    }
    many.leave();

    assertThat(store.all()).hasSize(1_700);
  }

  @ParameterizedTest(name = "{0}={1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          only  | silent   | y
          only  | one-path | x
          only  | new      | yx
          find  | x        | x
          sort  | sender   | xy
          sort  | messages | yx
          sort  | first    | yx
          limit | 1        | y
          """)
  void question_isAnswered_withWhomItAsksFor(String word, String value, String expected)
      throws Exception {
    one.runOnce();
    comeByA("x", 5);
    loseB("y");

    SendersText answer = text(one, word, value);

    assertThat(answer.needsAttention()).isTrue();
    assertThat(
            answer
                .csv()
                .lines()
                .skip(1)
                .map(line -> line.substring(1, 2))
                .distinct()
                .collect(Collectors.joining()))
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"only, some", "sort, age", "limit, -1", "limit, 10001", "limit, ten"})
  void questionThatIsWrong_isRefused(String word, String value) {
    assertThatThrownBy(() -> text(one, word, value))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(word + " must be");
  }

  @Test
  void tableAndCsv_sayWhoIsSilentWhere_andObeyNoSender() throws Exception {
    loseB("=\u001b[2J\"x");
    SendersText text = text(one, "find", "");

    assertThat(text.table())
        .isEqualTo(
            """
            1 senders, 1 silent on one path, 0 gone, 0 loud, 0 slow; 1 of 1 found

            sender                                  first                last                       messages
            =?[2J"x                                 2026-11-26T10:00:00Z 2026-11-26T10:00:50Z              6
              silent on b since 2026-11-26T10:00:00Z: 5 copies came by others
            """);
    assertThat(text.csv())
        .isEqualTo(
            """
            sender,first,last,messages,bytes,stream,state,last_on_stream,copies,missed_since,gone_missing,volume,numbers_missing,clock_ahead_seconds,malformed,late,cut,refused
            "'=?[2J""x",2026-11-26T10:00:00Z,2026-11-26T10:00:50Z,6,56,a,heard,2026-11-26T10:00:50Z,6,0,0,,0,0,0,0,0,0
            "'=?[2J""x",2026-11-26T10:00:00Z,2026-11-26T10:00:50Z,6,56,b,silent,2026-11-26T10:00:00Z,1,5,0,,0,0,0,0,0,0
            """);
  }
}
