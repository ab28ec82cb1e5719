package io.duplog.coverage;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.duplog.dedup.Claim;
import io.duplog.dedup.Digester;
import io.duplog.dedup.Identity;
import io.duplog.dedup.Judgement;
import io.duplog.dedup.Ledger;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.Progress;
import io.duplog.dedup.Tallies;
import io.duplog.dedup.memory.SteppedStore;
import io.duplog.wire.BatchDecoder;
import io.duplog.wire.BatchEncoder;
import io.duplog.wire.BatchLimits;
import io.duplog.wire.EncodedBatch;
import io.duplog.wire.MessageBatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Several bridges' coverage over a store, or one for each part, by a clock that the test moves. */
final class Site {
  static final Duration WINDOW = Duration.ofSeconds(80);
  static final int SENDERS = 50;
  private static final Duration LEASE = Duration.ofSeconds(40);

  final List<String> streams;
  final SteppedStore store;

  /** Of each part; the first one is {@link #store}. */
  final List<SteppedStore> stores = new ArrayList<>();

  final List<Coverage> coverages = new ArrayList<>();

  /** Of each bridge, for each part. */
  private final List<List<Ledger>> ledgers = new ArrayList<>();

  private int batches;

  Site(int streamCount, int bridges) throws Exception {
    this(streamCount, bridges, 1, tallies -> tallies);
  }

  /**
   * @param way what stands between a bridge and what is shared; asked for each part in its turn
   */
  Site(int streamCount, int bridges, int parts, UnaryOperator<Tallies> way) throws Exception {
    streams = List.of("a", "b", "c").subList(0, streamCount);
    store = new SteppedStore(WINDOW);
    stores.add(store);
    while (stores.size() < parts) {
      stores.add(store.another());
    }
    for (int i = 0; i < bridges; i++) {
      add("bridge-" + i, streams, way);
    }
    // What came in the first window is not compared.
    pass(WINDOW.plusSeconds(10));
  }

  /** One more bridge, which reads other streams than those that the site began with. */
  void join(List<String> names) throws Exception {
    join(names, tallies -> tallies);
  }

  /**
   * @param way as for the site
   */
  void join(List<String> names, UnaryOperator<Tallies> way) throws Exception {
    add("bridge-" + coverages.size(), names, way);
  }

  private void add(String name, List<String> names, UnaryOperator<Tallies> way) throws Exception {
    Periods periods = new Periods(WINDOW, 1);
    List<Ledger> parts = new ArrayList<>();
    List<Tallies> tallies = new ArrayList<>();
    for (SteppedStore each : stores) {
      Ledger ledger = each.bridge(name, names, LEASE);
      parts.add(ledger);
      tallies.add(way.apply(ledger.tallies(new Tallies.Bounds(periods.lengthMillis(), SENDERS))));
    }
    ledgers.add(parts);
    coverages.add(new Coverage(names, periods, SENDERS, true, tallies, store::millis));
  }

  /** A batch that a bridge is to judge. */
  record Batch(int part, Claim claim, MessageBatch messages) {}

  Batch batch(int part, int stream, List<String> messages) throws Exception {
    MessageBatch decoded = decode(messages);
    return new Batch(
        part,
        new Claim(
            "batch-" + batches++,
            stream,
            new Digester(Identity.SENDER_AND_MESSAGE).digest(decoded)),
        decoded);
  }

  static MessageBatch decode(List<String> messages) throws Exception {
    try (BatchEncoder encoder = new BatchEncoder(true, true)) {
      for (String message : messages) {
        byte[] bytes = message.getBytes(ISO_8859_1);
        encoder.add(bytes, 0, bytes.length);
      }
      EncodedBatch encoded = encoder.encode();
      return new BatchDecoder(BatchLimits.DEFAULT).decode(encoded.body(), encoded.encoding());
    }
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

  void judge(int bridge, int stream, List<String> messages) throws Exception {
    judge(bridge, batch(0, stream, messages));
  }

  /** Lets time pass without a bridge noticing, but for their leases. */
  void pass(Duration time) throws Exception {
    for (long left = time.toSeconds(); left > 0; left -= 10) {
      store.pass(Duration.ofSeconds(Math.min(10, left)));
      for (int bridge = 0; bridge < ledgers.size(); bridge++) {
        renewLeases(bridge);
      }
    }
  }

  /** A bridge dies: what it has counted and not told is gone. */
  void kill(int bridge) {
    coverages.remove(bridge);
    ledgers.remove(bridge);
  }

  /** Until everything is settled. */
  void settle() throws Exception {
    run(400, 1);
  }

  /** Lets so many times so many seconds pass, and all bridges do what is due. */
  void run(int times, int seconds) throws Exception {
    for (int i = 0; i < times; i++) {
      store.pass(Duration.ofSeconds(seconds));
      runAll();
    }
  }

  void runAll() throws Exception {
    for (int bridge = 0; bridge < coverages.size(); bridge++) {
      run(bridge);
    }
  }

  /** As the thread does it: what fails is tried again later. */
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
