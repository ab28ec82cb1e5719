package io.duplog.dedup.memory;

import io.duplog.dedup.BrokerAgreement;
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
import io.duplog.dedup.Tallies;
import io.duplog.wire.StreamBroker;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
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
 * Holds in this process's memory what Redis holds otherwise: the counts of copies, the pending
 * batches and the leases. Follows the Redis scripts step by step, but remembers everything for
 * exactly one window, whereas Redis remembers some entries for longer. Used for {@code dedup.store:
 * memory} with a single bridge, and as the model that the tests' explorer drives. Every
 * synchronized method is one atomic step.
 *
 * <p>The memory is bounded. The oldest digests and delivered records are removed first, which risks
 * only duplicates. Not final, so that the explorer can break one clause at a time and see that a
 * message is lost.
 */
class MemoryStore {
  /** Number of records of delivered batches to keep, as a fraction of {@code maxDigests}. */
  private static final double DELIVERED_PER_DIGEST = 0.1;

  /** Limit of digests in one answer: one mebibyte. */
  private static final int MAX_REVOKED_DIGESTS = 1 << 16;

  /** Time in milliseconds beyond two windows after which every period is settled. */
  private static final long SETTLING_MILLIS = 60_000;

  /** Windows for which a removed stream keeps its slot; counts expire after one window. */
  private static final int SLOT_WINDOWS = 2;

  private final long windowNanos;
  private final int maxDigests;
  private final LongSupplier nanoClock;
  private final Supplier<String> tokens;

  String token;
  long number;

  /**
   * The streams that the bridges agreed on, with removal times in nanoseconds, or null until a
   * bridge has named its streams.
   */
  @Nullable StreamSet agreed;

  /** The brokers that bridges read. */
  final BrokerAgreement brokers = new BrokerAgreement();

  /**
   * Time in nanoseconds of the last {@link #adjustLeases} call by any bridge, or null before the
   * first call.
   */
  @Nullable Long lastCallNanos;

  /** Time in nanoseconds at which each bridge's lease lapses, by the bridge's name. */
  final Map<String, Long> leases = new LinkedHashMap<>();

  /** Counts by digest, in the order in which digests were first seen; the oldest expire first. */
  final Map<Digest, Counts> counts = new LinkedHashMap<>();

  final Map<String, Pending> pending = new LinkedHashMap<>();

  /** Delivered batches by batch id, in the order of their delivery; the oldest expire first. */
  final Map<String, Delivered> delivered = new LinkedHashMap<>();

  final TreeMap<Long, Logged> revocations = new TreeMap<>();

  final MemoryTallies tallies = new MemoryTallies(this);

  /** The times in unsettled periods at which digests were forgotten too soon. */
  Tallies.Forgotten forgotten = Tallies.Forgotten.NOTHING;

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

  /** Runs a step atomically and returns its result. */
  synchronized <T> T atomically(Supplier<T> step) {
    return step.get();
  }

  long nowMillis() {
    return TimeUnit.NANOSECONDS.toMillis(nanoClock.getAsLong());
  }

  /**
   * Agrees on the streams that a bridge reads.
   *
   * @param joining whether the bridge has just started
   * @return whether the bridge is accepted. A bridge is rejected if it reads other streams than
   *     living bridges.
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

  /**
   * Compares a bridge's brokers with those of the living bridges. Forgets the existing counts if
   * they may be another deployment's and none of its bridges lives.
   *
   * @return a bridge that reads other brokers, or null if this one is accepted
   */
  synchronized BrokerAgreement.@Nullable Conflict conflict(String bridge, List<StreamBroker> read) {
    long now = nanoClock.getAsLong();
    BrokerAgreement.Conflict conflict = brokers.compare(bridge, read, name -> lives(name, now));
    if (conflict != null) {
      brokers.drop(bridge);
    } else if (brokers.isForeign(read)) {
      forgetAll();
    }
    return conflict;
  }

  /**
   * Stops merging a stream. Digests no longer wait for the stream's copies, but the copies that it
   * has brought still count.
   */
  synchronized void remove(String stream) {
    StreamSet known = agreed;
    if (known != null && known.merged().contains(stream)) {
      agreed = known.without(stream, nanoClock.getAsLong());
      tallies.clear(nowMillis());
    }
  }

  /**
   * @param own the bridge's streams; {@link Claim#stream()} is an index into this list
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
      // The stream was removed long ago, so there is nothing to compare the batch with.
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

  /** Returns the slot in which a batch is counted, or -1 if the batch's stream has no slot. */
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

  /** Returns, for each slot, whether digests are remembered until the slot's stream brings them. */
  boolean[] awaited(List<String> own) {
    return Objects.requireNonNull(agreed).mergedSlots();
  }

  /**
   * Judges a pending batch again. If the bridge that first judged it is dead, this bridge takes it
   * over.
   */
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
        while (counts.size() > maxDigests) {
          forgetOldest(now);
        }
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

  /**
   * Forgets the oldest digest before its window has ended. Merges the times of such losses into one
   * range, as long as the tallies may still have to settle them.
   */
  void forgetOldest(long now) {
    Iterator<Counts> oldest = counts.values().iterator();
    long untilNanos = oldest.next().expiresNanos;
    oldest.remove();
    boolean isOver =
        forgotten.untilMillis()
            < TimeUnit.NANOSECONDS.toMillis(now - 2 * windowNanos) - SETTLING_MILLIS;
    Tallies.Forgotten gone =
        new Tallies.Forgotten(
            TimeUnit.NANOSECONDS.toMillis(untilNanos - windowNanos),
            TimeUnit.NANOSECONDS.toMillis(untilNanos) + 1);
    forgotten = isOver ? gone : forgotten.with(gone);
  }

  /** Creates the counts for a digest that is seen for the first time. */
  Counts newCounts(int slots, long expiresNanos) {
    return new Counts(slots, expiresNanos);
  }

  /**
   * Adjusts all leases if the clock was set. The time between two calls counts as a third of a
   * lease at most. So a clock step forward revokes no living bridge, and a step back prolongs no
   * lease. A long step back also starts a new epoch, because earlier judgements would otherwise
   * seem new.
   */
  synchronized void adjustLeases(long leaseNanos) {
    long now = nanoClock.getAsLong();
    long asked = lastCallNanos == null ? now : lastCallNanos;
    long passed = now - asked;
    if (passed < -windowNanos / Sightings.REMEMBERED) {
      forgetAll();
    } else {
      long moved = Math.min(passed, Math.max(0, passed - leaseNanos / 3));
      leases.replaceAll((bridge, lapses) -> lapses > asked ? lapses + moved : lapses);
    }
    lastCallNanos = now;
  }

  /** Renews a bridge's lease, and returns whether the lease was still valid before the call. */
  synchronized boolean renew(String bridge, long leaseNanos) {
    long now = nanoClock.getAsLong();
    boolean lived = lives(bridge, now);
    leases.put(bridge, now + leaseNanos);
    return lived;
  }

  synchronized Horizon advance(String bridge, int term, Progress progress) {
    long now = nanoClock.getAsLong();
    expire(now); // here too, so that a store that was used in an outage frees its memory
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
    List<Revocation> news = new ArrayList<>();
    long digests = 0;
    boolean more = false;
    for (Logged later : revocations.tailMap(progress.revocationsAfter(), false).values()) {
      more = digests >= mostRevoked();
      if (more) {
        break;
      }
      news.add(later.revocation());
      digests += later.revocation().digests().count();
    }
    long oldest = revocations.isEmpty() ? Long.MAX_VALUE : revocations.firstKey();
    return new Horizon(new Epoch(token, term), lowest, oldest, news, more, own);
  }

  /** Returns the number of digests after which an answer lists no further revocation. */
  int mostRevoked() {
    return MAX_REVOKED_DIGESTS;
  }

  /**
   * Forgets revocations after a window, but not while an affected batch may be pending: the bridge
   * that takes over such a batch must know them.
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
    // A newer revocation may affect the drops of this batch, but is remembered for only a window. A
    // record must not outlive it. So no record is made, and a redelivery would be counted again.
    if (revocations.isEmpty() || revocations.lastKey() < open.number()) {
      delivered.put(done.batchId(), new Delivered(open.number(), open.kept(), now + windowNanos));
    }
  }

  /**
   * Revokes a pending batch: removes the batch and the counts of its kept digests, and adds a
   * {@link Revocation}.
   */
  void revoke(String batchId, Pending open, long now) {
    Set<Digest> forgotten = new LinkedHashSet<>();
    open.kept().stream().forEach(i -> forgotten.add(open.digests().get(i)));
    forgotten.forEach(counts::remove);
    pending.remove(batchId);
    number++;
    revocations.put(
        number,
        new Logged(
            new Revocation(open.number(), number, Digests.of(forgotten)), now + windowNanos));
  }

  private void revokeLapsed(long now) {
    if (leases.values().removeIf(lapses -> lapses <= now)) {
      brokers.keep(name -> lives(name, now));
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

  /** Discards the whole state and starts a new {@link Epoch}, like a restart of Redis. */
  synchronized void forgetAll() {
    token = tokens.get();
    number = 0;
    agreed = null;
    brokers.clear();
    leases.clear();
    counts.clear();
    pending.clear();
    delivered.clear();
    revocations.clear();
    forgotten = Tallies.Forgotten.NOTHING;
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
}
