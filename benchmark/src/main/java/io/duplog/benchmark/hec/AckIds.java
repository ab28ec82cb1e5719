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

  /** Taken and not yet reported, in the order of taking. Guarded by this. */
  private final Map<Key, Taken> unreported = new LinkedHashMap<>();

  /** Guarded by this. */
  private Acknowledging way = Acknowledging.AT_ONCE;

  private record Key(String channel, long id) {}

  private static final class Taken {
    private final long atNanos;
    private boolean asked;

    Taken(long atNanos) {
      this.atNanos = atNanos;
    }
  }

  AckIds(LongSupplier nanos) {
    this.nanos = nanos;
  }

  synchronized void acknowledge(Acknowledging changed) {
    way = changed;
  }

  /** Gives a request that was taken its id. */
  synchronized long take(String channel) {
    long id = nextIds.merge(channel, 1L, Long::sum) - 1;
    unreported.put(new Key(channel, id), new Taken(nanos.getAsLong()));
    return id;
  }

  /** Which of these ids are acknowledged. Those are not known any more afterwards. */
  synchronized Map<Long, Boolean> ask(String channel, Set<Long> ids) {
    for (long id : ids) {
      Taken taken = unreported.get(new Key(channel, id));
      if (taken != null) {
        taken.asked = true;
      }
    }
    Map<Long, Boolean> answer = new LinkedHashMap<>();
    for (long id : ids) {
      answer.put(id, isAcknowledged(new Key(channel, id)));
    }
    answer.forEach(
        (id, acknowledged) -> {
          if (acknowledged) { // only now, or one answer would reverse nothing
            unreported.remove(new Key(channel, id));
          }
        });
    return answer;
  }

  private boolean isAcknowledged(Key key) {
    Taken taken = unreported.get(key);
    if (taken == null) {
      return false;
    }
    boolean due = nanos.getAsLong() - taken.atNanos >= way.after().toNanos();
    return switch (way.order()) {
      case AS_TAKEN -> due;
      case NEVER -> false;
      case REVERSED -> due || key.equals(lastAsked());
    };
  }

  private Key lastAsked() {
    Key last = new Key("", -1);
    for (Map.Entry<Key, Taken> entry : unreported.entrySet()) {
      if (entry.getValue().asked) {
        last = entry.getKey();
      }
    }
    return last;
  }
}
