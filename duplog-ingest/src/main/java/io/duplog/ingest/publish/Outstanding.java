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
 *
 * @see "docs/decisions/wire.md#too-large-batch"
 */
final class Outstanding {
  private final Deque<OutgoingBatch> waitingBatches = new ArrayDeque<>();
  private final NavigableMap<Long, OutgoingBatch> sentBatches = new TreeMap<>();
  private final Set<String> returnedIds = new HashSet<>();

  /** Ids of batches that the broker refused or had no queue for, and has not confirmed since. */
  private final Set<String> refusedIds = new HashSet<>();

  /**
   * Batches as they were submitted, by the ids of their halves; {@link #clear} returns them in
   * place of the halves.
   */
  private final Map<String, OutgoingBatch> wholes = new HashMap<>();

  /** Size in bytes of the smallest body that the broker refused as too large. */
  private int tooLarge = Integer.MAX_VALUE;

  private long bytes;
  private long confirmedMessages;

  void add(OutgoingBatch batch) {
    waitingBatches.addLast(batch);
    bytes += batch.body().length;
  }

  boolean isEmpty() {
    return waitingBatches.isEmpty() && sentBatches.isEmpty();
  }

  boolean hasWaiting() {
    return !waitingBatches.isEmpty();
  }

  /** Whether there is a refused batch that the broker has not confirmed since. */
  boolean hasRefused() {
    return !refusedIds.isEmpty();
  }

  /** Returns the number of messages that the broker has confirmed since the start. */
  long confirmed() {
    return confirmedMessages;
  }

  /** Returns the total bytes of all bodies, whether waiting or sent. */
  long bytes() {
    return bytes;
  }

  /**
   * Returns the next batch to send, and records it as sent under this number. A batch that the
   * broker would call too large is halved first.
   */
  OutgoingBatch take(long sequence) {
    OutgoingBatch batch = waitingBatches.removeFirst();
    while (batch.body().length >= tooLarge && batch.envelope().count() > 1) {
      batch = halve(batch);
    }
    sentBatches.put(sequence, batch);
    return batch;
  }

  /** Splits a batch; returns the first half and puts the other half back to wait. */
  private OutgoingBatch halve(OutgoingBatch batch) {
    OutgoingBatch whole = wholes.remove(batch.envelope().id());
    boolean wasRefused = refusedIds.remove(batch.envelope().id());
    bytes -= batch.body().length;
    List<OutgoingBatch> halves = batch.halves();
    for (OutgoingBatch half : halves) {
      if (wasRefused) {
        refusedIds.add(half.envelope().id());
      }
      wholes.put(half.envelope().id(), whole == null ? batch : whole);
      bytes += half.body().length;
    }
    waitingBatches.addFirst(halves.get(1));
    return halves.get(0);
  }

  /**
   * Called when the broker has refused a body's size. It does not say which body it refused, but it
   * must have been the largest or one of its size.
   *
   * @return the largest batch; null if none is being sent any more
   */
  @Nullable OutgoingBatch sizeRefused() {
    OutgoingBatch largest =
        sentBatches.values().stream()
            .max(Comparator.comparingInt(batch -> batch.body().length))
            .orElse(null);
    if (largest != null) {
      tooLarge = Math.min(tooLarge, largest.body().length);
    }
    return largest;
  }

  /** Called when the broker has no queue for a batch; the confirm that follows is then ignored. */
  void returned(String id) {
    returnedIds.add(id);
  }

  /**
   * Removes batches that were confirmed. Batches that were refused, or had been returned, wait to
   * be sent again.
   *
   * @param sequence number of a batch; ignored if that batch was withdrawn
   * @param multiple whether all lower numbers are meant as well
   * @param confirmed true for an ack, false for a nack
   * @return the batches that wait again
   */
  List<OutgoingBatch> told(long sequence, boolean multiple, boolean confirmed) {
    Map<Long, OutgoingBatch> meant =
        sentBatches.subMap(multiple ? Long.MIN_VALUE : sequence, true, sequence, true);
    List<OutgoingBatch> again = new ArrayList<>();
    for (OutgoingBatch batch : meant.values()) {
      String id = batch.envelope().id();
      boolean wasReturned = returnedIds.remove(id);
      if (confirmed && !wasReturned) {
        refusedIds.remove(id);
        wholes.remove(id);
        bytes -= batch.body().length;
        confirmedMessages += batch.envelope().count();
      } else {
        refusedIds.add(id);
        again.add(batch);
      }
    }
    meant.clear();
    putBack(again);
    return again;
  }

  /** Called when the session has ended; the batches sent on it wait again, in their old order. */
  void sessionLost() {
    putBack(new ArrayList<>(sentBatches.values()));
    sentBatches.clear();
    returnedIds.clear();
  }

  /**
   * Forgets all batches.
   *
   * @return those batches as they were submitted: whole, even if a half was confirmed
   */
  List<OutgoingBatch> clear() {
    Map<String, OutgoingBatch> all = new LinkedHashMap<>();
    for (Collection<OutgoingBatch> batches : List.of(sentBatches.values(), waitingBatches)) {
      for (OutgoingBatch batch : batches) {
        OutgoingBatch whole = wholes.getOrDefault(batch.envelope().id(), batch);
        all.put(whole.envelope().id(), whole);
      }
    }
    waitingBatches.clear();
    sentBatches.clear();
    returnedIds.clear();
    refusedIds.clear();
    wholes.clear();
    bytes = 0;
    return new ArrayList<>(all.values());
  }

  private void putBack(List<OutgoingBatch> again) {
    for (int i = again.size() - 1; i >= 0; i--) {
      waitingBatches.addFirst(again.get(i));
    }
  }
}
