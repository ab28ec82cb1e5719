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
 * Holds the batches that RabbitMQ has not confirmed yet, so that they can be published again. Not
 * thread-safe; {@link BatchPublisher}'s lock guards it.
 *
 * @see "docs/decisions/wire.md#too-large-batch"
 */
final class Outstanding {
  private final Deque<OutgoingBatch> waitingBatches = new ArrayDeque<>();
  private final NavigableMap<Long, OutgoingBatch> sentBatches = new TreeMap<>();
  private final Set<String> returnedIds = new HashSet<>();

  /**
   * Ids of batches that the broker refused or had no queue for, and that it has not confirmed since
   * then.
   */
  private final Set<String> refusedIds = new HashSet<>();

  /**
   * Submitted batches by the ids of their halves. {@link #clear} returns the submitted batches
   * instead of the halves.
   */
  private final Map<String, OutgoingBatch> submittedBatches = new HashMap<>();

  /** Size in bytes of the smallest body that the broker has refused as too large. */
  private int minRefusedBytes = Integer.MAX_VALUE;

  private long totalBytes;
  private long confirmedMessages;

  void add(OutgoingBatch batch) {
    waitingBatches.addLast(batch);
    totalBytes += batch.body().length;
  }

  boolean isEmpty() {
    return waitingBatches.isEmpty() && sentBatches.isEmpty();
  }

  boolean hasWaiting() {
    return !waitingBatches.isEmpty();
  }

  /** Whether there is a refused batch that the broker has not confirmed since then. */
  boolean hasRefused() {
    return !refusedIds.isEmpty();
  }

  /** Returns the number of messages that the broker has confirmed since the start. */
  long confirmedMessages() {
    return confirmedMessages;
  }

  /** Returns the total size in bytes of all bodies, waiting or sent. */
  long bytes() {
    return totalBytes;
  }

  /**
   * Removes and returns the next batch to send, and records it as sent with the given sequence
   * number. Halves a batch that the broker would refuse as too large.
   */
  OutgoingBatch takeNext(long sequence) {
    OutgoingBatch batch = waitingBatches.removeFirst();
    while (batch.body().length >= minRefusedBytes && batch.envelope().count() > 1) {
      batch = halve(batch);
    }
    sentBatches.put(sequence, batch);
    return batch;
  }

  /** Splits a batch. Returns the first half, and lets the second half wait. */
  private OutgoingBatch halve(OutgoingBatch batch) {
    OutgoingBatch submitted = submittedBatches.remove(batch.envelope().id());
    boolean wasRefused = refusedIds.remove(batch.envelope().id());
    totalBytes -= batch.body().length;
    List<OutgoingBatch> halves = batch.halves();
    for (OutgoingBatch half : halves) {
      if (wasRefused) {
        refusedIds.add(half.envelope().id());
      }
      submittedBatches.put(half.envelope().id(), submitted == null ? batch : submitted);
      totalBytes += half.body().length;
    }
    waitingBatches.addFirst(halves.get(1));
    return halves.get(0);
  }

  /**
   * Called when the broker has refused a body as too large. The broker does not identify the body;
   * it must be the largest sent one, or one of equal size.
   *
   * @return the largest sent batch, or null if there is none
   */
  @Nullable OutgoingBatch sizeRefused() {
    OutgoingBatch largest =
        sentBatches.values().stream()
            .max(Comparator.comparingInt(batch -> batch.body().length))
            .orElse(null);
    if (largest != null) {
      minRefusedBytes = Math.min(minRefusedBytes, largest.body().length);
    }
    return largest;
  }

  /** Called when the broker has no queue for a batch. The following confirm is then ignored. */
  void returned(String id) {
    returnedIds.add(id);
  }

  /**
   * Handles a publisher confirm. Removes confirmed batches; refused or returned batches wait to be
   * sent again.
   *
   * @param sequence sequence number of a batch; ignored if the batch was withdrawn
   * @param multiple whether the confirm also applies to all lower sequence numbers
   * @param confirmed true for an ack, false for a nack
   * @return the batches that wait to be sent again
   */
  List<OutgoingBatch> handleConfirm(long sequence, boolean multiple, boolean confirmed) {
    Map<Long, OutgoingBatch> answeredBatches =
        sentBatches.subMap(multiple ? Long.MIN_VALUE : sequence, true, sequence, true);
    List<OutgoingBatch> waitingAgain = new ArrayList<>();
    for (OutgoingBatch batch : answeredBatches.values()) {
      String id = batch.envelope().id();
      boolean wasReturned = returnedIds.remove(id);
      if (confirmed && !wasReturned) {
        refusedIds.remove(id);
        submittedBatches.remove(id);
        totalBytes -= batch.body().length;
        confirmedMessages += batch.envelope().count();
      } else {
        refusedIds.add(id);
        waitingAgain.add(batch);
      }
    }
    answeredBatches.clear();
    putBack(waitingAgain);
    return waitingAgain;
  }

  /**
   * Called when the session has ended. The batches sent in the session wait again, in their
   * original order.
   */
  void sessionLost() {
    putBack(new ArrayList<>(sentBatches.values()));
    sentBatches.clear();
    returnedIds.clear();
  }

  /**
   * Removes all batches.
   *
   * @return the batches as they were submitted, even if one half was already confirmed
   */
  List<OutgoingBatch> clear() {
    Map<String, OutgoingBatch> batchesById = new LinkedHashMap<>();
    for (Collection<OutgoingBatch> batches : List.of(sentBatches.values(), waitingBatches)) {
      for (OutgoingBatch batch : batches) {
        OutgoingBatch submitted = submittedBatches.getOrDefault(batch.envelope().id(), batch);
        batchesById.put(submitted.envelope().id(), submitted);
      }
    }
    waitingBatches.clear();
    sentBatches.clear();
    returnedIds.clear();
    refusedIds.clear();
    submittedBatches.clear();
    totalBytes = 0;
    return new ArrayList<>(batchesById.values());
  }

  private void putBack(List<OutgoingBatch> waitingAgain) {
    for (int i = waitingAgain.size() - 1; i >= 0; i--) {
      waitingBatches.addFirst(waitingAgain.get(i));
    }
  }
}
