package io.duplog.coverage;

import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.Tallies;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Now and then fails, before the store has done something or after. */
final class FlakyTallies implements Tallies {
  private final Tallies target;
  private final Random random;

  FlakyTallies(Tallies target, Random random) {
    this.target = target;
    this.random = random;
  }

  @Override
  public Added add(Addition addition) throws LedgerUnavailableException {
    maybeFail();
    Added added = target.add(addition);
    maybeFail();
    return added;
  }

  @Override
  public Map<String, String> read(long period) throws LedgerUnavailableException {
    maybeFail();
    return target.read(period);
  }

  @Override
  public void settle(Settlement settlement) throws LedgerUnavailableException {
    target.settle(settlement);
    maybeFail();
  }

  @Override
  public List<String> history(long afterPeriod) throws LedgerUnavailableException {
    maybeFail();
    return target.history(afterPeriod);
  }

  @Override
  public List<String> hours() throws LedgerUnavailableException {
    maybeFail();
    return target.hours();
  }

  private void maybeFail() throws LedgerUnavailableException {
    if (random.nextInt(6) == 0) {
      @Nullable Throwable noCause = null;
      throw new LedgerUnavailableException("now and then", noCause, true);
    }
  }
}
