package io.duplog.dedup.memory;

import io.duplog.dedup.TalliesContract;

/** Tests the contract of tallies for the bridge's own memory. */
class MemoryTalliesTest extends TalliesContract {
  MemoryTalliesTest() {
    super(SteppedStore::running);
  }
}
