package io.duplog.dedup;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Texts by name that the bridges of a deployment share, in the ledger's store. They belong to no
 * epoch, so that they outlive a failover. Safe for any thread.
 */
public interface SharedTexts {

  /**
   * A new text.
   *
   * @param known the text that the caller knows; empty if it knows none
   * @param next the text that replaces it; empty to forget the name
   */
  record Change(String name, String known, String next) {}

  /**
   * Returns all texts, by name.
   *
   * @throws LedgerUnavailableException if the store can't be asked
   */
  Map<String, String> all() throws LedgerUnavailableException;

  /**
   * Replaces each text that is still the one that the caller knows.
   *
   * @return each text before the call, in the order of the changes; empty if there was none. So a
   *     text was replaced if this is the one that the caller knows.
   * @throws LedgerUnavailableException if the texts may not have been replaced
   */
  List<String> replace(List<Change> changes) throws LedgerUnavailableException;

  /** Returns a store in this process, for a ledger that no other bridge shares. */
  static SharedTexts ofOneBridge() {
    Map<String, String> texts = new HashMap<>();
    return new SharedTexts() {
      @Override
      public synchronized Map<String, String> all() {
        return Map.copyOf(texts);
      }

      @Override
      public synchronized List<String> replace(List<Change> changes) {
        List<String> answer = new ArrayList<>();
        for (Change change : changes) {
          String text = texts.getOrDefault(change.name(), "");
          if (text.equals(change.known())) {
            texts.put(change.name(), change.next());
            texts.remove(change.name(), "");
          }
          answer.add(text);
        }
        return answer;
      }
    };
  }
}
