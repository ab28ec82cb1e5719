package io.duplog.collector;

import java.io.IOException;
import java.util.List;

/**
 * Stores the events that a simulated collector accepts, so that a test can check them.
 * Implementations are thread-safe.
 */
public interface Index {

  /** Stores the accepted events of one request in their order. Returns when they are stored. */
  void append(List<HecEvent> events) throws IOException;
}
