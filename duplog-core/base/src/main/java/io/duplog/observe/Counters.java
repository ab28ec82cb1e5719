package io.duplog.observe;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Holds the counts of received and delivered copies of all streams since the bridge started.
 * Thread-safe.
 */
public final class Counters {
  private final Map<String, StreamCounters> countersByStream = new LinkedHashMap<>();

  /**
   * @param names names of the streams, in display order
   */
  public Counters(List<String> names) {
    names.forEach(name -> countersByStream.put(name, new StreamCounters(name)));
  }

  /**
   * Returns the counters of a stream.
   *
   * @throws NullPointerException if no stream has this name
   */
  public StreamCounters of(String stream) {
    return Objects.requireNonNull(countersByStream.get(stream), stream);
  }

  /** Returns the counters of all streams, in display order. */
  public Collection<StreamCounters> streams() {
    return Collections.unmodifiableCollection(countersByStream.values());
  }

  /**
   * Returns the sum of a count over all streams, such as {@code sum(StreamCounters::delivered)}.
   */
  public long sum(ToLongFunction<StreamCounters> count) {
    return countersByStream.values().stream().mapToLong(count).sum();
  }

  /** Returns the sums of all counts over all streams, as one log line. */
  public String summary() {
    String endCounts =
        Stream.of(End.values())
            .filter(
                end -> end != End.KEPT) // it is the delivered copies minus the other delivered ends
            .map(end -> ", " + end.label() + " " + sum(stream -> stream.sum(end)))
            .collect(Collectors.joining());
    return "received %d messages in %d batches, delivered %d%s, in flight %d, late %d"
        .formatted(
            sum(stream -> stream.received.sum()),
            sum(stream -> stream.receivedBatches.sum()),
            sum(StreamCounters::delivered),
            endCounts,
            sum(StreamCounters::inFlight),
            sum(stream -> stream.late.sum()));
  }
}
