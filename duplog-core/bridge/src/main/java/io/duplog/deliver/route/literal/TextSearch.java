package io.duplog.deliver.route.literal;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.google.common.collect.ObjectArrays;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/**
 * Searches a message for many texts at once, to find the routing rules that may apply to it. Looks
 * at four bytes at regular steps, so close together that at least one of these places lies within
 * each text. Compares the whole text only if the four bytes match. Immutable; thread-safe.
 *
 * @see "docs/decisions/routing.md#rule-search"
 */
public final class TextSearch {
  private static final VarHandle FOUR_BYTES =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int BLOCK = Integer.BYTES;
  private static final int HASH_BITS = 13;

  /** Multiplier of Knuth's multiplicative hash: 2^32 divided by the golden ratio. */
  private static final int MULTIPLIER = 0x9e3779b1;

  /**
   * Four bytes of a text that is searched for.
   *
   * @param offset of the four bytes in the text
   * @param number index of the {@link RequiredText} that has the text
   */
  private record Place(String text, int offset, int number) {}

  private final int step;

  /**
   * Places by the hash of their four bytes; {@link #hasTextByHash} is a smaller table that fits a
   * cache.
   */
  private final Place[][] places = new Place[1 << HASH_BITS][];

  private final boolean[] hasTextByHash = new boolean[1 << HASH_BITS];

  /**
   * Prepares a search.
   *
   * @param required what to search for; {@link #find} tells it by its index. No text may be shorter
   *     than four characters. The shortest text determines the speed of the search.
   */
  public TextSearch(List<RequiredText> required) {
    int shortest =
        required.stream()
            .flatMap(each -> each.texts().stream())
            .mapToInt(String::length)
            .min()
            .orElse(BLOCK);
    step = shortest - BLOCK + 1;
    Arrays.fill(places, new Place[0]);
    for (int number = 0; number < required.size(); number++) {
      for (String text : required.get(number).texts()) {
        byte[] bytes = text.getBytes(US_ASCII);
        for (int offset = 0; offset < step; offset++) {
          int hash = hash((int) FOUR_BYTES.get(bytes, offset));
          hasTextByHash[hash] = true;
          places[hash] = ObjectArrays.concat(places[hash], new Place(text, offset, number));
        }
      }
    }
  }

  /**
   * Searches a message for the texts.
   *
   * @param found gets a bit for each {@link RequiredText} with a text that was found, 64 bits an
   *     element
   * @return whether a text was found
   */
  public boolean find(byte[] data, int start, int end, long[] found) {
    boolean any = false;
    for (int at = start; at <= end - BLOCK; at += step) {
      int hash = hash((int) FOUR_BYTES.get(data, at));
      if (hasTextByHash[hash]) {
        any |= compare(places[hash], data, start, at, end, found);
      }
    }
    return any;
  }

  private static boolean compare(
      Place[] places, byte[] data, int start, int at, int end, long[] found) {
    boolean any = false;
    for (Place place : places) {
      int from = at - place.offset;
      if (from >= start
          && from + place.text.length() <= end
          && RequiredText.isAt(place.text, data, from)) {
        found[place.number / Long.SIZE] |= 1L << place.number;
        any = true;
      }
    }
    return any;
  }

  private static int hash(int block) {
    return (block * MULTIPLIER) >>> (Integer.SIZE - HASH_BITS);
  }
}
