package io.duplog.lag;

import static io.duplog.lag.StreamState.BEHIND;
import static io.duplog.lag.StreamState.DEAD;
import static io.duplog.lag.StreamState.DISCONNECTED;
import static io.duplog.lag.StreamState.FLOWING;
import static io.duplog.lag.StreamState.HELD;
import static io.duplog.lag.StreamState.MISNAMED;
import static io.duplog.lag.StreamState.SILENT;
import static io.duplog.lag.StreamState.UNKNOWN;
import static io.duplog.lag.StreamState.WAITING;
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
import org.junit.jupiter.api.Test;

/** Steps one or more bridges' watches through a time of the test's own. */
class LagWatchTest {
  private static final long BEGIN = 1_700_000_000_000L;
  private static final Path EMPTY = path(true, false, 0, 1, 1);

  private final Map<String, Path> paths = new HashMap<>(Map.of("a", EMPTY, "b", EMPTY));
  private final FakeBoard board = new FakeBoard();
  private long millis;
  private final LagWatch watch = watch("10S", board);

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

  @Test
  void stream_withMessages_flows() {
    message("a", 0);
    assertThat(look("a").state()).isEqualTo(FLOWING);
    assertThat(look("b").state()).isEqualTo(UNKNOWN);
  }

  @Test
  void heartbeatsAlone_areSilence_andTheirEndIsDeath() {
    for (int i = 0; i < 10; i++) {
      beat(watch, "a");
      pass(10);
      look("a");
    }
    assertThat(look("a").state()).isEqualTo(SILENT);
    assertThat(look("a").heartbeatAgeSeconds()).isEqualTo(10);
    pass(21);
    assertThat(look("a").state()).isEqualTo(DEAD);
    message("a", 0);
    assertThat(look("a").state()).isEqualTo(FLOWING);
  }

  @Test
  void streamWhoseShimNeverBegan_waits_untilAnotherStreamBringsMessages() {
    look("b");
    pass(31);
    assertThat(look("b").state()).isEqualTo(WAITING);
    pass(3600);
    assertThat(look("b").state()).isEqualTo(WAITING);
    message("a", 0);
    assertThat(look("b").state()).isEqualTo(WAITING); // its shim may be on its way
    pass(30);
    assertThat(look("b").state()).isEqualTo(WAITING);
    pass(1);
    assertThat(look("b").state()).isEqualTo(DEAD);
    message("b", 0);
    assertThat(look("b").state()).isEqualTo(FLOWING);
  }

  @Test
  void streamWhoseShimEndedInGoodOrder_waits_andIsDeadOnceItMissesMessages() {
    LagWatch other = watch("10S", board);
    look("a");
    beat(watch, "a");
    pass(5);
    message("b", 0); // while rsyslog is being restarted
    other.beat("a", new Heartbeat("a", "p", BEGIN + millis, 10_000, 0, 0, 1, true));
    other.runOnce();
    assertThat(look("a").state()).isEqualTo(WAITING);
    pass(3600);
    assertThat(look("a").state()).isEqualTo(WAITING);
    for (int i = 0; i < 31; i++) {
      message("b", 0);
      assertThat(look("a").state()).isEqualTo(WAITING);
      pass(1);
    }
    assertThat(look("a").state()).isEqualTo(DEAD);
    beat(watch, "a");
    assertThat(look("a").state()).isEqualTo(SILENT);
    pass(31);
    assertThat(look("a").state()).isEqualTo(DEAD);
  }

  @Test
  void longerInterval_thatTheShimTells_isWaitedFor() {
    look("a");
    watch.beat("a", heartbeat("a", 60_000));
    pass(100);
    assertThat(look("a").state()).isEqualTo(SILENT);
    pass(81);
    assertThat(look("a").state()).isEqualTo(DEAD);
  }

  @Test
  void withoutHeartbeats_nothingIsProvenDead() {
    LagWatch unaware = watch("0S", board);
    unaware.runOnce();
    pass(3600);
    unaware.runOnce();
    assertThat(unaware.report().streams().get(0).state()).isEqualTo(UNKNOWN);
    unaware.arrived("a");
    unaware.ended("a");
    pass(3600);
    unaware.runOnce();
    assertThat(unaware.report().streams().get(0).state()).isEqualTo(SILENT);
  }

  @Test
  void brokerThatDoesNotAnswerYet_isUnknownAtFirst_andThenDisconnection() {
    paths.put("a", path(false, false, -1, 1, 0));
    assertThat(look("a").state()).isEqualTo(UNKNOWN);
    pass(4);
    assertThat(look("a").state()).isEqualTo(UNKNOWN);
    pass(1);
    assertThat(look("a").state()).isEqualTo(DISCONNECTED);
  }

  @Test
  void brokerThatIsAway_isDisconnection_andDeathIsDecidedAnewAfterwards() {
    beat(watch, "a");
    look("a");
    pass(100);
    paths.put("a", path(false, false, -1, 1, 1));
    assertThat(look("a").state()).isEqualTo(DISCONNECTED);
    pass(100);
    paths.put("a", EMPTY);
    assertThat(look("a").state()).isEqualTo(UNKNOWN);
    pass(31);
    assertThat(look("a").state()).isEqualTo(DEAD);
  }

  @Test
  void bridgeThatTakesNothing_callsNoStreamDead() {
    paths.put("a", path(true, true, 0, 1, 1));
    pass(3600);
    assertThat(look("a").state()).isEqualTo(HELD);
    paths.put("a", path(true, false, 40, 1, 1)); // a full prefetch
    pass(100);
    look("a");
    pass(100);
    assertThat(look("a").state()).isEqualTo(HELD);
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
    watch.arrived("a");
    pass(40);
    assertThat(look("a").lagSeconds()).isEqualTo(40);
    watch.ended("a");
    assertThat(look("a").lagSeconds()).isZero();
  }

  @Test
  void lagAboveHalfOfTheWindow_isBehind_longBeforeTheWindowEnds() {
    paths.put("a", path(true, false, 5, 1, 1));
    message("a", 290);
    assertThat(look("a").state()).isEqualTo(FLOWING);
    message("a", 290);
    pass(11);
    assertThat(look("a").state()).isEqualTo(BEHIND);
    message("a", 3);
    assertThat(look("a").state()).isEqualTo(FLOWING);
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
                watch.settled("a", BEGIN + millis);
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
                        "(5 batches wait in its queue; if it is short, the node's clock is behind)"),
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
    watch.beat("a", new Heartbeat("a", "p", BEGIN + millis - 3_600_000, 10_000, 0, 0, 1, false));
    assertThat(look("a").heartbeatDelaySeconds()).isEqualTo(3600);
    pass(31);
    assertThat(look("a").heartbeatDelaySeconds()).isNaN();
  }

  @Test
  void heartbeat_thatAnotherBridgeWasGiven_counts() {
    paths.put("a", path(true, false, 0, 1, 2));
    paths.put("b", path(true, false, 0, 1, 2));
    LagWatch other = watch("10S", board);
    for (int i = 0; i < 10; i++) {
      beat(other, "a");
      other.runOnce();
      pass(10);
      assertThat(look("a").state()).isIn(SILENT, UNKNOWN);
    }
    assertThat(look("a").state()).isEqualTo(SILENT);
    assertThat(look("a").heartbeatAgeSeconds()).isCloseTo(10, within(0.01));
    other.arrived("b");
    other.settled("b", BEGIN + millis - 5000);
    other.ended("b");
    other.runOnce();
    assertThat(look("b").state()).isEqualTo(FLOWING);
    assertThat(look("b").ageSeconds()).isEqualTo(5);
  }

  @Test
  void shim_thatPublishesToMoreQueuesThanAreRead_isWarnedOf() throws Exception {
    List<String> lines =
        LogLines.of(
            StreamWatch.class,
            () -> {
              watch.beat("a", new Heartbeat("a", "p", BEGIN, 10_000, 0, 0, 4, false));
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
  void boardThatIsAway_makesThePatienceLonger_byTheNumberOfReaders() {
    paths.put("a", path(true, false, 0, 1, 3));
    board.away = true;
    look("a");
    beat(watch, "a");
    pass(80);
    assertThat(look("a").state()).isEqualTo(SILENT);
    pass(20);
    assertThat(look("a").state()).isEqualTo(DEAD);
  }

  /** Nobody else reads the queue, so what another bridge sees comes from another one. */
  @Test
  void queueThatBringsNothing_isNotCalledFlowing_forWhatAnotherBridgeSeesElsewhere() {
    LagWatch other = watch("10S", board);
    for (int i = 0; i < 4; i++) {
      other.arrived("a");
      other.ended("a");
      beat(other, "a");
      other.runOnce();
      assertThat(look("a").state()).isEqualTo(UNKNOWN);
      pass(10);
    }
    look("a");
    assertThat(look("a").state()).isEqualTo(DEAD);
  }

  @Test
  void queueThatIsLeftToThisBridge_isFlowing_untilItShouldHaveBeenBroughtSomething() {
    LagWatch other = watch("10S", board);
    paths.put("a", path(true, false, 0, 1, 8));
    message("a", 0);
    look("a");
    pass(60);
    other.arrived("a");
    other.ended("a");
    other.runOnce();
    paths.put("a", EMPTY);
    assertThat(look("a").state()).isEqualTo(FLOWING);
  }

  @Test
  void batchOfAnotherStream_isSaid_untilNoneComesAnyMoreAndThisStreamsDo() throws Exception {
    List<String> lines =
        LogLines.of(
            StreamWatch.class,
            () -> {
              beat(watch, "b");
              watch.arrived("a");
              watch.misnamed("a", "b");
              watch.ended("a");
              assertThat(look("a").state()).isEqualTo(MISNAMED);
              assertThat(look("a").saidToBe()).isEqualTo("b");
              watch.named("a");
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
  void heartbeatOfAnotherStream_isSaid_untilTheShimThatSentItHasEnded() {
    watch.beat("a", heartbeat("b", 10_000));
    assertThat(look("a").state()).isEqualTo(MISNAMED);
    watch.beat("a", new Heartbeat("b", "p", BEGIN + millis, 10_000, 0, 0, 1, true));
    pass(60);
    assertThat(look("a").state()).isEqualTo(MISNAMED);
    pass(1);
    assertThat(look("a").state()).isEqualTo(WAITING);
    watch.misnamed("a", "no stream\n2026 WARN");
    assertThat(look("a").saidToBe()).isEqualTo("a name that is no stream's");
  }

  @Test
  void heartbeatOfAnotherStream_isSaid_whileNothingCanComeThatWouldShowIt() {
    watch.beat("a", heartbeat("b", 10_000));
    look("a");
    paths.put("a", path(true, true, 0, 1, 1)); // the sink accepts nothing
    pass(1000);
    assertThat(look("a").state()).isEqualTo(MISNAMED);
    paths.put("a", EMPTY);
    assertThat(look("a").state()).isEqualTo(MISNAMED);
    pass(31);
    assertThat(look("a").state()).isEqualTo(DEAD);
  }

  /** What this bridge's own queue brings is well: another bridge's names are its own affair. */
  @Test
  void misnamedStreamOfAnotherBridge_isNotSaidHere() {
    LagWatch other = watch("10S", board);
    other.beat("a", heartbeat("b", 10_000));
    other.runOnce();
    paths.put("a", path(true, false, 0, 1, 2));
    assertThat(look("a").state()).isEqualTo(SILENT);
  }

  @Test
  void strangeNote_changesNothing() {
    board.notes.put("a message", new Board.Note("a message", "soon", 0));
    board.notes.put("a heartbeat", new Board.Note("a heartbeat", "1\nnonsense", 0));
    board.notes.put("z message", new Board.Note("z message", "1", 0));
    assertThat(look("a").state()).isEqualTo(UNKNOWN);
    assertThat(look("a").ageSeconds()).isNaN();
  }

  private void message(String stream, long ageSeconds) {
    watch.arrived(stream);
    watch.settled(stream, BEGIN + millis - ageSeconds * 1000);
    watch.ended(stream);
  }

  private void beat(LagWatch at, String stream) {
    at.beat(stream, heartbeat(stream, 10_000));
  }

  private Heartbeat heartbeat(String stream, long intervalMillis) {
    return new Heartbeat(stream, "p", BEGIN + millis, intervalMillis, 0, 0, 1, false);
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
