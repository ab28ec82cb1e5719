package io.duplog.dedup.memory;

import io.duplog.dedup.SenderStore;
import io.duplog.dedup.SenderStoreContract;

class MemorySendersTest extends SenderStoreContract {
  @Override
  protected SenderStore store() {
    return SenderStore.ofOneBridge();
  }
}
