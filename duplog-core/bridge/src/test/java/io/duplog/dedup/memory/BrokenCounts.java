package io.duplog.dedup.memory;

import io.duplog.dedup.Counts;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Provides deduplication rules with a deliberate mistake, so that tests can show that they would
 * find it.
 */
public final class BrokenCounts {
  private BrokenCounts() {}

  /** Returns how many keys a store has for a digest. The store may evict each key separately. */
  public static int keysOf(Counts counts) {
    return counts instanceof SeparateKeys separate ? separate.keys() : 1;
  }

  /** Returns what is left when a key was evicted, or null if nothing is. */
  public static @Nullable Counts without(Counts counts, int key) {
    return counts instanceof SeparateKeys separate ? separate.without(key) : null;
  }

  /**
   * Counts by the published prototype's rule: increment the own counter, decrement the others, keep
   * what finds its counter above zero. Right for two streams. With three, a round leaves all
   * counters at -1.
   */
  public static final class Decremented extends Counts {
    private final int[] counters;

    public Decremented(int streams, long expiresNanos) {
      super(streams, expiresNanos);
      this.counters = new int[streams];
    }

    @Override
    public boolean count(int stream, boolean[] merged) {
      for (int i = 0; i < counters.length; i++) {
        counters[i] += i == stream ? 1 : -1;
      }
      return counters[stream] > 0;
    }

    @Override
    public boolean isLevel() {
      return Arrays.stream(counters).allMatch(counter -> counter == 0);
    }

    @Override
    public Counts copy() {
      Decremented copy = new Decremented(counters.length, expiresNanos);
      System.arraycopy(counters, 0, copy.counters, 0, counters.length);
      return copy;
    }

    @Override
    public String toString() {
      return Arrays.toString(counters) + " until " + expiresNanos;
    }
  }

  /**
   * Has a key for each stream's counter, and for each n one that says that somebody has had an n-th
   * copy (INCR, SET NX). Right as long as no key is evicted without the others.
   */
  public static final class SeparateKeys extends Counts {
    private final int[] counters;
    private final BitSet had = new BitSet();

    public SeparateKeys(int streams, long expiresNanos) {
      super(streams, expiresNanos);
      this.counters = new int[streams];
    }

    @Override
    public boolean count(int stream, boolean[] merged) {
      int nth = ++counters[stream];
      boolean first = !had.get(nth);
      had.set(nth);
      return first;
    }

    @Override
    public boolean isLevel() {
      return false;
    }

    int keys() {
      return counters() + had.cardinality();
    }

    private int counters() {
      return (int) Arrays.stream(counters).filter(counter -> counter > 0).count();
    }

    public Counts without(int key) {
      SeparateKeys left = copy();
      int next = key;
      for (int stream = 0; stream < counters.length; stream++) {
        if (counters[stream] > 0 && next-- == 0) {
          left.counters[stream] = 0;
        }
      }
      if (key >= counters()) {
        left.had.clear(had.stream().skip(key - counters()).findFirst().orElseThrow());
      }
      return left;
    }

    @Override
    public SeparateKeys copy() {
      SeparateKeys copy = new SeparateKeys(counters.length, expiresNanos);
      System.arraycopy(counters, 0, copy.counters, 0, counters.length);
      copy.had.or(had);
      return copy;
    }

    @Override
    public String toString() {
      return Arrays.toString(counters) + had + " until " + expiresNanos;
    }
  }
}
