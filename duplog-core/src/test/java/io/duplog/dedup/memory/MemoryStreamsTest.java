package io.duplog.dedup.memory;

import io.duplog.dedup.StreamsContract;

class MemoryStreamsTest extends StreamsContract {
  MemoryStreamsTest() {
    super(SteppedStore::running);
  }
}
