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

/** The {@link StreamCounters} of all streams since the bridge started. Safe for any thread. */
public final class Counters {
  private final Map<String, StreamCounters> streams = new LinkedHashMap<>();

  /**
   * @param names names of the streams, in the order in which they are shown
   */
  public Counters(List<String> names) {
    names.forEach(name -> streams.put(name, new StreamCounters(name)));
  }

  /**
   * Returns one stream's counts.
   *
   * @throws NullPointerException if there is no such stream
   */
  public StreamCounters of(String stream) {
    return Objects.requireNonNull(streams.get(stream), stream);
  }

  /** Returns the counts of all streams, in the order in which they are shown. */
  public Collection<StreamCounters> streams() {
    return Collections.unmodifiableCollection(streams.values());
  }

  /**
   * Returns the sum of a number over all streams, such as {@code sum(StreamCounters::delivered)}.
   */
  public long sum(ToLongFunction<StreamCounters> number) {
    return streams.values().stream().mapToLong(number).sum();
  }

  /** Returns the sums of all counts over all streams, as one line for a log. */
  public String summary() {
    String ended =
        Stream.of(End.values())
            .filter(end -> end != End.KEPT) // follows from the delivered copies and the other ends
            .map(end -> ", " + end.label() + " " + sum(stream -> stream.sum(end)))
            .collect(Collectors.joining());
    return "received %d messages in %d batches, delivered %d%s, in flight %d, late %d"
        .formatted(
            sum(stream -> stream.received.sum()),
            sum(stream -> stream.receivedBatches.sum()),
            sum(StreamCounters::delivered),
            ended,
            sum(StreamCounters::inFlight),
            sum(stream -> stream.late.sum()));
  }
}
