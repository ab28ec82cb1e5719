package io.duplog.dedup;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Stores texts that all bridges of a deployment share, such as the senders' records, in Redis or in
 * memory. They belong to no epoch, so that they survive a failover. Thread-safe.
 */
public interface SharedTexts {

  /**
   * A change of one text.
   *
   * @param known the text that the caller knows, or empty if it knows none
   * @param next the text that replaces it, or empty to delete the name
   */
  record Change(String name, String known, String next) {}

  /**
   * Returns all texts, by name.
   *
   * @throws LedgerUnavailableException if the store can't be asked
   */
  Map<String, String> all() throws LedgerUnavailableException;

  /**
   * Replaces each text that still equals the text that the caller knows.
   *
   * @return each text before the call, in the order of the changes, or an empty text if there was
   *     none. A text was replaced if this equals the text that the caller knows.
   * @throws LedgerUnavailableException if the texts may not have been replaced
   */
  List<String> replace(List<Change> changes) throws LedgerUnavailableException;

  /** Creates a store in this process, for a ledger of a single bridge. */
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
