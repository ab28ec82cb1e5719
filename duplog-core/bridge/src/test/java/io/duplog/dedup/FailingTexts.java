package io.duplog.dedup;

import java.util.List;
import java.util.Map;

/** Simulates a store of shared texts that fails before or after it has done what was requested. */
public final class FailingTexts implements SharedTexts {
  public SharedTexts store = SharedTexts.ofOneBridge();
  public boolean failsBefore;
  public boolean failsAfter;

  @Override
  public Map<String, String> all() throws LedgerUnavailableException {
    failIf(failsBefore);
    return store.all();
  }

  @Override
  public List<String> replace(List<Change> changes) throws LedgerUnavailableException {
    failIf(failsBefore);
    List<String> answer = store.replace(changes);
    failIf(failsAfter);
    return answer;
  }

  private static void failIf(boolean fails) throws LedgerUnavailableException {
    if (fails) {
      throw new LedgerUnavailableException("away", null, true);
    }
  }
}
