package io.duplog.config;

import java.util.Collection;
import java.util.Optional;

/**
 * Finds the known key that is most similar to a misspelt one, for "did you mean" in errors about
 * the configuration.
 */
final class Spelling {
  private Spelling() {}

  /**
   * Returns the most similar known word, or empty if no known word is similar enough to be a typing
   * error.
   */
  static Optional<String> nearest(String word, Collection<String> known) {
    String best = null;
    int bestDistance = Math.max(2, word.length() / 3) + 1;
    for (String candidate : known) {
      int distance = distance(word, candidate);
      if (distance < bestDistance) {
        best = candidate;
        bestDistance = distance;
      }
    }
    return Optional.ofNullable(best);
  }

  /** Returns the Levenshtein distance: the number of characters to insert, delete or replace. */
  private static int distance(String a, String b) {
    int[] previous = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] current = new int[b.length() + 1];
      current[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replacementCost = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(replacementCost, Math.min(previous[j], current[j - 1]) + 1);
      }
      previous = current;
    }
    return previous[b.length()];
  }
}
