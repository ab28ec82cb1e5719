package io.duplog.benchmark.hec;

import java.util.concurrent.atomic.LongAdder;

/** What a stand-in has done so far. Any thread. */
public final class HecCounts {
  private final LongAdder requests = new LongAdder();
  private final LongAdder events = new LongAdder();
  private final LongAdder bytes = new LongAdder();

  HecCounts() {}

  void request() {
    requests.increment();
  }

  void body(int length) {
    bytes.add(length);
  }

  void indexed(int count) {
    events.add(count);
  }

  /** Requests with events, whatever became of them. */
  public long requests() {
    return requests.sum();
  }

  /** Events that were indexed. */
  public long events() {
    return events.sum();
  }

  /** Of the bodies, without compression. */
  public long bytes() {
    return bytes.sum();
  }
}
