package io.duplog.dedup.memory;

import io.duplog.dedup.SharedTexts;
import io.duplog.dedup.SharedTextsContract;

/** Tests that shared texts kept in a bridge's own memory behave like those in every store. */
class MemoryTextsTest extends SharedTextsContract {
  @Override
  protected SharedTexts store() {
    return SharedTexts.ofOneBridge();
  }
}
