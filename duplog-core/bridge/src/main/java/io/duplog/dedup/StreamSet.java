package io.duplog.dedup;

import com.google.common.collect.Iterables;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * The streams that all bridges of a deployment have agreed to merge.
 *
 * <p>Each stream owns a slot: an index into the counters that the ledger stores per digest. A
 * removed stream keeps its slot until its counts have expired. This way other streams' copies of
 * its messages are still dropped. And it gets the same slot if it returns: with two slots, a
 * stream's repeats would count as copies of two streams, and be lost. Immutable.
 *
 * @see "docs/decisions/dedup.md#stream-slots"
 */
public final class StreamSet {
  /** Limit of streams, including removed streams that still have a {@link Slot}. */
  public static final int MAX_STREAMS = 8;

  /** Placeholder for the stream's name in a free slot; no stream has this name. */
  private static final String FREE = "-";

  /**
   * The index of a stream's counter.
   *
   * @param removedAt when the stream was removed, or when a batch of the removed stream was last
   *     judged; null if the stream was not removed. The unit is milliseconds of Redis's clock, or
   *     nanoseconds in {@code MemoryStore}.
   */
  public record Slot(String name, @Nullable Long removedAt) {
    boolean isFree() {
      return name.equals(FREE);
    }

    private boolean isOver(long since) {
      return removedAt != null && removedAt < since;
    }

    /** Whether the slot belongs to a stream that is currently merged. */
    public boolean isMerged() {
      return removedAt == null && !isFree();
    }
  }

  private final List<Slot> slots;
  private final boolean[] mergedSlots;
  private final List<String> merged;

  private StreamSet(List<Slot> slots) {
    this.slots = List.copyOf(slots);
    this.mergedSlots = new boolean[slots.size()];
    for (int i = 0; i < mergedSlots.length; i++) {
      mergedSlots[i] = slots.get(i).isMerged();
    }
    this.merged = slots.stream().filter(Slot::isMerged).map(Slot::name).toList();
  }

  /** Creates a set with a slot for each of these streams, in the order of the names. */
  public static StreamSet of(List<String> names) {
    return new StreamSet(names.stream().map(name -> new Slot(name, null)).toList());
  }

  /**
   * Parses the text in Redis, such as {@code a,b,c!1700000000000,-}, where stream c was removed and
   * the last slot is free. Text after a space is ignored.
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

  /**
   * Returns the settings after the streams in an agreement's text, including the space before them,
   * or empty if there are none.
   */
  public static String agreementOf(String text) {
    return text.substring(text.split(" ", 2)[0].length());
  }

  /** Returns the slot index of a merged or removed stream, or -1 if the stream has no slot. */
  public int slotOf(String name) {
    return Iterables.indexOf(slots, slot -> slot.name().equals(name));
  }

  /** Returns, for each slot, whether its stream is merged. Callers must not change the array. */
  public boolean[] mergedSlots() {
    return mergedSlots;
  }

  public boolean isMerged(int slot) {
    return mergedSlots[slot];
  }

  /** Returns the names of the merged streams, in the order of their slots. */
  public List<String> merged() {
    return merged;
  }

  /** Returns the slots of removed streams. */
  public List<Slot> removed() {
    return slots.stream().filter(slot -> slot.removedAt() != null).toList();
  }

  /**
   * Returns the set after a bridge has named the streams that it reads. A bridge may read some of
   * the merged streams, or all of them and others, which are merged from that moment.
   *
   * @param joining whether the bridge has just started, so that a removed stream is merged again
   * @return null if the bridge reads other streams, or if no slot is left
   */
  public @Nullable StreamSet with(Collection<String> names, boolean joining) {
    List<String> others = new ArrayList<>();
    for (String name : names) {
      int slot = slotOf(name);
      if (slot < 0 || (!mergedSlots[slot] && joining)) {
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
    return grown.size() > MAX_STREAMS ? null : new StreamSet(grown);
  }

  /**
   * Returns the set without a stream, which must have a slot. If the stream was already removed,
   * sets the time at which one of its batches was last judged.
   */
  public StreamSet without(String name, long now) {
    List<Slot> fewer = new ArrayList<>(slots);
    fewer.set(slotOf(name), new Slot(name, now));
    return new StreamSet(fewer);
  }

  /**
   * Returns the set in which the slots of removed streams are free if none of their batches was
   * judged since then.
   */
  public StreamSet freed(long since) {
    return slots.stream().noneMatch(slot -> slot.isOver(since))
        ? this
        : new StreamSet(
            slots.stream().map(slot -> slot.isOver(since) ? new Slot(FREE, null) : slot).toList());
  }

  /** Returns the slots in the form that {@link #parse} reads. */
  @Override
  public String toString() {
    StringJoiner text = new StringJoiner(",");
    for (Slot slot : slots) {
      text.add(slot.removedAt() == null ? slot.name() : slot.name() + "!" + slot.removedAt());
    }
    return text.toString();
  }
}
