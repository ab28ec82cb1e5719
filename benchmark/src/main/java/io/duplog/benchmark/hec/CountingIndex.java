package io.duplog.benchmark.hec;

import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** Counts events, and keeps none. */
public final class CountingIndex implements Index {
  private final LongAdder count = new LongAdder();

  @Override
  public void append(List<HecEvent> events) {
    count.add(events.size());
  }

  public long count() {
    return count.sum();
  }
}
