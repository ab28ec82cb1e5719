package io.duplog.benchmark.hec;

import java.util.ArrayList;
import java.util.List;

/** Keeps events with all their metadata, for tests. */
public final class MemoryIndex implements Index {
  /** Guarded by this. */
  private final List<HecEvent> events = new ArrayList<>();

  @Override
  public synchronized void append(List<HecEvent> added) {
    events.addAll(added);
  }

  /** All events so far, in the order in which they were indexed. */
  public synchronized List<HecEvent> events() {
    return List.copyOf(events);
  }

  /** Their texts. */
  public List<String> texts() {
    return events().stream().map(HecEvent::event).toList();
  }
}
