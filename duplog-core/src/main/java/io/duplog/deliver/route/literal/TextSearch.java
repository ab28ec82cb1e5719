package io.duplog.deliver.route.literal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Looks for many texts in one pass (Wu and Manber's algorithm): of the window that is as long as
 * the shortest text, the last two bytes say how far it may be moved on. Immutable; safe for any
 * thread.
 */
public final class TextSearch {
  private static final int BLOCKS = 1 << 12;

  private record Wanted(String text, int number) {}

  private final int window;
  private final byte[] shifts = new byte[BLOCKS];

  /** Those whose window ends with a block. */
  private final List<List<Wanted>> endings = new ArrayList<>();

  /**
   * @param required what is found is told by its index. Texts have two characters at least; of one
   *     without texts nothing is found.
   */
  public TextSearch(List<RequiredText> required) {
    window =
        required.stream()
            .flatMap(each -> each.texts().stream())
            .mapToInt(String::length)
            .reduce(Byte.MAX_VALUE, Math::min);
    Arrays.fill(shifts, (byte) (window - 1));
    for (int i = 0; i < BLOCKS; i++) {
      endings.add(List.of());
    }
    for (int number = 0; number < required.size(); number++) {
      for (String text : required.get(number).texts()) {
        for (int last = 1; last < window; last++) {
          int block = block(text.charAt(last - 1), text.charAt(last));
          shifts[block] = (byte) Math.min(shifts[block], window - 1 - last);
          if (last == window - 1) {
            List<Wanted> more = new ArrayList<>(endings.get(block));
            more.add(new Wanted(text, number));
            endings.set(block, List.copyOf(more));
          }
        }
      }
    }
  }

  /**
   * Searches a text.
   *
   * @param found gets a bit for each of which a text is in it, 64 an element
   * @return whether it got any
   */
  public boolean find(byte[] data, int start, int end, long[] found) {
    boolean any = false;
    int last = start + window - 1;
    while (last < end) {
      int block = block(data[last - 1], data[last]);
      int shift = shifts[block];
      if (shift == 0) {
        List<Wanted> ending = endings.get(block);
        for (int i = 0; i < ending.size(); i++) {
          Wanted wanted = ending.get(i);
          int at = last - window + 1;
          if (at + wanted.text.length() <= end && RequiredText.isAt(wanted.text, data, at)) {
            any = true;
            found[wanted.number / Long.SIZE] |= 1L << wanted.number;
          }
        }
        shift = 1;
      }
      last += shift;
    }
    return any;
  }

  private static int block(int first, int second) {
    return ((first << 5) ^ second) & (BLOCKS - 1);
  }
}
