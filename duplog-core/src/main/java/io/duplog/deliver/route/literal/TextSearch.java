package io.duplog.deliver.route.literal;

import com.google.common.collect.ObjectArrays;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/**
 * Looks for many texts at once. Of what it searches it looks at four bytes here and there, so far
 * apart that one of these places lies within each text that is there. Only where four bytes are
 * those of a text does it compare the text. Immutable; safe for any thread.
 */
public final class TextSearch {
  private static final VarHandle FOUR_BYTES =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int BLOCK = Integer.BYTES;
  private static final int HASH_BITS = 13;

  /** Knuth's multiplicative hash: 2^32 divided by the golden ratio. */
  private static final int MULTIPLIER = 0x9e3779b1;

  /**
   * @param offset of the four bytes in the text
   * @param number of those that wanted it
   */
  private record Place(String text, int offset, int number) {}

  private final int step;

  /** By the hash of four bytes; and whether there are any, in a table that a cache holds. */
  private final Place[][] places = new Place[1 << HASH_BITS][];

  private final boolean[] known = new boolean[1 << HASH_BITS];

  /**
   * @param required what is found is told by its index. No text may have less than four characters,
   *     and the shortest says how fast the search is.
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
        for (int offset = 0; offset < step; offset++) {
          int block = 0;
          for (int i = BLOCK - 1; i >= 0; i--) {
            block = (block << Byte.SIZE) | text.charAt(offset + i);
          }
          int hash = hash(block);
          known[hash] = true;
          places[hash] = ObjectArrays.concat(places[hash], new Place(text, offset, number));
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
    for (int at = start; at <= end - BLOCK; at += step) {
      int hash = hash((int) FOUR_BYTES.get(data, at));
      if (known[hash]) {
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
