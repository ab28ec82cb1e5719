package io.duplog.dedup.memory;

import io.duplog.dedup.TalliesContract;

class MemoryTalliesTest extends TalliesContract {
  MemoryTalliesTest() {
    super(SteppedStore::running);
  }
}
