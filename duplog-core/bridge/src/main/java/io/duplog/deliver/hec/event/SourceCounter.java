package io.duplog.deliver.hec.event;

import io.duplog.deliver.route.EventMetadata;
import io.duplog.deliver.route.Route;
import io.duplog.observe.EventCounts;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Finds the counter for an event's sourcetype and host, in which accepted events are counted.
 * Allocates nothing if the counter is cached. Not thread-safe.
 */
public final class SourceCounter {
  /** Maximum number of cached counters, because rules are replaced and hosts may be made up. */
  private static final int MAX_COUNTERS = 4_096;

  private final EventCounts counts;
  private final Map<Key, LongAdder> countersByKey = new HashMap<>();

  /** The key of the current lookup. */
  private final Key lookupKey = new Key();

  /** A route and a host that it does not set, from {@code start} to {@code end}, exclusive. */
  private static final class Key {
    private @Nullable Route route;
    private byte[] host = {};
    private int start;
    private int end;

    void set(@Nullable Route newRoute, byte[] newHost, int newStart, int newEnd) {
      route = newRoute;
      host = newHost;
      start = newStart;
      end = newEnd;
    }

    @Override
    public int hashCode() {
      int hash = System.identityHashCode(route);
      for (int i = start; i < end; i++) {
        hash = 31 * hash + host[i];
      }
      return hash;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // a route is the same object for all messages of a rule
    public boolean equals(@Nullable Object other) {
      return other instanceof Key key
          && route == key.route
          && Arrays.equals(host, start, end, key.host, key.start, key.end);
    }
  }

  public SourceCounter(EventCounts counts) {
    this.counts = counts;
  }

  /** Returns the counter for the message whose metadata was read last. */
  public LongAdder of(EventMetadata metadata) {
    Route route = metadata.route();
    lookupKey.set(route, metadata.host(), metadata.hostStart(), metadata.hostEnd());
    LongAdder cached = countersByKey.get(lookupKey);
    if (cached != null) {
      return cached;
    }
    if (countersByKey.size() >= MAX_COUNTERS) {
      countersByKey.clear();
    }
    byte[] host = Arrays.copyOfRange(lookupKey.host, lookupKey.start, lookupKey.end);
    LongAdder counter = counts.of(EventCounts.Source.of(route.sourcetype(), metadata.hostName()));
    Key key = new Key();
    key.set(route, host, 0, host.length);
    countersByKey.put(key, counter);
    return counter;
  }
}
