package io.duplog.benchmark.hec;

import com.google.common.collect.HashBasedTable;
import com.google.common.collect.Table;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The acknowledgement ids of one indexer. Each channel counts its own from 0. An id is reported as
 * acknowledged once; unknown ids are reported as not acknowledged. Thread-safe.
 */
final class AckIds {
  private final LongSupplier nanos;

  /** Next acknowledgement id of each channel. Guarded by this. */
  private final Map<String, Long> nextIds = new HashMap<>();

  /**
   * Time at which each unreported request was accepted, by {@link System#nanoTime}; by channel and
   * id. Guarded by this.
   */
  private final Table<String, Long, Long> acceptanceNanos = HashBasedTable.create();

  /** Current order and delay of acknowledgements. Guarded by this. */
  private Acknowledging way = Acknowledging.AT_ONCE;

  AckIds(LongSupplier nanos) {
    this.nanos = nanos;
  }

  synchronized void acknowledge(Acknowledging changed) {
    way = changed;
  }

  /** Returns a new acknowledgement id for an accepted request. */
  synchronized long take(String channel) {
    long id = nextIds.merge(channel, 1L, Long::sum) - 1;
    acceptanceNanos.put(channel, id, nanos.getAsLong());
    return id;
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
