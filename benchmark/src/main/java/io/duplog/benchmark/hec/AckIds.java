package io.duplog.benchmark.hec;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * The acknowledgement ids of one indexer: they count per channel from 0, each is reported true
 * once, and one that is not known is false. Any thread.
 */
final class AckIds {
  private final LongSupplier nanos;

  /** Guarded by this. */
  private final Map<String, Long> nextIds = new HashMap<>();

  /** When what was not yet reported was taken, in that order. Guarded by this. */
  private final Map<Key, Long> unreported = new LinkedHashMap<>();

  /** Guarded by this. */
  private Acknowledging way = Acknowledging.AT_ONCE;

  private record Key(String channel, long id) {}

  AckIds(LongSupplier nanos) {
    this.nanos = nanos;
  }

  synchronized void acknowledge(Acknowledging changed) {
    way = changed;
  }

  /** Gives a request that was taken its id. */
  synchronized long take(String channel) {
    long id = nextIds.merge(channel, 1L, Long::sum) - 1;
    unreported.put(new Key(channel, id), nanos.getAsLong());
    return id;
  }

  /** Which of these ids are acknowledged. Those are not known any more afterwards. */
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
