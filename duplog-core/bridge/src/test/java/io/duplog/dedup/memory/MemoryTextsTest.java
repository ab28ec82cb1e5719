package io.duplog.dedup.memory;

import io.duplog.dedup.SharedTexts;
import io.duplog.dedup.SharedTextsContract;

/** Tests the contract of shared texts for the bridge's own memory. */
class MemoryTextsTest extends SharedTextsContract {
  @Override
  protected SharedTexts store() {
    return SharedTexts.ofOneBridge();
  }
}
