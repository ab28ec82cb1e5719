package io.duplog.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tests that the board shows what is wrong at once, and knows exactly when it began and ended. */
class ConditionsTest {
  private static final Logger log = LoggerFactory.getLogger(ConditionsTest.class);
  private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");

  private Duration passed = Duration.ZERO;
  private final Conditions board =
      new Conditions(() -> passed.toNanos(), () -> START.plus(passed).toEpochMilli());
  private final Trouble redis = trouble("redis", Level.DEGRADED);

  ConditionsTest() {
    board.add("redis", () -> "connected");
    board.add("sink", () -> "accepts");
  }

  private Trouble trouble(String subject, Level level) {
    return board.trouble(log, subject, subject, level, Runbook.STORE_AWAY);
  }

  private void pass(long millis) {
    passed = passed.plusMillis(millis);
  }

  private static Conditions.Period period(
      String subject, long fromMillis, @Nullable Long toMillis, String sentence) {
    return new Conditions.Period(
        subject,
        START.plusMillis(fromMillis),
        toMillis == null ? null : START.plusMillis(toMillis),
        sentence);
  }

  @Test
  void troubleOfTenMilliseconds_isAPeriod_withItsExactTimes() {
    pass(7);
    redis.occurred("refused.");
    pass(10);
    redis.recovered();

    assertThat(board.periods()).containsExactly(period("redis", 7, 17L, "refused."));
  }

  @Test
  void troubleWithoutAnyLength_isAPeriod() {
    redis.occurred("refused.");
    redis.recovered();

    assertThat(board.periods()).containsExactly(period("redis", 0, 0L, "refused."));
  }

  @Test
  void failuresAgain_areOnePeriod_thatHasTheLatestSentence() {
    redis.occurred("away", "timed out.");
    pass(1);
    redis.occurred("away", "timed out.");
    pass(1);
    redis.occurred("away", "refused.");
    assertThat(board.periods()).containsExactly(period("redis", 0, null, "refused."));
    assertThat(board.condition("redis").sentence()).isEqualTo("refused.");

    pass(1);
    redis.recovered();
    assertThat(board.periods()).containsExactly(period("redis", 0, 3L, "refused."));
  }

  @Test
  void levelAndSentence_followAtOnce_andTheWorkIsSaidAfterwards() {
    assertThat(board.condition("redis")).isEqualTo(Condition.ok("redis", "connected"));
    redis.occurred("refused.");
    assertThat(board.conditions())
        .containsExactly(
            new Condition("redis", Level.DEGRADED, "refused.", Runbook.STORE_AWAY),
            Condition.ok("sink", "accepts"));
    assertThat(board.has("redis", Runbook.STORE_AWAY)).isTrue();
    redis.recovered();
    assertThat(board.condition("redis")).isEqualTo(Condition.ok("redis", "connected"));
    assertThat(board.has("redis", Runbook.STORE_AWAY)).isFalse();
  }

  @Test
  void troublesOfOneComponent_areOnePeriod_andSaidWithTheWorstFirst() {
    Trouble one = trouble("sink", Level.DEGRADED);
    Trouble other = trouble("sink", Level.DOWN);
    one.occurred("splunk-0 answers 503");
    pass(1);
    other.occurred("The disk is full.");
    assertThat(board.condition("sink").level()).isEqualTo(Level.DOWN);
    assertThat(board.condition("sink").sentence())
        .isEqualTo("The disk is full. splunk-0 answers 503.");
    pass(1);
    one.recovered();
    pass(1);
    other.recovered();

    assertThat(board.periods()).containsExactly(period("sink", 0, 3L, "The disk is full."));
  }

  @Test
  void manySentences_areNotAllRepeated() {
    List<Trouble> parts = new ArrayList<>();
    for (int part = 0; part < 16; part++) {
      parts.add(trouble("sink", Level.DEGRADED));
      parts.get(part).occurred("Part %d is away.".formatted(part));
    }
    assertThat(board.condition("sink").sentence())
        .isEqualTo("Part 0 is away. Part 1 is away. Part 2 is away. The log has 13 more.");
  }

  /** The sentence is one that the log has, because an operator looks for it there. */
  @Test
  void whatIsExpected_hasALevel_andItsSentenceIfNothingWasLogged() {
    Trouble accepting = trouble("sink", Level.DOWN);
    accepting.expected("It accepts nothing.");
    assertThat(board.condition("sink").sentence()).isEqualTo("It accepts nothing.");

    trouble("sink", Level.DEGRADED).occurred("splunk-0 answers 503.");
    assertThat(board.condition("sink").level()).isEqualTo(Level.DOWN);
    assertThat(board.condition("sink").sentence()).isEqualTo("splunk-0 answers 503.");
  }

  @Test
  void reportedCondition_isShownAsItIs_andAttentionIsNoPeriod() {
    Condition loss = new Condition("coverage b", Level.ATTENTION, "b missed 2 %.", null);
    board.add("coverage b", () -> "");
    board.report(loss);
    assertThat(board.condition("coverage b")).isEqualTo(loss);
    board.report(Condition.ok("coverage b", "b missed none."));
    assertThat(board.condition("coverage b").sentence()).isEqualTo("b missed none.");
    assertThat(board.periods()).isEmpty();

    board.add("lag b", () -> "");
    board.report(new Condition("lag b", Level.DEGRADED, "b is dead.", Runbook.STREAM_DEAD));
    pass(1);
    board.report(Condition.ok("lag b", "flowing"));
    assertThat(board.periods()).containsExactly(period("lag b", 0, 1L, "b is dead."));
  }

  @Test
  void componentThatNeverWorked_isGivenAMoment_andNoMore() {
    Trouble connection = trouble("stream a", Level.DOWN);
    Trouble other = trouble("stream b", Level.DOWN);
    connection.expected("not connected yet");
    other.expected("not connected yet");
    board.add("stream a", () -> "reading");
    board.add("stream b", () -> "reading");
    pass(Conditions.STARTING.toMillis() - 1);
    assertThat(board.periods()).isEmpty();
    connection.recovered();
    assertThat(board.periods()).isEmpty();

    pass(1);
    assertThat(board.periods()).containsExactly(period("stream b", 0, null, "not connected yet"));
    connection.occurred("reset.");
    assertThat(board.periods()).contains(period("stream a", 5_000, null, "reset."));
  }

  @Test
  void pastPeriods_areBounded_theNewestFirst() {
    for (int i = 0; i < 200; i++) {
      pass(1);
      redis.occurred("refused.");
      pass(1);
      redis.recovered();
    }

    assertThat(board.periods()).hasSize(Conditions.MAX_PAST_PERIODS);
    assertThat(board.periods().get(0)).isEqualTo(period("redis", 399, 400L, "refused."));
  }

  /** A slow log must not keep others from reading the board, or from changing it. */
  @Test
  void cost_isAskedWithoutAnyLock() throws Exception {
    redis.occurred("refused.");
    CountDownLatch changed = new CountDownLatch(1);
    redis.recovered(
        () -> {
          Thread other =
              new Thread(
                  () -> {
                    redis.occurred("refused again.");
                    redis.recovered();
                    changed.countDown();
                  });
          other.start();
          try {
            changed.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return "";
        });

    assertThat(board.periods()).hasSize(2);
  }

  @Test
  void changesByManyThreads_loseNoPeriod() throws Exception {
    List<Thread> threads = new ArrayList<>();
    for (int n = 0; n < 4; n++) {
      Trouble each = trouble("part " + n, Level.DEGRADED);
      board.add("part " + n, () -> "connected");
      threads.add(
          new Thread(
              () -> {
                for (int i = 0; i < 10; i++) {
                  each.occurred("refused.");
                  each.recovered();
                }
              }));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(board.periods()).hasSize(40).allMatch(period -> period.to() != null);
  }
}
