package io.duplog.collector;

import com.google.common.collect.HashBasedTable;
import com.google.common.collect.Table;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Assigns and reports the acknowledgement ids of one simulated indexer, as Splunk does. Each
 * channel counts separately from 0. An id is reported as acknowledged once. Unknown ids are
 * reported as not acknowledged. Thread-safe.
 */
public final class AckIds {
  private final LongSupplier nanos;

  /** Next acknowledgement id of each channel. Guarded by this. */
  private final Map<String, Long> nextIds = new HashMap<>();

  /**
   * Time from which each accepted request can be acknowledged, by channel and id. Guarded by this.
   */
  private final Table<String, Long, Long> acceptanceNanos = HashBasedTable.create();

  /** First id of each channel. Guarded by this. */
  private long firstId;

  /** Current order and delay of acknowledgements. Guarded by this. */
  private Acknowledging acknowledging = Acknowledging.AT_ONCE;

  AckIds(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Changes the order and delay of acknowledgements. */
  public synchronized void acknowledge(Acknowledging newAcknowledging) {
    acknowledging = newAcknowledging;
  }

  /** Returns a new acknowledgement id for a request that can be acknowledged after a delay. */
  synchronized long take(String channel, Duration delay) {
    long id = firstId + nextIds.merge(channel, 1L, Long::sum) - 1;
    acceptanceNanos.put(channel, id, nanos.getAsLong() + delay.toNanos());
    return id;
  }

  /** Acknowledges at once all unreported requests for which a condition holds, and no others. */
  public synchronized void acknowledge(LongPredicate condition) {
    long now = nanos.getAsLong();
    long never = now + HecFault.AcknowledgeAfter.NEVER.time().toNanos();
    for (Map<Long, Long> channel : acceptanceNanos.rowMap().values()) {
      channel.replaceAll((id, before) -> condition.test(id) ? now : never);
    }
  }

  /** Acknowledges one request of a channel at once, even if another process has accepted it. */
  public synchronized void acknowledge(String channel, long id) {
    acceptanceNanos.put(channel, id, nanos.getAsLong());
  }

  /** Forgets all ids, and starts each channel at a number, like a restarted process. */
  public synchronized void restart(long first) {
    nextIds.clear();
    acceptanceNanos.clear();
    firstId = first;
  }

  /** Returns for each id whether it is acknowledged, and forgets the acknowledged ids. */
  synchronized Map<Long, Boolean> ask(String channel, Set<Long> ids) {
    Map<Long, Long> nanosById = acceptanceNanos.row(channel);
    long lastId = ids.stream().filter(nanosById::containsKey).mapToLong(id -> id).max().orElse(-1);
    Map<Long, Boolean> answer = new LinkedHashMap<>();
    for (long id : ids) {
      answer.put(id, isAcknowledged(nanosById.get(id), id == lastId));
    }
    nanosById.keySet().removeIf(id -> answer.getOrDefault(id, false));
    return answer;
  }

  private boolean isAcknowledged(@Nullable Long acceptedNanos, boolean isLast) {
    if (acceptedNanos == null) {
      return false;
    }
    boolean isDue = nanos.getAsLong() - acceptedNanos >= acknowledging.after().toNanos();
    return switch (acknowledging.order()) {
      case AS_TAKEN -> isDue;
      case NEVER -> false;
      case REVERSED -> isDue || isLast;
    };
  }
}
