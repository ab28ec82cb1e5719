package io.duplog.coverage;

import com.google.common.base.Splitter;
import java.util.List;

/** Counts as they travel: numbers with spaces between them. */
final class Vectors {
  private static final Splitter SPACES = Splitter.on(' ');

  private Vectors() {}

  static String text(long[] vector) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < vector.length; i++) {
      text.append(i == 0 ? "" : " ").append(vector[i]);
    }
    return text.toString();
  }

  /** How many numbers there are. */
  static int length(String text) {
    return text.isEmpty() ? 0 : SPACES.splitToList(text).size();
  }

  /** Reads so many numbers; zeros for what is not there. */
  static long[] parse(String text, int length) {
    long[] vector = new long[length];
    if (!text.isEmpty()) {
      List<String> words = SPACES.splitToList(text);
      for (int i = 0; i < Math.min(length, words.size()); i++) {
        vector[i] = Long.parseLong(words.get(i));
      }
    }
    return vector;
  }

  static void add(long[] sum, long[] more) {
    for (int i = 0; i < sum.length; i++) {
      sum[i] += more[i];
    }
  }
}
