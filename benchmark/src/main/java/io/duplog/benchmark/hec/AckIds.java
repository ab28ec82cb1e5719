package io.duplog.benchmark.hec;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * The acknowledgement ids of one indexer. Each channel counts its own from 0. An id is reported as
 * acknowledged once; unknown ids are reported as not acknowledged. Thread-safe.
 */
final class AckIds {
  private final LongSupplier nanos;

  /** Next acknowledgement id of each channel. Guarded by this. */
  private final Map<String, Long> nextIds = new HashMap<>();

  /**
   * Time at which each unreported request was accepted, by {@link System#nanoTime}, the oldest
   * first. Guarded by this.
   */
  private final Map<Key, Long> unreported = new LinkedHashMap<>();

  /** Current order and delay of acknowledgements. Guarded by this. */
  private Acknowledging way = Acknowledging.AT_ONCE;

  private record Key(String channel, long id) {}

  AckIds(LongSupplier nanos) {
    this.nanos = nanos;
  }

  synchronized void acknowledge(Acknowledging changed) {
    way = changed;
  }

  /** Returns a new acknowledgement id for an accepted request. */
  synchronized long take(String channel) {
    long id = nextIds.merge(channel, 1L, Long::sum) - 1;
    unreported.put(new Key(channel, id), nanos.getAsLong());
    return id;
  }

  /** Returns for each id whether it is acknowledged, and forgets the acknowledged ids. */
  synchronized Map<Long, Boolean> ask(String channel, Set<Long> ids) {
    Key last = new Key(channel, -1);
    for (Key key : unreported.keySet()) {
      last = key.channel.equals(channel) && ids.contains(key.id) ? key : last;
    }
    Map<Long, Boolean> answer = new LinkedHashMap<>();
    for (long id : ids) {
      Key key = new Key(channel, id);
      answer.put(id, isAcknowledged(key, key.equals(last)));
    }
    unreported
        .keySet()
        .removeIf(key -> key.channel.equals(channel) && answer.getOrDefault(key.id, false));
    return answer;
  }

  private boolean isAcknowledged(Key key, boolean last) {
    Long taken = unreported.get(key);
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
