package io.duplog.dedup.memory;

import io.duplog.dedup.SharedTexts;
import io.duplog.dedup.SharedTextsContract;

/** Runs the tests of {@code SharedTexts} against the implementation in memory. */
class MemoryTextsTest extends SharedTextsContract {
  @Override
  protected SharedTexts store() {
    return SharedTexts.ofOneBridge();
  }
}
