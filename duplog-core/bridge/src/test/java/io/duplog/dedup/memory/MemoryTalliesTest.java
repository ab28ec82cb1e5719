package io.duplog.dedup.memory;

import io.duplog.dedup.TalliesContract;

/**
 * Tests that coverage counts in a bridge's own memory pass the tests that every store must pass.
 */
class MemoryTalliesTest extends TalliesContract {
  MemoryTalliesTest() {
    super(SteppedStore::running);
  }
}
