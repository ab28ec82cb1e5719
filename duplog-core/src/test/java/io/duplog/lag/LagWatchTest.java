package io.duplog.lag;

import static io.duplog.lag.StreamState.FLOWING;
import static io.duplog.lag.StreamState.MISNAMED;
import static io.duplog.lag.StreamState.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.duplog.dedup.Board;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.observe.LogLines;
import io.duplog.wire.Heartbeat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Steps one or more bridges' watches through a time of the test's own. */
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
      Pattern.compile("(other:)?([ab])\\.(message|beat|end)(?:[-/](\\d+))?(?::([ab]))?");

  private final Map<String, Path> paths = new HashMap<>(Map.of("a", EMPTY, "b", EMPTY));
  private final FakeBoard board = new FakeBoard();
  private long millis;
  private final LagWatch other = watch("10S", board);
  private LagWatch watch = watch("10S", board);

  private static Path path(boolean connected, boolean held, long ready, int queues, int readers) {
    return new Path(connected, held, ready, queues, readers, null);
  }

  private LagWatch watch(String heartbeat, Board with) {
    return new LagWatch(
        List.of("a", "b"),
        Duration.ofMinutes(10),
        new LagConfig(Duration.parse("PT" + heartbeat)),
        paths::get,
        with,
        () -> millis * 1_000_000,
        () -> BEGIN + millis);
  }

  /**
   * Of each step a word. Seconds pass ({@code +31}); a stream's state is looked at ({@code a=DEAD},
   * or {@code look} at whatever it is). On stream a comes a message ({@code a.message}, or one that
   * is so many seconds old, {@code a.message-290}), a heartbeat ({@code a.beat}, or one that names
   * stream b, {@code a.beat:b}, or tells another interval, {@code a.beat/60}), or a shim's last one
   * ({@code a.end}); {@code other:} stands before what comes to another bridge. {@code a.path:}
   * changes what this bridge knows of its way there.
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
          what another bridge's own queue brings is its affair | other:a.beat:b a.path:shared a=SILENT
          """)
  void state_followsWhatIsSeen(String what, String script) {
    List<String> done = new ArrayList<>();
    String steps =
        Pattern.compile("(\\d+)\\*\\((.*?)\\)")
            .matcher(script)
            .replaceAll(loop -> (loop.group(2) + " ").repeat(Integer.parseInt(loop.group(1))));
    for (String step : steps.trim().split(" +", -1)) {
      done.add(step);
      if (step.startsWith("+")) {
        pass(Long.parseLong(step));
      } else if (step.contains("=")) {
        assertThat(look(step.substring(0, 1)).state())
            .as("%s: %s", what, done)
            .isEqualTo(StreamState.valueOf(step.substring(2)));
      } else if (step.contains(".path:")) {
        paths.put(step.substring(0, 1), PATHS.get(step.substring(7)));
      } else {
        switch (step) {
          case "look" -> look("a");
          case "no-heartbeats" -> watch = watch("0S", board);
          case "no-board" -> board.away = true;
          default -> come(step);
        }
      }
    }
  }

  private void come(String step) {
    Matcher words = COMING.matcher(step);
    assertThat(words.matches()).as(step).isTrue();
    LagWatch at = words.group(1) == null ? watch : other;
    String stream = words.group(2);
    long number = words.group(4) == null ? 0 : Long.parseLong(words.group(4));
    if (words.group(3).equals("message")) {
      message(at, stream, number);
    } else {
      boolean ending = words.group(3).equals("end");
      String named = words.group(5) == null ? stream : words.group(5);
      at.of(stream).beat(heartbeat(named, number == 0 ? 10_000 : number * 1000, ending));
    }
    if (at == other) {
      other.runOnce();
    }
  }

  @Test
  void lag_isTheAgeOfWhatIsSettled_andZeroOnceTheQueueIsEmpty() {
    paths.put("a", path(true, false, 5, 1, 1));
    message("a", 90);
    assertThat(look("a").lagSeconds()).isEqualTo(90);
    assertThat(look("a").ageSeconds()).isEqualTo(90);
    look("b");
    assertThat(watch.report().skewSeconds()).isEqualTo(90);
    paths.put("a", EMPTY);
    pass(60);
    assertThat(look("a").lagSeconds()).isZero();
    assertThat(look("a").ageSeconds()).isEqualTo(150);
    assertThat(watch.report().skewSeconds()).isZero();
  }

  @Test
  void batchThatIsHeld_keepsTheStreamFromBeingLevel() {
    look("a");
    watch.of("a").arrived();
    pass(40);
    assertThat(look("a").lagSeconds()).isEqualTo(40);
    watch.of("a").ended();
    assertThat(look("a").lagSeconds()).isZero();
  }

  @Test
  void death_andLagAtHalfOfTheWindow_atItsEnd_andItsEnd_areLogged() throws Exception {
    List<String> lines =
        LogLines.of(
            StreamWatch.class,
            () -> {
              paths.put("a", path(true, false, 5, 1, 1));
              for (int age = 0; age <= 720; age += 10) {
                message("a", 0);
                pass(age);
                look("a");
                watch.of("a").settled(BEGIN + millis);
              }
              message("a", 0);
              look("a");
            });
    assertThat(lines)
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .startsWith("WARN b is dead: its broker answers, but neither message"),
            line ->
                assertThat(line)
                    .startsWith(
                        "WARN a is 5 m behind, its window ends at 10 m: what it brings later")
                    .endsWith(
                        "(5 batches wait in its queue; if it is short, the node's clock is"
                            + " behind)"),
            line -> assertThat(line).startsWith("WARN a is 10 m behind, its window ended at 10 m"),
            line -> assertThat(line).startsWith("INFO a's lag is well again"));
  }

  @Test
  void clockAhead_neverGoesBelowZero_andDoesNotHideTheLagOfLater() {
    paths.put("a", path(true, false, 5, 1, 1));
    message("a", -3600);
    assertThat(look("a").ageSeconds()).isZero();
    assertThat(look("a").lagSeconds()).isZero();
    pass(400);
    assertThat(look("a").lagSeconds()).isEqualTo(400);
  }

  @Test
  void clockBehind_isNoLag_whileTheQueueIsSeenEmpty() {
    message("a", 3600);
    assertThat(look("a").lagSeconds()).isZero();
    watch.of("a").beat(new Heartbeat("a", "p", BEGIN + millis - 3_600_000, 10_000, 0, 0, 1, false));
    assertThat(look("a").heartbeat().delaySeconds()).isEqualTo(3600);
    pass(31);
    assertThat(look("a").heartbeat().delaySeconds()).isNaN();
  }

  @Test
  void whatAnotherBridgeWasGiven_hasItsAge() {
    beat(other, "a");
    message(other, "b", 5);
    other.runOnce();
    pass(10);
    assertThat(look("a").heartbeat().ageSeconds()).isCloseTo(10, within(0.01));
    assertThat(look("b").ageSeconds()).isEqualTo(15);
  }

  @Test
  void shim_thatPublishesToMoreQueuesThanAreRead_isWarnedOf() throws Exception {
    List<String> lines =
        LogLines.of(
            StreamWatch.class,
            () -> {
              watch.of("a").beat(new Heartbeat("a", "p", BEGIN, 10_000, 0, 0, 4, false));
              look("a");
              paths.put("a", path(true, false, 0, 4, 1));
              look("a");
            });
    assertThat(lines)
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .startsWith(
                        "WARN the shim of a publishes to 4 queues, of which this bridge reads 1"),
            line -> assertThat(line).startsWith("INFO reading of a's queues is well again"));
  }

  @Test
  void batchOfAnotherStream_isSaid_untilNoneComesAnyMoreAndThisStreamsDo() throws Exception {
    List<String> lines =
        LogLines.of(
            StreamWatch.class,
            () -> {
              beat(watch, "b");
              watch.of("a").arrived();
              watch.of("a").misnamed("b");
              watch.of("a").ended();
              assertThat(look("a").state()).isEqualTo(MISNAMED);
              assertThat(look("a").saidToBe()).isEqualTo("b");
              watch.of("a").named();
              assertThat(look("a").state()).isEqualTo(MISNAMED);
              pass(61);
              message("a", 0);
              beat(watch, "b");
              assertThat(look("a").state()).isEqualTo(FLOWING);
              assertThat(look("a").saidToBe()).isNull();
            });

    assertThat(lines)
        .satisfiesExactly(
            line -> assertThat(line).startsWith("WARN the queue of a brings b: what says so is"),
            line -> assertThat(line).startsWith("INFO a's name is well again"));
  }

  @Test
  void strangeNote_changesNothing_andNoStrangeNameIsRepeated() {
    board.notes.put("a message", new Board.Note("a message", "soon", 0));
    board.notes.put("a heartbeat", new Board.Note("a heartbeat", "1\nnonsense", 0));
    board.notes.put("z message", new Board.Note("z message", "1", 0));
    assertThat(look("a").state()).isEqualTo(UNKNOWN);
    assertThat(look("a").ageSeconds()).isNaN();
    watch.of("a").misnamed("no stream\n2026 WARN");
    assertThat(look("a").saidToBe()).isEqualTo("a name that is no stream's");
  }

  private void message(String stream, long ageSeconds) {
    message(watch, stream, ageSeconds);
  }

  private void message(LagWatch at, String stream, long ageSeconds) {
    at.of(stream).arrived();
    at.of(stream).settled(BEGIN + millis - ageSeconds * 1000);
    at.of(stream).ended();
  }

  private void beat(LagWatch at, String stream) {
    at.of(stream).beat(heartbeat(stream, 10_000, false));
  }

  private Heartbeat heartbeat(String stream, long intervalMillis, boolean ending) {
    return new Heartbeat(stream, "p", BEGIN + millis, intervalMillis, 0, 0, 1, ending);
  }

  private void pass(long seconds) {
    millis += seconds * 1000;
  }

  private StreamLag look(String stream) {
    watch.runOnce();
    return watch.report().streams().get(stream.equals("a") ? 0 : 1);
  }

  /** Ages are as at the time of posting; a look at once after it sees no difference. */
  private final class FakeBoard implements Board {
    final Map<String, Note> notes = new HashMap<>();
    final Map<String, Long> seen = new HashMap<>();
    boolean away;

    @Override
    public List<Note> exchange(List<Note> own) throws LedgerUnavailableException {
      if (away) {
        throw new LedgerUnavailableException("away", null, false);
      }
      for (Note note : own) {
        if (seen.getOrDefault(note.subject(), Long.MIN_VALUE) <= millis - note.ageMillis()) {
          seen.put(note.subject(), millis - note.ageMillis());
          notes.put(note.subject(), note);
        }
      }
      List<Note> all = new ArrayList<>();
      notes.forEach(
          (subject, note) ->
              all.add(new Note(subject, note.text(), millis - seen.getOrDefault(subject, millis))));
      return all;
    }
  }
}
