package io.duplog.benchmark.hec;

/** One indexer: its events, and the acknowledgement ids that it gave. */
record Indexer(Index index, Acknowledgements acknowledgements) {}
