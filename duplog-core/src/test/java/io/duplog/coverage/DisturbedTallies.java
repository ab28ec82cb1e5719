package io.duplog.coverage;

import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.Tallies;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What stands between a bridge and what is shared, where a test may let things happen. */
final class DisturbedTallies implements Tallies {
  enum Call {
    ADD,
    READ,
    SETTLE,
    HISTORY,
    HOURS
  }

  /** What happens before each call, and again when the store has done it. */
  interface Disturbance {
    void at(Call call, boolean done) throws LedgerUnavailableException;
  }

  static final Disturbance NONE = (call, done) -> {};

  static final Disturbance AWAY = (call, done) -> fail("away", false);

  private interface Question<T> {
    T ask() throws LedgerUnavailableException;
  }

  private final Tallies target;
  private Disturbance disturbance;

  DisturbedTallies(Tallies target, Disturbance disturbance) {
    this.target = target;
    this.disturbance = disturbance;
  }

  /** Undisturbed ones for now, which are added to a list. */
  static UnaryOperator<Tallies> into(List<DisturbedTallies> ways) {
    return tallies -> {
      ways.add(new DisturbedTallies(tallies, NONE));
      return ways.get(ways.size() - 1);
    };
  }

  /** Now and then fails, before the store has done something or after. */
  static Disturbance flaky(Random random) {
    return (call, done) -> {
      boolean changes = call == Call.ADD || call == Call.SETTLE;
      if ((changes || !done) && random.nextInt(6) == 0) {
        fail("now and then", true);
      }
    };
  }

  void disturb(Disturbance another) {
    disturbance = another;
  }

  @Override
  public Added add(Addition addition) throws LedgerUnavailableException {
    return through(Call.ADD, () -> target.add(addition));
  }

  @Override
  public Map<String, String> read(long period) throws LedgerUnavailableException {
    return through(Call.READ, () -> target.read(period));
  }

  @Override
  public void settle(Settlement settlement) throws LedgerUnavailableException {
    disturbance.at(Call.SETTLE, false);
    target.settle(settlement);
    disturbance.at(Call.SETTLE, true);
  }

  @Override
  public List<String> history(long afterPeriod) throws LedgerUnavailableException {
    return through(Call.HISTORY, () -> target.history(afterPeriod));
  }

  @Override
  public List<String> hours() throws LedgerUnavailableException {
    return through(Call.HOURS, target::hours);
  }

  private <T> T through(Call call, Question<T> question) throws LedgerUnavailableException {
    disturbance.at(call, false);
    T answer = question.ask();
    disturbance.at(call, true);
    return answer;
  }

  private static void fail(String cause, boolean maybeDone) throws LedgerUnavailableException {
    @Nullable Throwable noCause = null;
    throw new LedgerUnavailableException(cause, noCause, maybeDone);
  }
}
