package io.duplog.observe;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts the events that Splunk has accepted, by sourcetype and host. Thread-safe. */
public final class EventCounts {
  private static final String OTHERS = "(others)";

  /**
   * Maximum number of counted sources; without a limit, a sender that invents hosts could use up
   * the memory.
   */
  private static final int MAX_SOURCES = 10_000;

  /**
   * Sourcetype and host of an event.
   *
   * @param host name of the host, or "(others)" if Splunk chooses the host or the host has no
   *     counter of its own
   */
  public record Source(String sourcetype, String host) {
    /**
     * Returns the source of an event.
     *
     * @param host name of the host, or an empty text if Splunk chooses the host
     */
    public static Source of(String sourcetype, String host) {
      return new Source(sourcetype, host.isEmpty() ? OTHERS : Printable.of(host));
    }

    /** Returns the same sourcetype with "(others)" as the host. */
    public Source others() {
      return new Source(sourcetype, OTHERS);
    }
  }

  private final Map<Source, LongAdder> countersBySource = new ConcurrentHashMap<>();

  /**
   * Returns the counter of a source. If there are too many sources, returns the counter of the
   * sourcetype's other hosts.
   */
  public LongAdder of(Source source) {
    LongAdder existing = countersBySource.get(source);
    if (existing != null) {
      return existing;
    }
    Source countedSource = countersBySource.size() < MAX_SOURCES ? source : source.others();
    return countersBySource.computeIfAbsent(countedSource, any -> new LongAdder());
  }

  /** Returns the number of counted events of each source. */
  public Map<Source, Long> sums() {
    return ImmutableMap.copyOf(Maps.transformValues(countersBySource, LongAdder::sum));
  }
}
