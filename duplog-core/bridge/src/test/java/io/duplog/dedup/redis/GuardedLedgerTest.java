package io.duplog.dedup.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.duplog.dedup.Claim;
import io.duplog.dedup.Epoch;
import io.duplog.dedup.Horizon;
import io.duplog.dedup.Judgement;
import io.duplog.dedup.Ledger;
import io.duplog.dedup.LedgerRefusedException;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.Progress;
import io.duplog.dedup.Tallies;
import io.duplog.dedup.memory.ExplorableStore;
import io.duplog.observe.LogLines;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * Tests that a bridge stops calling a store that fails, tries it again later, and returns to it
 * when it answers.
 */
class GuardedLedgerTest {
  private static final int DEFECTS = 2;
  private static final Claim CLAIM = new Claim("id", 0, ExplorableStore.digestsOf("ab"));
  private static final Progress NOTHING = new Progress(List.of(), List.of(), 0, false);
  private static final String REFUSED =
      "store rejects this bridge: others differ: be like them. Until then, messages pass. Retrying every 5 s.";

  private final FakeLedger store = new FakeLedger();
  private long nanos;

  private GuardedLedger guarded(GuardedLedger.Probe probe, LongSupplier nanoClock) {
    return new GuardedLedger(store, probe, "store", "messages pass", nanoClock);
  }

  private static void assertUnavailable(ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(LedgerUnavailableException.class);
  }

  @Test
  void probe_thatFailsByADefect_countsAsFailed_andIsMadeAgain() {
    AtomicInteger probes = new AtomicInteger();
    GuardedLedger.Probe probe =
        () -> {
          if (probes.incrementAndGet() <= DEFECTS) {
            throw new IllegalStateException("a defect");
          }
        };
    store.failure = new LedgerUnavailableException("store away", null, true);
    try (GuardedLedger ledger = guarded(probe, System::nanoTime)) {
      assertUnavailable(ledger::leave);
      assertUnavailable(ledger::leave);
      assertThat(ledger.isAvailable()).isFalse();

      await().until(ledger::isAvailable);

      assertThat(probes).hasValue(DEFECTS + 1);
      assertThat(ledger.failures()).isEqualTo(2 + DEFECTS);
    }
  }

  @Test
  void storeThatRefusesTheBridge_isToldOnce_andIsWellWhenItAcceptsTheBridge_notBefore()
      throws Exception {
    List<String> lines = LogLines.of(GuardedLedger.class, this::isRefusedForAMinute);

    assertThat(lines)
        .containsExactly(
            "WARN " + REFUSED,
            "INFO store recovered after 60 s (11 repeated failures): 1,200 messages passed without it");
  }

  private void isRefusedForAMinute() throws Exception {
    store.failure = new LedgerRefusedException("others differ: be like them");
    try (GuardedLedger ledger = guarded(() -> {}, () -> nanos)) {
      for (int second = 0; second < 60; second++) {
        for (int i = 0; i < 10; i++) {
          assertUnavailable(() -> ledger.advance(NOTHING));
          assertUnavailable(() -> ledger.judge(CLAIM));
          assertUnavailable(ledger::leave);
        }
        assertThat(ledger.isAvailable()).isFalse();
        nanos += TimeUnit.SECONDS.toNanos(1);
      }
      assertThat(store.calls).as("each five seconds, to advance").isEqualTo(12);
      assertThat(ledger.trouble()).isEqualTo(REFUSED);

      store.failure = null;
      ledger.advance(NOTHING);

      assertThat(ledger.judge(CLAIM)).isEqualTo(new Judgement.LeaseLapsed());
      assertThat(ledger.isAvailable()).isTrue();
      assertThat(ledger.trouble()).isNull();
    }
  }

  /** A call that was made before may be answered after the circuit breaker has opened. */
  @Test
  void callAnsweredAfterOthersFailed_doesNotEndTheTrouble_norItsCount() throws Exception {
    List<String> lines =
        LogLines.of(
            GuardedLedger.class,
            () -> {
              try (GuardedLedger ledger = guarded(() -> {}, () -> nanos)) {
                store.duringAdvance =
                    () -> {
                      store.failsBy(new IOException("timed out"));
                      assertUnavailable(() -> ledger.judge(CLAIM));
                      assertUnavailable(() -> ledger.judge(CLAIM));
                      store.failure = null;
                    };
                ledger.advance(NOTHING);

                store.duringAdvance = () -> {};
                assertThat(ledger.trouble()).startsWith("timed out");
                assertUnavailable(() -> ledger.judge(CLAIM));
                nanos += TimeUnit.SECONDS.toNanos(1);
                await().until(ledger::isAvailable);
                ledger.advance(NOTHING);
                assertThat(ledger.trouble()).isNull();
              }
            });

    assertThat(lines)
        .containsExactly(
            "WARN timed out. Until it is back, messages pass. Check Redis. Retrying every 100-5000 ms.",
            "INFO store recovered after 1 s (1 repeated failures): 6 messages passed without it");
  }

  /** An outage has many causes, and is reported once; what the store itself says is reported. */
  @ParameterizedTest
  @CsvSource({"refused, 1", "WRONGPASS, 2"})
  void absence_hasItsLastCauseAsTheTrouble(String last, int told) throws Exception {
    boolean isAnswer = last.equals("WRONGPASS");
    String line = ". Until it is back, messages pass. Check Redis. Retrying every 100-5000 ms.";
    List<String> lines =
        LogLines.of(
            GuardedLedger.class,
            () -> {
              try (GuardedLedger ledger = guarded(() -> {}, System::nanoTime)) {
                store.failsBy(new IOException("reset"));
                assertUnavailable(ledger::leave);
                store.failsBy(isAnswer ? new JedisDataException(last) : new IOException(last));
                assertUnavailable(ledger::leave);
                assertThat(ledger.trouble()).isEqualTo(last + line);
              }
            });

    assertThat(lines)
        .isEqualTo(List.of("WARN reset" + line, "WARN " + last + line).subList(0, told));
  }

  /** A store that a test has fail, or refuse the bridge. */
  private static final class FakeLedger implements Ledger {
    /** Failure of every call, or null for none. */
    LedgerUnavailableException failure;

    Runnable duringAdvance = () -> {};
    int calls;

    void failsBy(Exception cause) {
      failure = new LedgerUnavailableException(cause.getMessage(), cause, true);
    }

    private <T> T answer(T answer) throws LedgerUnavailableException {
      calls++;
      if (failure != null) {
        throw failure;
      }
      return answer;
    }

    @Override
    public Judgement judge(Claim claim) throws LedgerUnavailableException {
      return answer(new Judgement.LeaseLapsed());
    }

    @Override
    public Horizon advance(Progress progress) throws LedgerUnavailableException {
      duringAdvance.run();
      return answer(new Horizon(Epoch.UNKNOWN, 0, 0, List.of(), false, List.of()));
    }

    @Override
    public void leave() throws LedgerUnavailableException {
      answer(true);
    }

    @Override
    public Tallies tallies(Duration period) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
  }
}
