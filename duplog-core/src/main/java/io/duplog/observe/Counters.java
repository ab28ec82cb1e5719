package io.duplog.observe;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** What the bridge has done since it started, stream by stream. Safe for any thread. */
public final class Counters {
  private final Map<String, StreamCounters> streams = new LinkedHashMap<>();

  /**
   * @param names of the streams, in the order in which they are shown
   */
  public Counters(List<String> names) {
    names.forEach(name -> streams.put(name, new StreamCounters(name)));
  }

  /**
   * One stream's counts.
   *
   * @throws NullPointerException where there is no such stream
   */
  public StreamCounters of(String stream) {
    return Objects.requireNonNull(streams.get(stream), stream);
  }

  /** All of them, in order. */
  public Collection<StreamCounters> streams() {
    return Collections.unmodifiableCollection(streams.values());
  }

  /** The sum over all streams of one of the counts: {@code total(s -> s.dropped)}. */
  public long total(Function<StreamCounters, LongAdder> count) {
    return sum(stream -> count.apply(stream).sum());
  }

  /** The same of what is not counted but calculated: {@code sum(StreamCounters::delivered)}. */
  public long sum(ToLongFunction<StreamCounters> number) {
    return streams.values().stream().mapToLong(number).sum();
  }

  /** One line for a log. */
  public String summary() {
    return ("received %d messages in %d batches, delivered %d, dropped %d, bypassed %d, released %d, observed %d,"
            + " repeated %d, refused %d, given back %d, in flight %d, late %d, dead-lettered %d bodies")
        .formatted(
            total(s -> s.received),
            total(s -> s.receivedBatches),
            sum(StreamCounters::delivered),
            total(s -> s.dropped),
            total(s -> s.bypassed),
            total(s -> s.released),
            total(s -> s.observed),
            total(s -> s.repeated),
            total(s -> s.refused),
            total(s -> s.givenBack),
            sum(StreamCounters::inFlight),
            total(s -> s.late),
            total(s -> s.deadLettered));
  }
}
