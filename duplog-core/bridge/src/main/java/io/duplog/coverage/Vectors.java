package io.duplog.coverage;

import com.google.common.base.Splitter;
import com.google.common.primitives.Longs;
import java.util.List;

/** Converts arrays of counts to text and back, to store them in Redis. */
final class Vectors {
  private static final Splitter SPACES = Splitter.on(' ').omitEmptyStrings();

  private Vectors() {}

  static String text(long[] vector) {
    return Longs.join(" ", vector);
  }

  static List<String> words(String text) {
    return SPACES.splitToList(text);
  }

  static long[] parse(List<String> words) {
    return words.stream().mapToLong(Long::parseLong).toArray();
  }

  static void add(long[] sum, long[] more) {
    for (int i = 0; i < sum.length; i++) {
      sum[i] += more[i];
    }
  }
}
