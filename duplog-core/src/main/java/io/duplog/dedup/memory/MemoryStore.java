package io.duplog.dedup.memory;

import io.duplog.dedup.Claim;
import io.duplog.dedup.Counts;
import io.duplog.dedup.Digest;
import io.duplog.dedup.Digests;
import io.duplog.dedup.Epoch;
import io.duplog.dedup.Horizon;
import io.duplog.dedup.Judgement;
import io.duplog.dedup.Progress;
import io.duplog.dedup.Revocation;
import io.duplog.dedup.Sightings;
import io.duplog.dedup.StreamSet;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What bridges share, held in this process. It does step by step what the Redis scripts do, but
 * remembers everything for exactly one window, where they remember some for longer; and serves as
 * {@code dedup.store: memory} for a single bridge and as the model that the explorer of the tests
 * drives. Every public method is one atomic step; one lock, the store itself, guards all.
 *
 * <p>Bounded: the oldest digests and delivered records go first, which costs a duplicate at worst.
 * Not final, so that the explorer can break one clause at a time and see a message lost by it.
 */
class MemoryStore {
  /** Records of delivered batches, for each digest that may be remembered. */
  private static final double DELIVERED_PER_DIGEST = 0.1;

  /** For this long a removed stream keeps its slot: longer than any count of it. */
  private static final int SLOT_WINDOWS = 2;

  private final long windowNanos;
  private final int maxDigests;
  private final LongSupplier nanoClock;
  private final Supplier<String> tokens;

  String token;
  long number;

  /** What the bridges agree on; null before one has said what it reads. Removals in nanoseconds. */
  @Nullable StreamSet agreed;

  /** When a bridge advanced last, whichever; null before. */
  private @Nullable Long askedNanos;

  /** Bridges by the time at which their lease lapses. */
  final Map<String, Long> leases = new LinkedHashMap<>();

  /** In the order of their first sight, which is the order in which they expire. */
  final Map<Digest, Counts> counts = new LinkedHashMap<>();

  final Map<String, Pending> pending = new LinkedHashMap<>();

  /** In the order of their delivery, which is the order in which they expire. */
  final Map<String, Delivered> delivered = new LinkedHashMap<>();

  final TreeMap<Long, Logged> revocations = new TreeMap<>();

  final MemoryTallies tallies = new MemoryTallies(this);

  record Pending(long number, String owner, BitSet kept, Digests digests) {}

  record Delivered(long number, BitSet kept, long expiresNanos) {}

  record Logged(Revocation revocation, long expiresNanos) {}

  MemoryStore(long windowNanos, int maxDigests, LongSupplier nanoClock, Supplier<String> tokens) {
    this.windowNanos = windowNanos;
    this.maxDigests = maxDigests;
    this.nanoClock = nanoClock;
    this.tokens = tokens;
    this.token = tokens.get();
    tallies.clear(nowMillis());
  }

  long nowMillis() {
    return TimeUnit.NANOSECONDS.toMillis(nanoClock.getAsLong());
  }

  /**
   * Takes what a bridge reads.
   *
   * @param joining whether it has just begun
   * @return whether it may: not so where it reads something else than the others
   */
  synchronized boolean agree(List<String> names, boolean joining) {
    long now = nanoClock.getAsLong();
    StreamSet known = agreed;
    if (known == null) {
      agreed = StreamSet.of(names);
      return true;
    }
    known = known.freed(now - SLOT_WINDOWS * windowNanos);
    StreamSet next = known.with(names, joining);
    if (next == null) {
      if (leases.keySet().stream().anyMatch(bridge -> lives(bridge, now))) {
        return false;
      }
      forgetAll();
      next = StreamSet.of(names);
    } else if (!next.merged().equals(known.merged())) {
      tallies.clear(nowMillis());
    }
    agreed = next;
    return true;
  }

  /** A stream is not merged any more: nobody waits for it, what it had brought counts. */
  synchronized void remove(String stream) {
    StreamSet known = agreed;
    if (known != null && known.merged().contains(stream)) {
      agreed = known.without(stream, nanoClock.getAsLong());
      tallies.clear(nowMillis());
    }
  }

  /**
   * @param own the bridge's streams, by which the claim tells its stream
   */
  synchronized Judgement judge(String bridge, int term, List<String> own, Claim claim) {
    long now = nanoClock.getAsLong();
    if (!lives(bridge, now)) {
      return new Judgement.LeaseLapsed();
    }
    expire(now);
    Epoch epoch = new Epoch(token, term);
    Delivered before = delivered.get(claim.batchId());
    if (before != null) {
      return new Judgement.Counted(epoch, before.number(), before.kept(), true, null);
    }
    Pending open = pending.get(claim.batchId());
    if (open != null) {
      return judgeAgain(bridge, epoch, claim.batchId(), open, now);
    }
    byte[] ages = new byte[claim.digests().count()];
    int slot = slotOf(own, claim);
    BitSet kept = new BitSet();
    if (slot < 0) {
      // Of a stream that was removed long ago: there is nothing to compare it with.
      kept.set(0, claim.digests().count());
    } else {
      kept = countCopies(claim, slot, awaited(own), now, ages);
    }
    number++;
    if (kept.isEmpty()) {
      delivered.put(claim.batchId(), new Delivered(number, kept, now + windowNanos));
    } else {
      pending.put(claim.batchId(), new Pending(number, bridge, kept, claim.digests()));
    }
    Sightings sightings = slot < 0 ? null : new Sightings(generation(now), ages);
    return new Judgement.Counted(epoch, number, kept, false, sightings);
  }

  /** Where a batch is counted; -1 where it can't be. */
  int slotOf(List<String> own, Claim claim) {
    StreamSet known = agreed;
    if (known == null) {
      return -1;
    }
    String stream = own.get(claim.stream());
    int slot = known.slotOf(stream);
    if (slot >= 0 && !known.isMerged(slot)) {
      agreed = known.without(stream, nanoClock.getAsLong());
    }
    return slot;
  }

  /** For each slot, whether a digest is remembered until its stream has brought it. */
  boolean[] awaited(List<String> own) {
    return Objects.requireNonNull(agreed).mergedSlots();
  }

  /** While the bridge that judged a batch lives, it finishes it; then another may take it over. */
  Judgement judgeAgain(String bridge, Epoch epoch, String batchId, Pending open, long now) {
    if (lives(open.owner(), now)) {
      return new Judgement.HeldElsewhere();
    }
    pending.put(batchId, new Pending(open.number(), bridge, open.kept(), open.digests()));
    return new Judgement.Counted(epoch, open.number(), open.kept(), false, null);
  }

  private long generation(long nanos) {
    return Math.floorDiv(nanos, Math.max(1, windowNanos / Sightings.REMEMBERED));
  }

  private BitSet countCopies(Claim claim, int slot, boolean[] merged, long now, byte[] ages) {
    BitSet kept = new BitSet();
    for (int i = 0; i < claim.digests().count(); i++) {
      Digest digest = claim.digests().get(i);
      Counts known = counts.get(digest);
      if (known == null) {
        known = newCounts(merged.length, now + windowNanos);
        counts.put(digest, known);
        dropWhile(counts, oldest -> counts.size() > maxDigests);
      }
      ages[i] = (byte) (generation(now) - generation(known.expiresNanos - windowNanos));
      if (known.count(slot, merged)) {
        kept.set(i);
      }
      if (known.isLevel()) {
        counts.remove(digest);
      }
    }
    return kept;
  }

  /** For a digest that is seen for the first time. */
  Counts newCounts(int slots, long expiresNanos) {
    return new Counts(slots, expiresNanos);
  }

  /**
   * The clock may be set. Leases run on time in which bridges ask: between two calls no more than a
   * third of a lease passes, so that no leap revokes a bridge that lives, and none backwards. What
   * was judged in a time that comes once more would then be read as if it were new: it belongs to
   * another epoch.
   */
  synchronized void follow(long leaseNanos) {
    long now = nanoClock.getAsLong();
    long asked = askedNanos == null ? now : askedNanos;
    long passed = now - asked;
    if (passed < -windowNanos / Sightings.REMEMBERED) {
      forgetAll();
    } else {
      long moved = Math.min(passed, Math.max(0, passed - leaseNanos / 3));
      leases.replaceAll((bridge, lapses) -> lapses > asked ? lapses + moved : lapses);
    }
    askedNanos = now;
  }

  /** Renews the lease; answers whether it had not lapsed before. */
  synchronized boolean renew(String bridge, long leaseNanos) {
    long now = nanoClock.getAsLong();
    boolean lived = lives(bridge, now);
    leases.put(bridge, now + leaseNanos);
    return lived;
  }

  synchronized Horizon advance(String bridge, int term, Progress progress) {
    long now = nanoClock.getAsLong();
    expire(now); // here too: one that is asked in an outage only gives its memory back
    for (Progress.Done done : progress.done()) {
      done(bridge, done, now);
    }
    for (String batchId : progress.revoke()) {
      Pending open = pending.get(batchId);
      if (open != null && open.owner().equals(bridge)) {
        revoke(batchId, open, now);
      }
    }
    revokeLapsed(now);
    long lowest = Long.MAX_VALUE;
    List<String> own = new ArrayList<>();
    for (Map.Entry<String, Pending> entry : pending.entrySet()) {
      lowest = Math.min(lowest, entry.getValue().number());
      if (progress.listOwn() && entry.getValue().owner().equals(bridge)) {
        own.add(entry.getKey());
      }
    }
    forgetRevocations(lowest, now);
    List<Revocation> news =
        revocations.tailMap(progress.revocationsAfter(), false).values().stream()
            .map(Logged::revocation)
            .toList();
    long oldest = revocations.isEmpty() ? Long.MAX_VALUE : revocations.firstKey();
    return new Horizon(new Epoch(token, term), lowest, oldest, news, own);
  }

  /**
   * A revocation is remembered for a window, and for as long as a batch that it may concern is
   * pending: whoever takes that batch over has to know.
   */
  private void forgetRevocations(long lowestPending, long now) {
    dropWhile(
        revocations,
        logged -> logged.expiresNanos() < now && logged.revocation().number() < lowestPending);
  }

  private void done(String bridge, Progress.Done done, long now) {
    Pending open = pending.get(done.batchId());
    if (open == null) {
      return;
    }
    boolean meant =
        done.epoch().equals(Epoch.UNKNOWN)
            ? open.owner().equals(bridge)
            : open.number() == done.number() && done.epoch().token().equals(token);
    if (!meant) {
      return;
    }
    pending.remove(done.batchId());
    // A revocation since its judgement may concern its drops, and is remembered for a window only:
    // then the record must not outlive it. Without a record it would be counted anew.
    if (revocations.isEmpty() || revocations.lastKey() < open.number()) {
      delivered.put(done.batchId(), new Delivered(open.number(), open.kept(), now + windowNanos));
    }
  }

  /** Gives up a pending batch: forgets its kept digests as a whole, its record, and logs it. */
  void revoke(String batchId, Pending open, long now) {
    Set<Digest> forgotten = new HashSet<>();
    open.kept().stream().forEach(i -> forgotten.add(open.digests().get(i)));
    forgotten.forEach(counts::remove);
    pending.remove(batchId);
    number++;
    revocations.put(
        number, new Logged(new Revocation(open.number(), number, forgotten), now + windowNanos));
  }

  private void revokeLapsed(long now) {
    if (leases.values().removeIf(lapses -> lapses <= now)) {
      for (Map.Entry<String, Pending> entry : List.copyOf(pending.entrySet())) {
        if (!lives(entry.getValue().owner(), now)) {
          revoke(entry.getKey(), entry.getValue(), now);
        }
      }
    }
  }

  synchronized void leave(String bridge) {
    leases.computeIfPresent(bridge, (name, lapses) -> Long.MIN_VALUE);
  }

  /** Everything is gone, as after a restart of Redis: a new epoch begins. */
  synchronized void forgetAll() {
    token = tokens.get();
    number = 0;
    agreed = null;
    leases.clear();
    counts.clear();
    pending.clear();
    delivered.clear();
    revocations.clear();
    tallies.clear(nowMillis());
  }

  boolean lives(String bridge, long now) {
    Long lapses = leases.get(bridge);
    return lapses != null && lapses > now;
  }

  private void expire(long now) {
    int records = (int) (maxDigests * DELIVERED_PER_DIGEST) + 1;
    dropWhile(counts, known -> known.expiresNanos <= now);
    dropWhile(delivered, record -> record.expiresNanos() <= now || delivered.size() > records);
  }

  private static <V> void dropWhile(Map<?, V> oldestFirst, Predicate<V> isOver) {
    Iterator<V> values = oldestFirst.values().iterator();
    while (values.hasNext() && isOver.test(values.next())) {
      values.remove();
    }
  }

  /** The state of everything but the leases, for the explorer: equal text, equal future. */
  synchronized String fingerprint() {
    return token
        + ' '
        + number
        + askedNanos
        + agreed
        + texts(counts)
        + texts(pending)
        + texts(delivered)
        + revocations.values();
  }

  private static Map<String, String> texts(Map<?, ?> map) {
    Map<String, String> texts = new TreeMap<>();
    map.forEach((key, value) -> texts.put(key.toString(), value.toString()));
    return texts;
  }
}
