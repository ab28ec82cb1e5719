package io.duplog.benchmark.hec;

import java.io.IOException;
import java.util.List;

/** Where an indexer keeps its events. Any thread. */
public interface Index {

  /** Keeps the good events of one request, in their order. Returns when that is done. */
  void append(List<HecEvent> events) throws IOException;
}
