package io.duplog.dedup;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the bridges of a deployment know about each sender, as text, in the ledger's store. Belongs
 * to no epoch, so that it outlives a failover. Safe for any thread.
 */
public interface SenderStore {

  /**
   * A new text for a sender.
   *
   * @param known the text that the caller knows; empty if it knows none
   * @param next the text that replaces it; empty to forget the sender
   */
  record Change(String sender, String known, String next) {}

  /**
   * Returns the text of every sender.
   *
   * @throws LedgerUnavailableException if the store can't be asked
   */
  Map<String, String> all() throws LedgerUnavailableException;

  /**
   * Replaces each text that is still the one that the caller knows.
   *
   * @return the text of each sender before the call, in the order of the changes; empty if it had
   *     none. So a text was replaced if this is the one that the caller knows.
   * @throws LedgerUnavailableException if the texts may not have been replaced
   */
  List<String> replace(List<Change> changes) throws LedgerUnavailableException;

  /** Returns a store in this process, for a ledger that no other bridge shares. */
  static SenderStore ofOneBridge() {
    Map<String, String> texts = new HashMap<>();
    return new SenderStore() {
      @Override
      public synchronized Map<String, String> all() {
        return Map.copyOf(texts);
      }

      @Override
      public synchronized List<String> replace(List<Change> changes) {
        List<String> answer = new ArrayList<>();
        for (Change change : changes) {
          String text = texts.getOrDefault(change.sender(), "");
          if (text.equals(change.known())) {
            texts.put(change.sender(), change.next());
            texts.remove(change.sender(), "");
          }
          answer.add(text);
        }
        return answer;
      }
    };
  }
}
