package io.duplog.ingest.publish;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The batches that RabbitMQ has not confirmed: those waiting to be sent, and those sent on the
 * current session. Not thread-safe; {@link BatchPublisher}'s lock guards it.
 */
final class Outstanding {
  private final Deque<OutgoingBatch> waiting = new ArrayDeque<>();
  private final NavigableMap<Long, OutgoingBatch> sent = new TreeMap<>();
  private final Set<String> returned = new HashSet<>();

  /** The ids of those that were refused, or found no queue, and were not confirmed since. */
  private final Set<String> refused = new HashSet<>();

  /** By a part's id: the batch that was submitted. It is given back in its parts' place. */
  private final Map<String, OutgoingBatch> wholes = new HashMap<>();

  /** The smallest body that the broker called too large. */
  private int tooLarge = Integer.MAX_VALUE;

  private long bytes;
  private long confirmedMessages;

  void add(OutgoingBatch batch) {
    waiting.addLast(batch);
    bytes += batch.body().length;
  }

  boolean isEmpty() {
    return waiting.isEmpty() && sent.isEmpty();
  }

  boolean hasWaiting() {
    return !waiting.isEmpty();
  }

  /** Whether anything was refused and is not confirmed yet. */
  boolean hasRefused() {
    return !refused.isEmpty();
  }

  /** Messages that were confirmed since the beginning. */
  long confirmed() {
    return confirmedMessages;
  }

  /** Bytes of all bodies, waiting and sent. */
  long bytes() {
    return bytes;
  }

  /**
   * The batch that is to be sent next, which from now on counts as sent under this number. What the
   * broker would call too large is halved before.
   */
  OutgoingBatch take(long sequence) {
    OutgoingBatch batch = waiting.removeFirst();
    while (batch.body().length >= tooLarge && batch.envelope().count() > 1) {
      batch = halve(batch);
    }
    sent.put(sequence, batch);
    return batch;
  }

  /** Returns the first half; the other waits. */
  private OutgoingBatch halve(OutgoingBatch batch) {
    OutgoingBatch whole = wholes.remove(batch.envelope().id());
    bytes -= batch.body().length;
    List<OutgoingBatch> halves = batch.halves();
    for (OutgoingBatch half : halves) {
      wholes.put(half.envelope().id(), whole == null ? batch : whole);
      bytes += half.body().length;
    }
    waiting.addFirst(halves.get(1));
    return halves.get(0);
  }

  /**
   * The broker refuses the size of something that was sent. It does not say of what; it can't be
   * less than the largest.
   *
   * @return the largest; null where nothing is sent any more
   */
  @Nullable OutgoingBatch sizeRefused() {
    OutgoingBatch largest =
        sent.values().stream()
            .max(Comparator.comparingInt(batch -> batch.body().length))
            .orElse(null);
    if (largest != null) {
      tooLarge = Math.min(tooLarge, largest.body().length);
    }
    return largest;
  }

  /** No queue took this batch: the confirm that follows does not count. */
  void returned(String id) {
    returned.add(id);
  }

  /**
   * Removes what was confirmed; what was refused, or had been returned, waits to be sent again.
   *
   * @param multiple whether all below this number are meant as well; an unknown number is that of a
   *     batch that was given up since
   * @param confirmed or refused
   * @return the batches that wait again
   */
  List<OutgoingBatch> told(long sequence, boolean multiple, boolean confirmed) {
    Map<Long, OutgoingBatch> meant =
        sent.subMap(multiple ? Long.MIN_VALUE : sequence, true, sequence, true);
    List<OutgoingBatch> again = new ArrayList<>();
    for (OutgoingBatch batch : meant.values()) {
      String id = batch.envelope().id();
      boolean wasReturned = returned.remove(id);
      if (confirmed && !wasReturned) {
        refused.remove(id);
        wholes.remove(id);
        bytes -= batch.body().length;
        confirmedMessages += batch.envelope().count();
      } else {
        refused.add(id);
        again.add(batch);
      }
    }
    meant.clear();
    putBack(again);
    return again;
  }

  /** The session is over: whatever was sent on it waits again, in its old order. */
  void sessionLost() {
    putBack(new ArrayList<>(sent.values()));
    sent.clear();
    returned.clear();
  }

  /**
   * Forgets everything.
   *
   * @return what was in it, as it was submitted: whole, though a part may be confirmed
   */
  List<OutgoingBatch> clear() {
    Map<String, OutgoingBatch> all = new LinkedHashMap<>();
    for (Collection<OutgoingBatch> batches : List.of(sent.values(), waiting)) {
      for (OutgoingBatch batch : batches) {
        OutgoingBatch whole = wholes.getOrDefault(batch.envelope().id(), batch);
        all.put(whole.envelope().id(), whole);
      }
    }
    waiting.clear();
    sent.clear();
    returned.clear();
    refused.clear();
    wholes.clear();
    bytes = 0;
    return new ArrayList<>(all.values());
  }

  private void putBack(List<OutgoingBatch> again) {
    for (int i = again.size() - 1; i >= 0; i--) {
      waiting.addFirst(again.get(i));
    }
  }
}
