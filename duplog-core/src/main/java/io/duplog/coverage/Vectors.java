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

  /** Reads as many numbers as there are; zeros for an empty text. */
  static long[] parse(String text, int length) {
    long[] vector = new long[length];
    if (!text.isEmpty()) {
      List<String> words = SPACES.splitToList(text);
      for (int i = 0; i < length; i++) {
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
