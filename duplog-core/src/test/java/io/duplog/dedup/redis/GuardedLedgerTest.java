package io.duplog.dedup.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.duplog.dedup.Claim;
import io.duplog.dedup.Horizon;
import io.duplog.dedup.Judgement;
import io.duplog.dedup.Ledger;
import io.duplog.dedup.LedgerRefusedException;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.Progress;
import io.duplog.dedup.Tallies;
import io.duplog.dedup.memory.ExplorableStore;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.exceptions.JedisDataException;

class GuardedLedgerTest {
  private static final int DEFECTS = 2;
  private static final Claim CLAIM = new Claim("id", 0, ExplorableStore.digestsOf("ab"));
  private static final Progress NOTHING = new Progress(List.of(), List.of(), 0, false);

  private final Logger logger = (Logger) LoggerFactory.getLogger(GuardedLedger.class);
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private long nanos;

  @BeforeEach
  void listen() {
    log.start();
    logger.addAppender(log);
  }

  @AfterEach
  void stopListening() {
    logger.detachAppender(log);
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
    try (GuardedLedger ledger =
        new GuardedLedger(FakeLedger.away(), probe, "store", "messages pass")) {
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
    FakeLedger store = new FakeLedger();
    store.refuses = true;
    try (GuardedLedger ledger =
        new GuardedLedger(store, () -> {}, "store", "messages pass", () -> nanos)) {
      for (int second = 0; second < 60; second++) {
        for (int i = 0; i < 10; i++) {
          assertUnavailable(() -> ledger.advance(NOTHING));
          assertUnavailable(() -> ledger.judge(CLAIM));
          assertUnavailable(ledger::leave);
        }
        assertThat(ledger.isAvailable()).isFalse();
        nanos += TimeUnit.SECONDS.toNanos(1);
      }
      assertThat(store.advances).isEqualTo(12);
      assertThat(store.others).isZero();
      assertThat(lines())
          .containsExactly(
              "store refuses this bridge, since others differ: be like them. Until then messages"
                  + " pass, asking again every 5 s");
      assertThat(ledger.trouble()).isEqualTo(lines().get(0));

      store.refuses = false;
      ledger.advance(NOTHING);

      assertThat(ledger.judge(CLAIM)).isEqualTo(new Judgement.LeaseLapsed());
      assertThat(ledger.isAvailable()).isTrue();
      assertThat(ledger.trouble()).isNull();
      assertThat(lines().subList(1, lines().size()))
          .containsExactly(
              "store is well again after 60000 ms (11 repeated failures): 1,200 messages went on"
                  + " without it");
    }
  }

  @Test
  void absenceWithManyCauses_isToldOnce_withTheLastCauseAsItsTrouble() {
    try (GuardedLedger ledger = failing(new IOException("reset"), new IOException("refused"))) {
      assertThat(lines()).containsExactly("reset: messages pass, asking again every 100-5000 ms");
      assertThat(ledger.trouble())
          .isEqualTo("refused: messages pass, asking again every 100-5000 ms");
    }
  }

  @Test
  void storeThatSaysItselfWhatIsWrong_isHeard_thoughItWasAwayBefore() {
    try (GuardedLedger ledger =
        failing(new IOException("reset"), new JedisDataException("WRONGPASS"))) {
      assertThat(lines())
          .containsExactly(
              "reset: messages pass, asking again every 100-5000 ms",
              "WRONGPASS: messages pass, asking again every 100-5000 ms");
      assertThat(ledger.trouble()).isEqualTo(lines().get(1));
    }
  }

  private static GuardedLedger failing(Exception... causes) {
    GuardedLedger ledger =
        new GuardedLedger(FakeLedger.away(causes), () -> {}, "store", "messages pass");
    for (int calls = 0; calls < causes.length; calls++) {
      assertUnavailable(ledger::leave);
    }
    return ledger;
  }

  private static void assertUnavailable(ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(LedgerUnavailableException.class);
  }

  private List<String> lines() {
    return log.list.stream()
        .filter(event -> event.getLevel().isGreaterOrEqual(Level.INFO))
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }

  /** A store that a test has fail, or refuse the bridge. */
  private static final class FakeLedger implements Ledger {
    private final Queue<Exception> causes;
    boolean isAway;
    boolean refuses;
    int advances;
    int others;

    /** One that nobody reaches: each call fails by another of these, the rest by none. */
    static FakeLedger away(Exception... causes) {
      FakeLedger away = new FakeLedger(causes);
      away.isAway = true;
      return away;
    }

    FakeLedger(Exception... causes) {
      this.causes = new ArrayDeque<>(List.of(causes));
    }

    private void call() throws LedgerUnavailableException {
      others++;
      if (isAway) {
        Exception cause = causes.poll();
        throw new LedgerUnavailableException(
            cause == null ? "store away" : cause.getMessage(), cause, true);
      }
    }

    @Override
    public Judgement judge(Claim claim) throws LedgerUnavailableException {
      call();
      return new Judgement.LeaseLapsed();
    }

    @Override
    public Horizon advance(Progress progress) throws LedgerUnavailableException {
      advances++;
      if (refuses) {
        throw new LedgerRefusedException("others differ: be like them");
      }
      return new Horizon("epoch", 0, 0, List.of(), List.of());
    }

    @Override
    public void leave() throws LedgerUnavailableException {
      call();
    }

    @Override
    public Tallies tallies(Tallies.Bounds bounds) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
  }
}
