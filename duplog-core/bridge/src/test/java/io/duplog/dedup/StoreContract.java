package io.duplog.dedup;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.dedup.memory.ExplorableStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;

/**
 * Base of the tests that every kind of store must pass: opens ledgers on the store and sends them
 * batches.
 */
public abstract class StoreContract {
  protected static final Progress NOTHING = new Progress(List.of(), List.of(), 0, false);
  protected static final Duration LASTING = Duration.ofMinutes(1);

  /** The window, which is short, since some tests wait for its end. */
  protected static final Duration WINDOW = Duration.ofSeconds(4);

  protected final SharedStore store;

  /** The same, with another window. */
  protected final Function<Duration, SharedStore> stores;

  private final List<Ledger> opened = new ArrayList<>();
  private int batches;

  StoreContract(Function<Duration, SharedStore> stores) {
    this.stores = stores;
    this.store = stores.apply(WINDOW);
  }

  @AfterEach
  void closeAll() {
    opened.forEach(Ledger::close);
  }

  /** Opens a ledger of a bridge that has no lease yet. */
  protected final Ledger open(
      SharedStore store, String name, List<String> streams, Duration lease) {
    Ledger ledger = store.open(name, streams, lease);
    opened.add(ledger);
    return ledger;
  }

  /** Opens a ledger of a bridge that has a lease. */
  protected final Ledger bridge(String name, List<String> streams, Duration lease)
      throws Exception {
    Ledger ledger = open(store, name, streams, lease);
    ledger.advance(NOTHING);
    return ledger;
  }

  /** Opens a ledger of a bridge that has a lease and reads streams a and b. */
  protected final Ledger bridge(String name) throws Exception {
    return bridge(name, List.of("a", "b"), LASTING);
  }

  protected final Claim claim(int stream, String messages) {
    return new Claim("batch-" + batches++, stream, ExplorableStore.digestsOf(messages));
  }

  protected static Judgement.Counted judge(Ledger ledger, Claim claim) throws Exception {
    Judgement judgement = ledger.judge(claim);
    assertThat(judgement).isInstanceOf(Judgement.Counted.class);
    return (Judgement.Counted) judgement;
  }

  /** Returns a letter for each message: K where its copy is kept, d where it is dropped. */
  protected final String verdicts(Ledger ledger, int stream, String messages) throws Exception {
    return letters(judge(ledger, claim(stream, messages)).kept(), messages.length());
  }

  static String letters(BitSet kept, int count) {
    StringBuilder letters = new StringBuilder();
    for (int i = 0; i < count; i++) {
      letters.append(kept.get(i) ? 'K' : 'd');
    }
    return letters.toString();
  }

  static Progress done(Progress.Done... done) {
    return new Progress(List.of(done), List.of(), 0, false);
  }

  static Progress done(String batchId, Judgement.Counted counted) {
    return done(new Progress.Done(batchId, counted.epoch(), counted.number()));
  }

  protected static Progress revoking(String batchId) {
    return new Progress(List.of(), List.of(batchId), 0, false);
  }
}
