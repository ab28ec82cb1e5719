package io.duplog.observe;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts events by their sourcetype and host. May be used by any thread. */
public final class EventCounts {
  private static final String OTHERS = "(others)";

  /** Most sources to tell apart, because a sender may invent hosts. */
  private static final int MOST = 10_000;

  /**
   * What events have in common.
   *
   * @param host "(others)" if Splunk chooses it, or for hosts that are not told apart
   */
  public record Source(String sourcetype, String host) {
    /**
     * Returns the source of an event.
     *
     * @param host empty if Splunk chooses it
     */
    public static Source of(String sourcetype, String host) {
      return new Source(sourcetype, host.isEmpty() ? OTHERS : Printable.of(host));
    }

    /** Returns the same sourcetype without the host. */
    public Source others() {
      return new Source(sourcetype, OTHERS);
    }
  }

  private final Map<Source, LongAdder> counts = new ConcurrentHashMap<>();

  /** Returns the counter of a source; that of its sourcetype's others if there are too many. */
  public LongAdder of(Source source) {
    LongAdder known = counts.get(source);
    if (known != null) {
      return known;
    }
    Source counted = counts.size() < MOST ? source : source.others();
    return counts.computeIfAbsent(counted, any -> new LongAdder());
  }

  /** Returns how many events of each source were counted. */
  public Map<Source, Long> sums() {
    return ImmutableMap.copyOf(Maps.transformValues(counts, LongAdder::sum));
  }
}
