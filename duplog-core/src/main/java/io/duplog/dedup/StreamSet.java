package io.duplog.dedup;

import static java.util.stream.Collectors.joining;

import com.google.common.collect.Iterables;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The streams that all bridges merge, as they agree on them. Each has a slot: the place of its
 * counter in what is stored of a digest. A stream that was removed keeps its slot for as long as
 * something may be stored of it, so that what it alone had brought is dropped when others bring it,
 * and that it has the same one should it come back: counted in two slots, a stream's repeats would
 * be taken for the copies of two streams, and lost. Immutable.
 */
public final class StreamSet {
  /** How many streams there can be. */
  public static final int MOST = 8;

  /** The name in a slot that is free; no stream's. */
  private static final String FREE = "-";

  /**
   * A place for a stream's counter.
   *
   * @param removedAt for a stream that was removed: when that was, or when a batch of it was judged
   *     last, in Redis' milliseconds; null for one that is merged
   */
  public record Slot(String name, @Nullable Long removedAt) {
    boolean isFree() {
      return name.equals(FREE);
    }

    private boolean isOver(long since) {
      return removedAt != null && removedAt < since;
    }

    /** Whether its stream is one of those that are merged. */
    public boolean isMerged() {
      return removedAt == null && !isFree();
    }
  }

  private final List<Slot> slots;
  private final boolean[] merged;

  private StreamSet(List<Slot> slots) {
    this.slots = List.copyOf(slots);
    this.merged = new boolean[slots.size()];
    for (int i = 0; i < merged.length; i++) {
      merged[i] = slots.get(i).isMerged();
    }
  }

  /** The first bridge's streams, in its order. */
  public static StreamSet of(List<String> names) {
    return new StreamSet(names.stream().map(name -> new Slot(name, null)).toList());
  }

  /**
   * Reads what stands in Redis: {@code a,b,c!1700000000000,-}, where c was removed. What else
   * bridges agree on may follow, behind a space.
   */
  public static StreamSet parse(String text) {
    List<Slot> slots = new ArrayList<>();
    for (String each : text.split(" ", 2)[0].split(",", -1)) {
      int mark = each.indexOf('!');
      slots.add(
          mark < 0
              ? new Slot(each, null)
              : new Slot(each.substring(0, mark), Long.valueOf(each.substring(mark + 1))));
    }
    return new StreamSet(slots);
  }

  /** What follows the streams, with the space before it; empty for nothing. */
  public static String agreementOf(String text) {
    return text.substring(text.split(" ", 2)[0].length());
  }

  /** The slot of a stream, merged or removed; -1 where it has none. */
  public int slotOf(String name) {
    return Iterables.indexOf(slots, slot -> slot.name().equals(name));
  }

  /** For each slot, whether its stream is merged. Not to be changed. */
  public boolean[] mergedSlots() {
    return merged;
  }

  public boolean isMerged(int slot) {
    return merged[slot];
  }

  /** The streams that are merged, by slot. */
  public List<String> merged() {
    return slots.stream().filter(Slot::isMerged).map(Slot::name).toList();
  }

  /** The streams that were removed and still have a slot. */
  public List<Slot> removed() {
    return slots.stream().filter(slot -> slot.removedAt() != null).toList();
  }

  /**
   * The set after a bridge has said what it reads: some of the streams, or all of them and others,
   * which are merged from then on.
   *
   * @param joining whether the bridge has just begun: then what was removed is merged again
   * @return null where the bridge reads something else, or where there is no slot left
   */
  public @Nullable StreamSet with(Collection<String> names, boolean joining) {
    List<String> others = new ArrayList<>();
    for (String name : names) {
      int slot = slotOf(name);
      if (slot < 0 || (!merged[slot] && joining)) {
        others.add(name);
      }
    }
    if (others.isEmpty()) {
      return this;
    }
    if (!names.containsAll(merged())) {
      return null;
    }
    List<Slot> grown = new ArrayList<>(slots);
    for (String name : others) {
      int slot = slotOf(name);
      if (slot < 0) {
        slot = Iterables.indexOf(grown, Slot::isFree);
      }
      if (slot >= 0) {
        grown.set(slot, new Slot(name, null));
      } else {
        grown.add(new Slot(name, null));
      }
    }
    return grown.size() > MOST ? null : new StreamSet(grown);
  }

  /** The set without a stream; or with the last time at which one was judged that was removed. */
  public StreamSet without(String name, long now) {
    int slot = slotOf(name);
    if (slot < 0) {
      return this;
    }
    List<Slot> fewer = new ArrayList<>(slots);
    fewer.set(slot, new Slot(name, now));
    return new StreamSet(fewer);
  }

  /** The set with the slots free of which nothing has been judged since. */
  public StreamSet freed(long since) {
    return new StreamSet(
        slots.stream().map(slot -> slot.isOver(since) ? new Slot(FREE, null) : slot).toList());
  }

  /** As in Redis. */
  @Override
  public String toString() {
    return slots.stream()
        .map(slot -> slot.removedAt() == null ? slot.name() : slot.name() + "!" + slot.removedAt())
        .collect(joining(","));
  }
}
