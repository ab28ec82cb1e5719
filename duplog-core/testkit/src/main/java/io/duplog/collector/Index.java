package io.duplog.collector;

import java.io.IOException;
import java.util.List;

/** Storage for the events of an indexer. Implementations are thread-safe. */
public interface Index {

  /** Stores the accepted events of one request in their order; returns when they are stored. */
  void append(List<HecEvent> events) throws IOException;
}
