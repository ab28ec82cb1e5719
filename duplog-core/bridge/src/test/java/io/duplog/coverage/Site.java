package io.duplog.coverage;

import io.duplog.dedup.Claim;
import io.duplog.dedup.Digester;
import io.duplog.dedup.Identity;
import io.duplog.dedup.Judgement;
import io.duplog.dedup.Ledger;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.Progress;
import io.duplog.dedup.Tallies;
import io.duplog.dedup.memory.SteppedStore;
import io.duplog.deliver.DeliveryRequests;
import io.duplog.wire.MessageBatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Simulates several bridges that count missed messages together, with a clock and stores that the
 * test controls.
 */
final class Site {
  static final int SENDERS = 50;

  private final Duration window;

  /** Store of each part. All have the same clock. */
  final List<SteppedStore> stores = new ArrayList<>();

  /** Moves the clock of all parts. */
  final SteppedStore store;

  final List<Coverage> coverages = new ArrayList<>();

  /** Connections of each bridge to each part. */
  final List<List<DisturbedTallies>> connections = new ArrayList<>();

  /** Ledgers of each bridge, one for each part. */
  private final List<List<Ledger>> ledgers = new ArrayList<>();

  private int batches;

  /** Number of bridges that ever joined, so that each has a unique name. */
  private int joinCount;

  /** Makes a site whose deduplication window is 80 seconds. */
  Site(int streams, int bridges, int parts) throws Exception {
    this(streams, bridges, parts, Duration.ofSeconds(80));
  }

  Site(int streams, int bridges, int parts, Duration window) throws Exception {
    this.window = window;
    store = new SteppedStore(window);
    stores.add(store);
    while (stores.size() < parts) {
      stores.add(store.another());
    }
    for (int i = 0; i < bridges; i++) {
      join(List.of("a", "b", "c").subList(0, streams));
    }
    // Messages in the first window are not compared.
    for (int i = 0; i < 10; i++) {
      store.pass(window.multipliedBy(9).dividedBy(80));
      for (int bridge = 0; bridge < bridges; bridge++) {
        renewLeases(bridge);
      }
    }
  }

  /** Adds a bridge. */
  void join(List<String> streams) throws Exception {
    Duration period = Duration.ofMillis(new Periods(window, 1).lengthMillis());
    joinCount++;
    List<Ledger> parts = new ArrayList<>();
    List<DisturbedTallies> tallies = new ArrayList<>();
    for (SteppedStore each : stores) {
      Ledger ledger = each.bridge("bridge-" + joinCount, streams, window.dividedBy(2));
      parts.add(ledger);
      tallies.add(new DisturbedTallies(ledger.tallies(period)));
    }
    ledgers.add(parts);
    connections.add(tallies);
    List<Tallies> disturbed = tallies.stream().map(DisturbedTallies::disturbed).toList();
    coverages.add(new Coverage(streams, window, period, SENDERS, true, disturbed, store::millis));
  }

  /** A batch that a bridge is to judge. */
  record Batch(int part, Claim claim, MessageBatch messages) {}

  Batch batch(int part, int stream, List<String> messages) {
    MessageBatch batch = DeliveryRequests.batch(true, messages.toArray(String[]::new));
    Digester digester = new Digester(Identity.SENDER_AND_MESSAGE);
    return new Batch(part, new Claim("batch-" + batches++, stream, digester.digest(batch)), batch);
  }

  /** Has a bridge judge a batch, and deliver it. */
  void judge(int bridge, Batch batch) throws Exception {
    Ledger ledger = ledgers.get(bridge).get(batch.part());
    Judgement.Counted counted = (Judgement.Counted) ledger.judge(batch.claim());
    coverages.get(bridge).counted(batch.part(), batch.messages(), batch.claim().stream(), counted);
    ledger.advance(
        new Progress(
            List.of(new Progress.Done(batch.claim().batchId(), counted.epoch(), counted.number())),
            List.of(),
            Long.MAX_VALUE,
            false));
  }

  /** Ends a bridge, which loses the counts that it has not shared. */
  void kill(int bridge) {
    coverages.remove(bridge);
    ledgers.remove(bridge);
    connections.remove(bridge);
  }

  /** Runs the bridges until everything is settled. */
  void settle() throws Exception {
    run(400, 1);
  }

  /** Repeatedly lets seconds pass, and runs all bridges. */
  void run(int times, int seconds) throws Exception {
    for (int i = 0; i < times; i++) {
      store.pass(Duration.ofSeconds(seconds));
      for (int bridge = 0; bridge < coverages.size(); bridge++) {
        run(bridge);
      }
    }
  }

  /** Runs a bridge once, as its thread does. A failure is retried on the next run. */
  void run(int bridge) throws LedgerUnavailableException {
    try {
      coverages.get(bridge).runOnce();
    } catch (LedgerUnavailableException e) {
      // next time
    }
    renewLeases(bridge);
  }

  private void renewLeases(int bridge) throws LedgerUnavailableException {
    for (Ledger ledger : ledgers.get(bridge)) {
      ledger.advance(new Progress(List.of(), List.of(), Long.MAX_VALUE, false));
    }
  }

  CoverageReport report(int bridge) {
    return coverages.get(bridge).report(Duration.ofHours(1));
  }
}
