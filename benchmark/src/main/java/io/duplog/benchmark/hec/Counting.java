package io.duplog.benchmark.hec;

import java.util.concurrent.atomic.LongAdder;

/** Counts for {@link HecCounts}. Any thread. */
final class Counting {
  private final LongAdder requests = new LongAdder();
  private final LongAdder events = new LongAdder();
  private final LongAdder bytes = new LongAdder();

  void request() {
    requests.increment();
  }

  void body(int length) {
    bytes.add(length);
  }

  void indexed(int count) {
    events.add(count);
  }

  HecCounts counts() {
    return new HecCounts(requests.sum(), events.sum(), bytes.sum());
  }
}
