package io.duplog.dedup.memory;

import static java.util.Comparator.comparing;
import static java.util.Comparator.naturalOrder;
import static java.util.Objects.requireNonNull;

import io.duplog.dedup.BrokerAgreement;
import io.duplog.dedup.Claim;
import io.duplog.dedup.Counts;
import io.duplog.dedup.Digest;
import io.duplog.dedup.Digests;
import io.duplog.dedup.Epoch;
import io.duplog.dedup.Horizon;
import io.duplog.dedup.Judgement;
import io.duplog.dedup.Ledger;
import io.duplog.dedup.Progress;
import io.duplog.dedup.StreamSet;
import io.duplog.wire.StreamBroker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Gives the explorer, which tries every order of events, a store in which it can cause faults and
 * leave out single rules.
 */
public final class ExplorableStore extends MemoryStore {
  private static final long LEASE_NANOS = 50;
  private static final long WINDOW_NANOS = 1000;

  private final List<String> names;
  private final AtomicLong nanos;
  private final Set<BrokenClause> broken;
  private String savedCounts = "";
  private Runnable restoreSaved = () -> {};

  /** A clause of the rule that is left out on purpose. */
  public enum BrokenClause {
    /** Messages that a revoked batch had kept stay counted. */
    REVOKED_DIGESTS_STAY,
    /** A revocation is not logged. */
    REVOCATION_IS_NOT_LOGGED,
    /** A revocation is forgotten as soon as every bridge that lives has seen it. */
    REVOCATION_IS_FORGOTTEN_EARLY,
    /** An answer lists some of the revocations only, and does not say so. */
    REVOCATIONS_ARE_CUT,
    /** A batch that a living bridge holds counts as delivered for a second holder. */
    PENDING_TWIN_IS_DELIVERED,
    /** A batch that comes again gets a new number. */
    REDELIVERED_GETS_NEW_NUMBER,
    /** The epoch is not checked after a restart with an old snapshot. */
    SNAPSHOT_KEEPS_EPOCH,
    /** A promoted replica goes by the epoch of the server that it replaces. */
    REPLICA_KEEPS_EPOCH,
    /** A bridge without a lease is judged all the same. */
    LAPSED_BRIDGE_IS_JUDGED,
    /** A dropped copy is settled while the kept one may still be pending. */
    PENDING_IS_IGNORED,
    /** A batch that was judged after its bridge had stopped waiting stays pending. */
    UNHELD_STAYS_PENDING,
    /** The published prototype's rule, which is right for two streams. */
    PROTOTYPE_DECREMENTS,
    /** Leases run on whatever the server's clock says. */
    CLOCK_IS_TRUSTED,
    /** Bridges that read different brokers count together. */
    BROKERS_ARE_NOT_COMPARED,
    /** Counters and markers are keys of their own, which are evicted apart. */
    SEPARATE_KEYS
  }

  public ExplorableStore(int streams, Set<BrokenClause> broken, Supplier<String> tokens) {
    this(streams, broken, new AtomicLong(), tokens);
  }

  private ExplorableStore(
      int streams, Set<BrokenClause> broken, AtomicLong nanos, Supplier<String> tokens) {
    super(WINDOW_NANOS, 1000, nanos::get, tokens);
    this.names = IntStream.range(0, streams).mapToObj(Integer::toString).toList();
    this.nanos = nanos;
    this.broken = broken;
  }

  private boolean lacks(BrokenClause clause) {
    return broken.contains(clause);
  }

  public Ledger ledgerOf(String bridge) {
    return new MemoryLedger(this, bridge, names, Duration.ofNanos(LEASE_NANOS));
  }

  /** Ends the lease of a bridge that died, hangs, or was cut off. */
  public void lapse(String bridge) {
    leases.computeIfPresent(bridge, (name, lapses) -> Long.MIN_VALUE);
  }

  /** Whether waiting for a lease would be enough for it to lapse. */
  public boolean canLapse(String bridge) {
    Long lapses = leases.get(bridge);
    return hasLease(bridge) && lapses != null && lapses - nanos.get() <= LEASE_NANOS;
  }

  /** Sets the clock forward, by more than a lease and less than a window. */
  public void leapForward() {
    nanos.addAndGet(2 * LEASE_NANOS);
  }

  /** Sets the clock back, by more than anything is remembered for. */
  public void leapBack() {
    nanos.addAndGet(-3 * WINDOW_NANOS);
  }

  /** Lets more time pass than anything is remembered for. */
  public void passWindow() {
    nanos.addAndGet(2 * WINDOW_NANOS);
  }

  public boolean hasLease(String bridge) {
    return lives(bridge, nanos.get());
  }

  /** Returns when a bridge's lease lapses, or null if it has none. */
  public @Nullable Long leaseOf(String bridge) {
    return leases.get(bridge);
  }

  /** Restarts the store without data, as a flush does. */
  public void restart() {
    forgetAll();
  }

  public void saveSnapshot() {
    Map<Digest, Counts> counted = new LinkedHashMap<>();
    counts.forEach((digest, known) -> counted.put(digest, known.copy()));
    Map<String, Pending> open = new LinkedHashMap<>(pending);
    Map<String, Delivered> closed = new LinkedHashMap<>(delivered);
    Map<String, Long> leased = new LinkedHashMap<>(leases);
    Map<Long, Logged> logged = new TreeMap<>(revocations);
    String savedToken = token;
    long savedNumber = number;
    StreamSet savedStreams = agreed;
    savedCounts = counted.toString();
    restoreSaved =
        () -> {
          forgetAll();
          if (lacks(BrokenClause.SNAPSHOT_KEEPS_EPOCH)) {
            token = savedToken;
            number = savedNumber;
            agreed = savedStreams;
            counts.putAll(counted);
            pending.putAll(open);
            delivered.putAll(closed);
            leases.putAll(leased);
            revocations.putAll(logged);
          }
        };
  }

  /** Restarts the store with the data of the snapshot, which belongs to another epoch. */
  public void restoreSnapshot() {
    restoreSaved.run();
  }

  /** Returns how many keys hold digests. Each key may be evicted. */
  public int keysOfDigests() {
    return counts.values().stream().mapToInt(BrokenCounts::keysOf).sum();
  }

  /**
   * Evicts one of them.
   *
   * @param key in the order of the digests, so that it means the same in every store of a state
   */
  public void evictKeyOfDigest(int key) {
    int left = key;
    for (Digest digest : counts.keySet().stream().sorted(comparing(Digest::high)).toList()) {
      int own = left;
      left -= BrokenCounts.keysOf(counts.get(digest));
      if (own >= 0 && left < 0) {
        counts.compute(digest, (same, known) -> BrokenCounts.without(known, own));
      }
    }
  }

  /**
   * Evicts digests that were first seen in the same half of a window, because they share a hash.
   */
  public void evictDigests() {
    counts.clear();
  }

  /** Evicts the records of delivered batches. */
  public void evictDelivered() {
    delivered.clear();
  }

  public List<String> deliveredRemembered() {
    return List.copyOf(delivered.keySet());
  }

  public void evictDelivered(String batchId) {
    delivered.remove(batchId);
  }

  public List<String> pendingRemembered() {
    return List.copyOf(pending.keySet());
  }

  /** Forgets a pending batch as if it were a cache entry, which a store must never do. */
  public void evictPending(String batchId) {
    pending.remove(batchId);
  }

  @Override
  Counts newCounts(int slots, long expiresNanos) {
    if (lacks(BrokenClause.PROTOTYPE_DECREMENTS)) {
      return new BrokenCounts.Decremented(slots, expiresNanos);
    }
    return lacks(BrokenClause.SEPARATE_KEYS)
        ? new BrokenCounts.SeparateKeys(slots, expiresNanos)
        : super.newCounts(slots, expiresNanos);
  }

  @Override
  synchronized BrokerAgreement.@Nullable Conflict conflict(String bridge, List<StreamBroker> read) {
    return lacks(BrokenClause.BROKERS_ARE_NOT_COMPARED) ? null : super.conflict(bridge, read);
  }

  @Override
  boolean lives(String bridge, long now) {
    return super.lives(bridge, now) || (lacks(BrokenClause.LAPSED_BRIDGE_IS_JUDGED) && judging);
  }

  @Override
  synchronized void adjustLeases(long leaseNanos) {
    if (!lacks(BrokenClause.CLOCK_IS_TRUSTED)) {
      super.adjustLeases(leaseNanos);
    }
  }

  private boolean judging;

  @Override
  synchronized Judgement judge(String bridge, int term, List<String> own, Claim claim) {
    judging = true;
    Judgement judgement = super.judge(bridge, term, own, claim);
    judging = false;
    return judgement;
  }

  @Override
  Judgement judgeAgain(String bridge, Epoch epoch, String batchId, Pending open, long now) {
    if (lacks(BrokenClause.PENDING_TWIN_IS_DELIVERED) && super.lives(open.owner(), now)) {
      return new Judgement.Counted(epoch, open.number(), open.kept(), true, null);
    }
    judging = false;
    Judgement again = super.judgeAgain(bridge, epoch, batchId, open, now);
    if (lacks(BrokenClause.REDELIVERED_GETS_NEW_NUMBER)
        && again instanceof Judgement.Counted counted) {
      number++;
      pending.put(batchId, new Pending(number, bridge, open.kept(), open.digests()));
      return new Judgement.Counted(counted.epoch(), number, counted.kept(), false, null);
    }
    return again;
  }

  @Override
  void revoke(String batchId, Pending open, long now) {
    if (lacks(BrokenClause.REVOKED_DIGESTS_STAY)) {
      pending.remove(batchId);
      number++;
      return;
    }
    super.revoke(batchId, open, now);
    if (lacks(BrokenClause.REVOCATION_IS_NOT_LOGGED)) {
      revocations.clear();
    }
  }

  /** Returns 1: each answer lists one revocation, so that small histories ask for others, too. */
  @Override
  int mostRevoked() {
    return 1;
  }

  @Override
  synchronized Horizon advance(String bridge, int term, Progress progress) {
    Horizon horizon = super.advance(bridge, term, progress);
    if (lacks(BrokenClause.REVOCATION_IS_FORGOTTEN_EARLY)) {
      revocations.clear();
    }
    return new Horizon(
        horizon.epoch(),
        lacks(BrokenClause.PENDING_IS_IGNORED) ? Long.MAX_VALUE : horizon.lowestPending(),
        horizon.oldestRevocation(),
        horizon.revocations(),
        horizon.moreRevocations() && !lacks(BrokenClause.REVOCATIONS_ARE_CUT),
        lacks(BrokenClause.UNHELD_STAYS_PENDING) ? List.of() : horizon.ownPending());
  }

  /**
   * Returns the state of everything but the leases, as text. Stores with equal texts behave
   * equally.
   */
  public synchronized String fingerprint() {
    boolean snapshotIsRead = lacks(BrokenClause.SNAPSHOT_KEEPS_EPOCH);
    StringBuilder text = new StringBuilder(256);
    text.append(token).append(' ').append(number).append(' ').append(lastCallNanos).append(agreed);
    text.append(lacks(BrokenClause.BROKERS_ARE_NOT_COMPARED) ? "" : brokers);
    // No record's own text, because Java 17 parses a format for each.
    for (Digest digest : inOrder(counts, comparing(Digest::high))) {
      text.append(digest.high()).append(counts.get(digest)).append(' ');
    }
    for (String id : inOrder(pending, naturalOrder())) {
      Pending open = requireNonNull(pending.get(id));
      text.append(id).append(" pending ").append(open.number()).append(open.owner());
      text.append(open.kept()).append(open.digests());
    }
    for (String id : inOrder(delivered, naturalOrder())) {
      Delivered closed = requireNonNull(delivered.get(id));
      text.append(id).append(" delivered ").append(closed.number()).append(closed.kept());
      text.append(closed.expiresNanos());
    }
    for (Logged logged : revocations.values()) {
      text.append(" revoked ").append(logged.revocation()).append(' ');
      text.append(logged.expiresNanos());
    }
    return text.append(snapshotIsRead ? savedCounts : "").append(' ').append(nanos).toString();
  }

  private static <K> Collection<K> inOrder(Map<K, ?> map, Comparator<? super K> order) {
    if (map.size() < 2) {
      return map.keySet();
    }
    List<K> keys = new ArrayList<>(map.keySet());
    keys.sort(order);
    return keys;
  }

  /** Returns a digest made of a name, for histories of the explorer. */
  public static Digests digestsOf(String messages) {
    byte[] packed = new byte[messages.length() * Digests.BYTES];
    for (int i = 0; i < messages.length(); i++) {
      packed[i * Digests.BYTES] = (byte) messages.charAt(i);
    }
    return new Digests(packed);
  }
}
