package io.duplog.dedup.memory;

import io.duplog.dedup.TalliesContract;

/** Tests that counts kept in a bridge's own memory behave like those in every store. */
class MemoryTalliesTest extends TalliesContract {
  MemoryTalliesTest() {
    super(SteppedStore::running);
  }
}
