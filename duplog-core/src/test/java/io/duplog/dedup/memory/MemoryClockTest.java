package io.duplog.dedup.memory;

import io.duplog.dedup.ClockContract;

class MemoryClockTest extends ClockContract {
  MemoryClockTest() {
    super(SteppedStore::running);
  }
}
