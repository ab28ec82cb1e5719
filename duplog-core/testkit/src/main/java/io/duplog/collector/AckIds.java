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
 * The acknowledgement ids of one indexer. Each channel counts its own from 0. An id is reported as
 * acknowledged once; unknown ids are reported as not acknowledged. Thread-safe.
 */
public final class AckIds {
  private final LongSupplier nanos;

  /** Next acknowledgement id of each channel. Guarded by this. */
  private final Map<String, Long> nextIds = new HashMap<>();

  /**
   * Time from which on each acceptanceNanos request can be acknowledged, by channel and id. Guarded
   * by this.
   */
  private final Table<String, Long, Long> acceptanceNanos = HashBasedTable.create();

  /** First id of each channel. Guarded by this. */
  private long firstId;

  /** Current order and delay of acknowledgements. Guarded by this. */
  private Acknowledging way = Acknowledging.AT_ONCE;

  AckIds(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Changes the order and delay of acknowledgements. */
  public synchronized void acknowledge(Acknowledging changed) {
    way = changed;
  }

  /** Returns a new acknowledgement id for a request that is accepted after a time. */
  synchronized long take(String channel, Duration after) {
    long id = firstId + nextIds.merge(channel, 1L, Long::sum) - 1;
    acceptanceNanos.put(channel, id, nanos.getAsLong() + after.toNanos());
    return id;
  }

  /** Acknowledges those unreported requests at once of which a condition holds, and no other. */
  public synchronized void acknowledge(LongPredicate chosen) {
    long now = nanos.getAsLong();
    long never = now + HecFault.AcknowledgeAfter.NEVER.time().toNanos();
    for (Map<Long, Long> channel : acceptanceNanos.rowMap().values()) {
      channel.replaceAll((id, before) -> chosen.test(id) ? now : never);
    }
  }

  /** Acknowledges one request of a channel at once, whoever has accepted it. */
  public synchronized void acknowledge(String channel, long id) {
    acceptanceNanos.put(channel, id, nanos.getAsLong());
  }

  /** Forgets everything, and counts each channel from a number on, as another process may. */
  public synchronized void restart(long first) {
    nextIds.clear();
    acceptanceNanos.clear();
    firstId = first;
  }

  /** Returns for each id whether it is acknowledged, and forgets the acknowledged ids. */
  synchronized Map<Long, Boolean> ask(String channel, Set<Long> ids) {
    Map<Long, Long> taken = acceptanceNanos.row(channel);
    long last = ids.stream().filter(taken::containsKey).mapToLong(id -> id).max().orElse(-1);
    Map<Long, Boolean> answer = new LinkedHashMap<>();
    for (long id : ids) {
      answer.put(id, isAcknowledged(taken.get(id), id == last));
    }
    taken.keySet().removeIf(id -> answer.getOrDefault(id, false));
    return answer;
  }

  private boolean isAcknowledged(@Nullable Long taken, boolean last) {
    if (taken == null) {
      return false;
    }
    boolean due = nanos.getAsLong() - taken >= way.after().toNanos();
    return switch (way.order()) {
      case AS_TAKEN -> due;
      case NEVER -> false;
      case REVERSED -> due || last;
    };
  }
}
