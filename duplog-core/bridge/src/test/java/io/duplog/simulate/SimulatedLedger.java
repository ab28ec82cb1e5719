package io.duplog.simulate;

import io.duplog.dedup.Claim;
import io.duplog.dedup.Horizon;
import io.duplog.dedup.Judgement;
import io.duplog.dedup.Ledger;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.Progress;
import io.duplog.dedup.Tallies;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Connects a simulated bridge to Redis, and makes its calls slow or fail. */
final class SimulatedLedger implements Ledger {
  private static final long TIMEOUT = TimeUnit.MILLISECONDS.toNanos(500);

  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

  private final Ledger ledger;
  private final SimulatedBridge client;

  SimulatedLedger(Ledger ledger, SimulatedBridge client) {
    this.ledger = ledger;
    this.client = client;
  }

  private interface Call<T> {
    T run() throws LedgerUnavailableException;
  }

  private <T> T asked(Call<T> call) throws LedgerUnavailableException {
    World world = client.world;
    client.sleep(world.latency());
    if (world.is(Fault.REDIS_AWAY)) {
      throw new LedgerUnavailableException("refused", null, false);
    }
    if (world.is(Fault.REDIS_SILENT)) {
      boolean executed = world.random.nextBoolean();
      if (executed) {
        call.run();
      }
      client.sleep(world.has(Defect.REDIS_TIMEOUT_IS_A_MINUTE) ? MINUTE : TIMEOUT);
      throw new LedgerUnavailableException("timed out", null, true);
    }
    T answer = call.run();
    if (world.is(Fault.REDIS_ANSWER_LOST) && world.random.nextInt(3) == 0) {
      client.sleep(TIMEOUT);
      throw new LedgerUnavailableException("timed out", null, true);
    }
    client.sleep(world.latency());
    return answer;
  }

  @Override
  public Judgement judge(Claim claim) throws LedgerUnavailableException {
    return asked(() -> ledger.judge(claim));
  }

  @Override
  public Horizon advance(Progress progress) throws LedgerUnavailableException {
    Progress told =
        client.world.has(Defect.BROKERS_ARE_NOT_COMPARED)
            ? new Progress(
                progress.done(), progress.revoke(), progress.revocationsAfter(), progress.listOwn())
            : progress;
    return asked(() -> ledger.advance(told));
  }

  @Override
  public void leave() throws LedgerUnavailableException {
    ledger.leave();
  }

  @Override
  public Tallies tallies(Duration period) {
    return ledger.tallies(period);
  }

  @Override
  public void close() {}
}
