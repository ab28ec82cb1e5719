package io.duplog.ingest.publish;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

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

  private long bytes;
  private long confirmed;

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
    return confirmed;
  }

  /** Bytes of all bodies, waiting and sent. */
  long bytes() {
    return bytes;
  }

  /** The batch that is to be sent next, which from now on counts as sent under this number. */
  OutgoingBatch take(long sequence) {
    OutgoingBatch batch = waiting.removeFirst();
    sent.put(sequence, batch);
    return batch;
  }

  /** No queue took this batch: the confirm that follows does not count. */
  void returned(String id) {
    returned.add(id);
  }

  /**
   * Removes what was confirmed; what had been returned waits to be sent again.
   *
   * @return the batches that wait again
   */
  List<OutgoingBatch> acked(long sequence, boolean multiple) {
    List<OutgoingBatch> again = new ArrayList<>();
    for (OutgoingBatch batch : remove(sequence, multiple)) {
      String id = batch.envelope().id();
      if (returned.remove(id)) {
        refused.add(id);
        again.add(batch);
      } else {
        refused.remove(id);
        bytes -= batch.body().length;
        confirmed += batch.envelope().count();
      }
    }
    putBack(again);
    return again;
  }

  /**
   * Lets wait again what was refused.
   *
   * @return these batches
   */
  List<OutgoingBatch> nacked(long sequence, boolean multiple) {
    List<OutgoingBatch> again = remove(sequence, multiple);
    for (OutgoingBatch batch : again) {
      returned.remove(batch.envelope().id());
      refused.add(batch.envelope().id());
    }
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
   * @return what was in it
   */
  List<OutgoingBatch> clear() {
    List<OutgoingBatch> all = new ArrayList<>(sent.values());
    all.addAll(waiting);
    waiting.clear();
    sent.clear();
    returned.clear();
    refused.clear();
    bytes = 0;
    return all;
  }

  /** An unknown number is that of a batch that was given up since. */
  private List<OutgoingBatch> remove(long sequence, boolean multiple) {
    List<OutgoingBatch> removed = new ArrayList<>();
    if (multiple) {
      NavigableMap<Long, OutgoingBatch> head = sent.headMap(sequence, true);
      removed.addAll(head.values());
      head.clear();
    } else {
      OutgoingBatch batch = sent.remove(sequence);
      if (batch != null) {
        removed.add(batch);
      }
    }
    return removed;
  }

  private void putBack(List<OutgoingBatch> again) {
    for (int i = again.size() - 1; i >= 0; i--) {
      waiting.addFirst(again.get(i));
    }
  }
}
