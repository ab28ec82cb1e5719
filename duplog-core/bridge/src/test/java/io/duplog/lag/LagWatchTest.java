package io.duplog.lag;

import static io.duplog.lag.StreamState.FLOWING;
import static io.duplog.lag.StreamState.MISNAMED;
import static io.duplog.lag.StreamState.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.dedup.BridgeNotes;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.PeerSettings;
import io.duplog.observe.Conditions;
import io.duplog.observe.LogLines;
import io.duplog.testkit.Script;
import io.duplog.wire.Heartbeat;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests when a bridge reports a stream as silent, behind or dead, by a clock that the test moves.
 */
class LagWatchTest {
  private static final long BEGIN = 1_700_000_000_000L;
  private static final Path EMPTY = path(true, false, 0, 1, 1);
  private static final Map<String, Path> PATHS =
      Map.of(
          "empty", EMPTY,
          "away", path(false, false, -1, 1, 1),
          "held", path(true, true, 0, 1, 1),
          "ready", path(true, false, 5, 1, 1),
          "shared", path(true, false, 0, 1, 3));
  private static final Pattern COMING =
      Pattern.compile(
          "(other:)?([ab])\\.(message|arrived|ended|beat|end)([-+/~!]\\d+)?(?::([ab]))?");

  private final Map<String, Path> paths = new HashMap<>(Map.of("a", EMPTY, "b", EMPTY));

  /** Notes of the bridges, with the time at which they saw it in place of its age. */
  private final Map<String, BridgeNotes.Note> notes = new HashMap<>();

  private boolean boardIsAway;
  private long millis;
  private final Conditions board = new Conditions(() -> millis * 1_000_000, () -> BEGIN + millis);
  private final LagWatch other = watch("10S");
  private LagWatch watch = watch("10S");

  private static Path path(boolean connected, boolean held, long ready, int queues, int readers) {
    return new Path(connected, held, ready, queues, readers, null);
  }

  private LagWatch watch(String heartbeat) {
    return new LagWatch(
        List.of("a", "b"),
        Duration.ofMinutes(10),
        new LagConfig(Duration.parse("PT" + heartbeat)),
        paths::get,
        this::exchange,
        List.of(new PeerSettings("one", Map.of(), board)),
        board);
  }

  /**
   * Each word is a step. Seconds pass ({@code +31}). Words with {@code =} assert a stream's state
   * ({@code a=DEAD}), its lag ({@code a.lag=90}), the age of its newest message or heartbeat, and
   * the {@code skew} of both. Stream a brings a message ({@code a.message}), or one of a certain
   * age in seconds ({@code a.message-290}). A batch arrives and later ends ({@code a.arrived},
   * {@code a.ended}).
   *
   * <p>{@code a.beat} is a heartbeat, and {@code a.end} is a shim's last one. {@code a.beat:b}
   * names stream b, and {@code a.beat/60} names another interval. {@code a.beat~40} states how long
   * rsyslog was quiet, and {@code a.beat!40} that rsyslog probes, too. {@code other:} begins a step
   * that reaches another bridge. {@code a.path:} changes this bridge's knowledge of its path to the
   * queue.
   */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          messages flow | a.message a=FLOWING b=UNKNOWN
          heartbeats alone are silence, their end is death | 10*(a.beat +10 look) a=SILENT +21 a=DEAD a.message a=FLOWING
          shim that never began: waits until it misses messages | look +31 b=WAITING +3600 b=WAITING a.message b=WAITING +30 b=WAITING +1 b=DEAD b.message b=FLOWING
          shim that ended in good order: the same, but for those of a restart | look a.beat +5 b.message other:a.end a=WAITING +3600 a=WAITING 31*(b.message a=WAITING +1) a=DEAD a.beat a=SILENT +31 a=DEAD
          longer interval that the shim tells is waited for | look a.beat/60 +100 a=SILENT +81 a=DEAD
          without heartbeats nothing is proven dead | no-heartbeats look +3600 a=UNKNOWN a.message +3600 a=SILENT
          broker that does not answer yet is unknown at first | a.path:away a=UNKNOWN +4 a=UNKNOWN +1 a=DISCONNECTED
          death is decided anew after a disconnection | a.beat look +100 a.path:away a=DISCONNECTED +100 a.path:empty a=UNKNOWN +31 a=DEAD
          bridge that takes nothing calls nobody dead | a.path:held +3600 a=HELD
          full prefetch calls nobody dead | a.path:ready +100 look +100 a=HELD
          lag above half of the window is behind | a.path:ready a.message-290 a=FLOWING a.message-290 +11 a=BEHIND a.message-3 a=FLOWING
          patience is longer by the number of readers, where the others are not heard | a.path:shared no-board look a.beat +80 a=SILENT +20 a=DEAD
          what another bridge sees of a queue that only this one reads is of another queue | 4*(other:a.message other:a.beat a=UNKNOWN +10) look a=DEAD
          queue that others left flows until this bridge should have been brought something | a.path:shared a.message look +60 other:a.message a.path:empty a=FLOWING
          heartbeat of another stream, until its shim has ended | a.beat:b a=MISNAMED a.end:b +60 a=MISNAMED +1 a=WAITING
          heartbeat of another stream, while nothing can come that would show it | a.beat:b look a.path:held +1000 a=MISNAMED a.path:empty a=MISNAMED +31 a=DEAD
          what other bridges are given of the same queue counts | a.path:shared 10*(other:a.beat +10 look) a=SILENT other:a.message a=FLOWING
          lag is the age of what is settled, and zero once the queue is empty | a.path:ready a.message-90 look a.lag=90 a.age=90 skew=90 a.path:empty +60 a.lag=0 a.age=150 skew=0
          stream that was quiet before the bridge began has no lag from then | other:a.message +400 a.path:away a.lag=0 +200 a.lag=200 a.path:empty a.lag=0
          stream whose queue was full before the bridge began lags from then | other:a.message +400 a.path:ready a.lag=400 a=BEHIND
          batch that is held keeps the stream from being level | look a.arrived +40 a.lag=40 a.ended a.lag=0
          clock ahead never goes below zero, and does not hide the lag of later | a.path:ready a.message+3600 a.age=0 a.lag=0 +400 a.lag=400
          clock behind is no lag while the queue is seen empty | a.message-3600 a.lag=0
          what another bridge was given has its age | other:a.beat other:b.message-5 +10 a.beaten=10 b.age=15
          rsyslog that probes and is quiet is dead | 3*(a.beat!5 a=SILENT +10) a.beat!30 a=SILENT +10 a.beat!40 a=DEAD other:b.message a=DEAD +10 a.beat!2 a=SILENT +9 other:a.beat!60 a=DEAD +1 a.message a=FLOWING
          rsyslog that does not probe and is quiet: waits until it misses messages | look 4*(a.beat~30 a=SILENT +10) 9*(a.beat~40 a=WAITING +10) 4*(a.beat~40 b.message a=WAITING +10) a.beat~40 a=DEAD a.beat~1 a=SILENT
          what another bridge's own queue brings is its affair | other:a.beat:b a.path:shared a=SILENT
          """)
  void state_followsWhatIsSeen(String what, String script) throws Exception {
    Script.run(what, script, this::take, this::said);
  }

  private void take(String step) {
    if (step.startsWith("+")) {
      pass(Long.parseLong(step));
    } else if (step.contains(".path:")) {
      paths.put(step.substring(0, 1), PATHS.get(step.substring(7)));
    } else {
      switch (step) {
        case "look" -> look("a");
        case "no-heartbeats" -> watch = watch("0S");
        case "no-board" -> boardIsAway = true;
        default -> come(step);
      }
    }
  }

  private Object said(String about) {
    StreamLag lag = look(about.substring(0, 1));
    return switch (about.substring(1)) {
      case "" -> lag.state();
      case ".lag" -> Math.round(lag.lagSeconds());
      case ".age" -> Math.round(lag.ageSeconds());
      case ".beaten" -> Math.round(lag.heartbeat().ageSeconds());
      default -> Math.round(watch.report().skewSeconds());
    };
  }

  private void come(String step) {
    Matcher words = COMING.matcher(step);
    assertThat(words.matches()).as(step).isTrue();
    LagWatch at = words.group(1) == null ? watch : other;
    String stream = words.group(2);
    String with = words.group(4) == null ? "-0" : words.group(4);
    switch (words.group(3)) {
      case "message" -> message(at, stream, -Long.parseLong(with));
      case "arrived" -> at.of(stream).arrived();
      case "ended" -> at.of(stream).ended();
      default -> {
        char sign = with.charAt(0);
        long number = Long.parseLong(with.substring(1));
        long interval = sign == '/' ? number : 10;
        Heartbeat.Rsyslog rsyslog =
            sign == '~' || sign == '!'
                ? new Heartbeat.Rsyslog(number * 1000, sign == '!')
                : Heartbeat.Rsyslog.NOT_KNOWN;
        String named = words.group(5) == null ? stream : words.group(5);
        Heartbeat.Report report =
            new Heartbeat.Report(0, 0, 1, Heartbeat.Losses.NONE_KNOWN, rsyslog);
        boolean ending = words.group(3).equals("end");
        at.of(stream)
            .beat(new Heartbeat(named, "p", BEGIN + millis, interval * 1000, report, ending));
      }
    }
    if (at == other) {
      other.runOnce();
    }
  }

  @Test
  void death_andLagAtHalfOfTheWindow_atItsEnd_andItsEnd_areLogged() throws Exception {
    List<String> lines =
        LogLines.of(
            StreamWatch.class,
            () -> {
              paths.put("a", path(true, false, 5, 1, 1));
              for (int age = 0; age <= 720; age += 10) {
                message(watch, "a", 0);
                pass(age);
                look("a");
                watch.of("a").settled(BEGIN + millis);
              }
              message(watch, "a", 0);
              look("a");
            });
    assertBegin(
        lines,
        "WARN b is dead. Its broker answers, but neither message",
        "WARN a is 5 m behind its senders. Its messages are still delivered once",
        "WARN a is 10 m behind its senders. Its messages are still delivered once",
        "INFO a's lag recovered");
    assertThat(lines.get(1))
        .endsWith(
            "5 batches wait in its queue; if these are few, check whether the node's clock is behind.");
  }

  /** Brings a message on each stream every second, except what a stream holds up. */
  private void flow(int seconds, String... streams) {
    for (int i = 0; i < seconds; i += 10) {
      for (String stream : streams) {
        message(watch, stream, 0);
      }
      pass(10);
      look("a");
    }
  }

  @Test
  void stream_thatLagsBehindAnother_isWarnedOf_andWhatItBringsLaterThanAWindowIsLate()
      throws Exception {
    List<String> lines =
        LogLines.of(
            StreamWatch.class,
            () -> {
              flow(100, "a", "b");
              paths.put("b", path(true, false, 5, 1, 1));
              flow(590, "a");
              assertThat(late("b", 580)).isFalse();
              flow(200, "a");
              assertThat(late("b", 610)).isTrue();
              assertThat(late("b", 580)).isFalse();
              assertThat(late("a", 610)).as("b is not as far").isFalse();
              flow(10, "a", "b");
            });
    assertBegin(
        lines,
        "WARN b is 5 m behind, and its window ends at 10 m. Messages that arrive later",
        "WARN b is 10 m behind, and its window ended at 10 m",
        "INFO b's lag recovered");
  }

  @Test
  void streams_thatAllHadToWaitForTheSink_areNotLate_andNothingIsSaidToComeTwice()
      throws Exception {
    List<String> lines =
        LogLines.of(
            StreamWatch.class,
            () -> {
              flow(100, "a", "b");
              message(watch, "a", 0);
              Map.of("a", 5L, "b", 5L)
                  .forEach((stream, ready) -> paths.put(stream, path(true, true, ready, 1, 1)));
              for (int i = 0; i < 180; i++) {
                pass(10);
                look("a");
              }
              paths.put("a", path(true, false, 5, 1, 1));
              paths.put("b", path(true, false, 5, 1, 1));
              // Stream a drains faster than b.
              for (int age = 1800; age > 0; age -= 20) {
                assertThat(late("a", age - 10)).isFalse();
                assertThat(late("b", age - 10)).isFalse();
                message(watch, "a", Math.max(0, age - 20));
                message(watch, "b", Math.max(0, 900 + age / 2));
                pass(1);
                look("a");
              }
            });
    assertThat(lines).noneMatch(line -> line.contains("second time"));
  }

  @Test
  void stream_thatComesBackAfterTheBridgeBeganAgain_isLate_butNotWhatAllBringLate() {
    flow(1000, "a");
    watch = watch("10S");
    look("a");
    assertThat(late("b", 900)).isTrue();
    assertThat(late("b", 500)).isFalse();

    paths.put("a", path(true, true, 5, 1, 1));
    pass(3600);
    watch = watch("10S");
    look("a");
    assertThat(late("b", 3500)).as("nobody has brought it").isFalse();
    message(watch, "a", 3000);
    assertThat(late("b", 3500)).as("a has brought it just now").isFalse();
    assertThat(late("b", 3700)).isTrue();
  }

  /** Whether what was published so many seconds ago is late. */
  private boolean late(String stream, long agoSeconds) {
    return BEGIN + millis - agoSeconds * 1000 <= watch.unmatchedUntilMillis(stream);
  }

  @ParameterizedTest
  @CsvSource({"10S, 29, 31", "60S, 179, 181"})
  void stream_isCurrent_untilThreeHeartbeatsAreMissing(String interval, int at, int after) {
    watch = watch(interval);
    watch.of("a").beat(heartbeat("a", BEGIN + millis, 1));
    pass(at);
    look("a");
    assertThat(watch.isCurrent("a")).isTrue();
    pass(after - at);
    look("a");
    assertThat(watch.isCurrent("a")).isFalse();
  }

  /** Otherwise this stream's senders would be called silent, although their node is at fault. */
  @ParameterizedTest
  @CsvSource({"30, true, true", "31, true, false", "31, false, false", "-1, false, true"})
  void stream_isCurrent_unlessItsRsyslogIsQuiet(long quietSeconds, boolean probes, boolean so) {
    Heartbeat.Rsyslog rsyslog =
        new Heartbeat.Rsyslog(quietSeconds < 0 ? -1 : quietSeconds * 1000, probes);
    Heartbeat.Report report = new Heartbeat.Report(0, 0, 1, Heartbeat.Losses.NONE_KNOWN, rsyslog);
    watch.of("a").beat(new Heartbeat("a", "p", BEGIN + millis, 10_000, report, false));
    look("a");
    assertThat(watch.isCurrent("a")).isEqualTo(so);
  }

  private static void assertBegin(List<String> lines, String... beginnings) {
    assertThat(lines)
        .zipSatisfy(
            List.of(beginnings), (line, beginning) -> assertThat(line).startsWith(beginning));
  }

  private static Heartbeat heartbeat(String stream, long publishedMillis, int queues) {
    Heartbeat.Report report =
        new Heartbeat.Report(
            0, 0, queues, Heartbeat.Losses.NONE_KNOWN, Heartbeat.Rsyslog.NOT_KNOWN);
    return new Heartbeat(stream, "p", publishedMillis, 10_000, report, false);
  }

  @Test
  void delayOfAHeartbeat_isTold_whileItIsFresh() {
    watch.of("a").beat(heartbeat("a", BEGIN + millis - 3_600_000, 1));
    assertThat(look("a").heartbeat().delaySeconds()).isEqualTo(3600);
    pass(31);
    assertThat(look("a").heartbeat().delaySeconds()).isNaN();
  }

  @Test
  void shim_thatPublishesToMoreQueuesThanAreRead_isWarnedOf() throws Exception {
    List<String> lines =
        LogLines.of(
            StreamWatch.class,
            () -> {
              watch.of("a").beat(heartbeat("a", BEGIN, 4));
              assertThat(look("a").unread()).isEqualTo(3);
              paths.put("a", path(true, false, 0, 4, 1));
              assertThat(look("a").unread()).isZero();
              assertThat(look("b").unread()).as("nobody knows").isEqualTo(-1);
            });
    assertBegin(
        lines,
        "WARN The shim of a publishes to 4 queues, but this bridge reads 1.",
        "INFO reading of a's queues recovered");
  }

  @Test
  void batchOfAnotherStream_isSaid_untilNoneComesAnyMoreAndThisStreamsDo() throws Exception {
    List<String> lines =
        LogLines.of(
            StreamWatch.class,
            () -> {
              watch.of("b").beat(heartbeat("b", BEGIN + millis, 1));
              watch.of("a").arrived();
              watch.of("a").misnamed("b");
              watch.of("a").ended();
              assertThat(look("a").state()).isEqualTo(MISNAMED);
              assertThat(look("a").condition().sentence()).contains("messages of stream b.");
              watch.of("a").named();
              assertThat(look("a").state()).isEqualTo(MISNAMED);
              pass(61);
              message(watch, "a", 0);
              watch.of("b").beat(heartbeat("b", BEGIN + millis, 1));
              assertThat(look("a").state()).isEqualTo(FLOWING);
              assertThat(look("a").condition().isOk()).isTrue();
            });
    assertBegin(
        lines,
        "WARN The queue of stream a contains messages of stream b.",
        "INFO a's name recovered");
  }

  @Test
  void strangeNote_changesNothing_andNoStrangeNameIsRepeated() throws Exception {
    exchange(
        List.of(
            new BridgeNotes.Note("a message", "soon", 0),
            new BridgeNotes.Note("a heartbeat", "1\nnonsense", 0),
            new BridgeNotes.Note("z message", "1", 0)));
    assertThat(look("a").state()).isEqualTo(UNKNOWN);
    assertThat(look("a").ageSeconds()).isNaN();
    watch.of("a").misnamed("no stream\n2026 WARN");
    assertThat(look("a").condition().sentence()).contains("of stream an invalid name.");
  }

  private List<BridgeNotes.Note> exchange(List<BridgeNotes.Note> own)
      throws LedgerUnavailableException {
    if (boardIsAway) {
      throw new LedgerUnavailableException("away", null, false);
    }
    for (BridgeNotes.Note note : own) {
      notes.merge(
          note.subject(),
          timed(note),
          (known, more) -> more.ageMillis() < known.ageMillis() ? known : more);
    }
    return notes.values().stream().map(this::timed).toList();
  }

  /** Replaces a note's age by a time, or its time by an age. */
  private BridgeNotes.Note timed(BridgeNotes.Note note) {
    return new BridgeNotes.Note(note.subject(), note.text(), millis - note.ageMillis());
  }

  private void message(LagWatch at, String stream, long ageSeconds) {
    at.of(stream).arrived();
    at.of(stream).settled(BEGIN + millis - ageSeconds * 1000);
    at.of(stream).ended();
  }

  private void pass(long seconds) {
    millis += seconds * 1000;
  }

  private StreamLag look(String stream) {
    watch.runOnce();
    return watch.report().streams().get(stream.equals("a") ? 0 : 1);
  }
}
