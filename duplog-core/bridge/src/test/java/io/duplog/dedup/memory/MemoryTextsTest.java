package io.duplog.dedup.memory;

import io.duplog.dedup.SharedTexts;
import io.duplog.dedup.SharedTextsContract;

class MemoryTextsTest extends SharedTextsContract {
  @Override
  protected SharedTexts store() {
    return SharedTexts.ofOneBridge();
  }
}
