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
   * the memory. Of sourcetypes, which clients by HEC may invent, as many more have a counter.
   */
  private static final int MAX_SOURCES = 10_000;

  /** Maximum number of characters of a sourcetype or a host; the rest is cut. */
  private static final int MAX_NAME = 256;

  /**
   * Sourcetype and host of an event.
   *
   * @param sourcetype the sourcetype, or "(others)" if it has no counter of its own
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
      return new Source(name(sourcetype), host.isEmpty() ? OTHERS : name(host));
    }

    private static String name(String text) {
      return Printable.of(text.substring(0, Math.min(text.length(), MAX_NAME)));
    }

    /** Returns the same sourcetype with "(others)" as the host. */
    public Source others() {
      return new Source(sourcetype, OTHERS);
    }
  }

  private final Map<Source, LongAdder> countersBySource = new ConcurrentHashMap<>();

  /**
   * Returns the counter of a source. If there are too many sources, returns the counter of the
   * sourcetype's other hosts, or of all others.
   */
  public LongAdder of(Source source) {
    LongAdder existing = countersBySource.get(source);
    if (existing != null) {
      return existing;
    }
    int sources = countersBySource.size();
    Source countedSource =
        sources < MAX_SOURCES
            ? source
            : sources < 2 * MAX_SOURCES ? source.others() : new Source(OTHERS, OTHERS);
    return countersBySource.computeIfAbsent(countedSource, any -> new LongAdder());
  }

  /** Returns the number of counted events of each source. */
  public Map<Source, Long> sums() {
    return ImmutableMap.copyOf(Maps.transformValues(countersBySource, LongAdder::sum));
  }
}
