package io.duplog.coverage;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.duplog.dedup.Claim;
import io.duplog.dedup.Digester;
import io.duplog.dedup.Identity;
import io.duplog.dedup.Judgement;
import io.duplog.dedup.Ledger;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.Progress;
import io.duplog.dedup.SteppedStore;
import io.duplog.dedup.Tallies;
import io.duplog.wire.BatchDecoder;
import io.duplog.wire.BatchEncoder;
import io.duplog.wire.BatchLimits;
import io.duplog.wire.EncodedBatch;
import io.duplog.wire.MessageBatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Several bridges' coverage over one store, by a clock that the test moves. */
final class Site {
  static final Duration WINDOW = Duration.ofSeconds(80);
  static final int SENDERS = 50;
  private static final Duration LEASE = Duration.ofSeconds(40);

  final List<String> streams;
  final SteppedStore store;
  final List<Coverage> coverages = new ArrayList<>();
  private final List<Ledger> ledgers = new ArrayList<>();
  private int batches;

  Site(int streamCount, int bridges) throws Exception {
    this(streamCount, bridges, tallies -> tallies);
  }

  /**
   * @param way what stands between a bridge and what is shared
   */
  Site(int streamCount, int bridges, UnaryOperator<Tallies> way) throws Exception {
    streams = List.of("a", "b", "c").subList(0, streamCount);
    store = new SteppedStore(WINDOW);
    for (int i = 0; i < bridges; i++) {
      add("bridge-" + i, streams, way);
    }
    // What came in the first window is not compared.
    pass(WINDOW.plusSeconds(10));
  }

  /** One more bridge, which reads other streams than those that the site began with. */
  void join(List<String> names) throws Exception {
    add("bridge-" + coverages.size(), names, tallies -> tallies);
  }

  private void add(String name, List<String> names, UnaryOperator<Tallies> way) throws Exception {
    Periods periods = new Periods(WINDOW, 1);
    Ledger ledger = store.bridge(name, names, LEASE);
    ledgers.add(ledger);
    coverages.add(
        new Coverage(
            names,
            periods,
            SENDERS,
            true,
            way.apply(ledger.tallies(new Tallies.Bounds(periods.lengthMillis(), SENDERS))),
            store::millis));
  }

  /** A batch that a bridge is to judge. */
  record Batch(Claim claim, MessageBatch messages) {}

  Batch batch(int stream, List<String> messages) throws Exception {
    MessageBatch decoded = decode(messages);
    return new Batch(
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
    Ledger ledger = ledgers.get(bridge);
    Judgement.Counted counted = (Judgement.Counted) ledger.judge(batch.claim());
    coverages.get(bridge).counted(batch.messages(), batch.claim().stream(), counted);
    ledger.advance(
        new Progress(
            List.of(new Progress.Done(batch.claim().batchId(), counted.epoch(), counted.number())),
            List.of(),
            Long.MAX_VALUE,
            false));
  }

  void judge(int bridge, int stream, List<String> messages) throws Exception {
    judge(bridge, batch(stream, messages));
  }

  /** Lets time pass without a bridge noticing, but for their leases. */
  void pass(Duration time) throws Exception {
    for (long left = time.toSeconds(); left > 0; left -= 10) {
      store.pass(Duration.ofSeconds(Math.min(10, left)));
      for (Ledger ledger : ledgers) {
        ledger.advance(new Progress(List.of(), List.of(), Long.MAX_VALUE, false));
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
    for (int i = 0; i < 400; i++) {
      store.pass(Duration.ofSeconds(1));
      runAll();
    }
  }

  void runAll() throws Exception {
    for (int bridge = 0; bridge < coverages.size(); bridge++) {
      run(bridge);
    }
  }

  /** As the thread does it: what fails is tried again later. */
  void run(int bridge) throws Exception {
    try {
      coverages.get(bridge).runOnce();
    } catch (LedgerUnavailableException e) {
      // next time
    }
    ledgers.get(bridge).advance(new Progress(List.of(), List.of(), Long.MAX_VALUE, false));
  }

  CoverageReport report(int bridge) {
    return coverages.get(bridge).report(Duration.ofHours(1));
  }
}
