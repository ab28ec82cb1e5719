package io.duplog.deliver.route.literal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds the texts without which a message can't match a regular expression, so that most messages
 * are ruled out quickly.
 *
 * @param texts of ASCII, none empty; no texts if nothing is known about the expression
 * @param sufficient whether any of the texts alone makes the expression match
 */
public record RequiredText(List<String> texts, boolean sufficient) {
  /** Result for an expression about which nothing is known. */
  public static final RequiredText UNKNOWN = new RequiredText(List.of(), false);

  private static final VarHandle EIGHT_BYTES =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long EACH_BYTE = 0x0101010101010101L;
  private static final Pattern REPEAT = Pattern.compile("\\{(\\d+)(,\\d*)?}");

  /** Finds the texts that a valid expression in RE2's syntax requires. */
  public static RequiredText of(String expression) {
    Reader reader = new Reader(expression);
    RequiredText whole = reader.alternatives();
    return reader.gaveUp || reader.at < expression.length() ? UNKNOWN : whole;
  }

  /** Returns the length of the shortest text in characters, or 0 if no texts are known. */
  public int shortest() {
    return texts.stream().mapToInt(String::length).min().orElse(0);
  }

  /** Whether the range contains one of the texts; always true if no texts are known. */
  public boolean isIn(byte[] data, int start, int end) {
    boolean found = texts.isEmpty();
    for (int i = 0; i < texts.size() && !found; i++) {
      found = isIn(texts.get(i), data, start, end);
    }
    return found;
  }

  /**
   * Looks at eight places at once for the text's first and last byte, and only where both are there
   * for the whole text.
   */
  private static boolean isIn(String text, byte[] data, int start, int end) {
    int behind = text.length() - 1;
    long first = EACH_BYTE * text.charAt(0);
    long last = EACH_BYTE * text.charAt(behind);
    int at = start;
    for (; at + behind <= end - Long.BYTES; at += Long.BYTES) {
      long firsts = (long) EIGHT_BYTES.get(data, at) ^ first;
      long lasts = (long) EIGHT_BYTES.get(data, at + behind) ^ last;
      for (long both = zeros(firsts) & zeros(lasts); both != 0; both &= both - 1) {
        if (isAt(text, data, at + Long.numberOfTrailingZeros(both) / Byte.SIZE)) {
          return true;
        }
      }
    }
    for (; at + behind < end; at++) {
      if (isAt(text, data, at)) {
        return true;
      }
    }
    return false;
  }

  /** Returns a number with the highest bit of each byte set that is zero, and perhaps of others. */
  private static long zeros(long bytes) {
    return (bytes - EACH_BYTE) & ~bytes & (EACH_BYTE << (Byte.SIZE - 1));
  }

  /** Whether the text is found at exactly this offset; the array must be long enough. */
  static boolean isAt(String text, byte[] data, int at) {
    int length = text.length();
    for (int i = 0; i < length; i++) {
      if (data[at + i] != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Parser for one pass over an expression, which gives up at syntax that it does not know. */
  private static final class Reader {
    private final String text;
    private int at;
    private boolean gaveUp;

    Reader(String text) {
      this.text = text;
    }

    /** Parses alternatives up to a closing parenthesis or the expression's end. */
    RequiredText alternatives() {
      List<String> texts = new ArrayList<>();
      boolean known = true;
      boolean sufficient = true;
      do {
        RequiredText branch = sequence();
        known &= !branch.texts.isEmpty();
        sufficient &= branch.sufficient;
        texts.addAll(branch.texts);
      } while (is('|') && at++ >= 0);
      return known ? new RequiredText(List.copyOf(texts), sufficient) : UNKNOWN;
    }

    /** Parses one alternative; returns its required texts, choosing the longest ones. */
    private RequiredText sequence() {
      RequiredText best = UNKNOWN;
      StringBuilder run = new StringBuilder();
      boolean all = true;
      while (at < text.length() && !is('|') && !is(')') && !gaveUp) {
        @Nullable RequiredText group = null;
        int c = -1;
        if (is('(')) {
          group = group();
        } else {
          c = character();
        }
        boolean once = isOnce();
        if (c >= 0 && once) {
          run.append((char) c);
        } else {
          all = false;
          best = better(best, ofRun(run, false));
          run.setLength(0);
          best = group != null && once ? better(best, new RequiredText(group.texts, false)) : best;
        }
      }
      return better(best, ofRun(run, all));
    }

    private static RequiredText ofRun(StringBuilder run, boolean sufficient) {
      return run.isEmpty() ? UNKNOWN : new RequiredText(List.of(run.toString()), sufficient);
    }

    private static RequiredText better(RequiredText one, RequiredText other) {
      return other.shortest() > one.shortest() ? other : one;
    }

    private RequiredText group() {
      at += text.startsWith("(?:", at) ? 3 : 1;
      gaveUp |= is('?'); // flags and names
      RequiredText inside = alternatives();
      at++;
      return inside;
    }

    /** Parses one element; returns the character if the element is a literal one, or else -1. */
    private int character() {
      char c = text.charAt(at++);
      switch (c) {
        case '[' -> skipClass();
        case '\\' -> {
          return escaped();
        }
        case '.', '^', '$' -> {}
        default -> {
          return c < 0x80 ? c : -1;
        }
      }
      return -1;
    }

    private int escaped() {
      char c = text.charAt(at++);
      if (c == 't' || c == 'n') {
        return c == 't' ? '\t' : '\n';
      }
      boolean plain = !Character.isLetterOrDigit(c) && c < 0x80;
      gaveUp |= !plain && "dDwWsSbBAz".indexOf(c) < 0;
      return plain ? c : -1;
    }

    private void skipClass() {
      at += is('^') ? 1 : 0;
      for (int first = at; at == first || (at < text.length() && !is(']')); at++) {
        gaveUp |= text.startsWith("[:", at);
        at += is('\\') ? 1 : 0;
      }
      at++;
    }

    /** Whether no repetition operator follows the element just read; skips the operator if any. */
    private boolean isOnce() {
      if (is('*') || is('?') || is('+')) {
        at++;
      } else if (is('{')) {
        Matcher repeat = REPEAT.matcher(text).region(at, text.length());
        if (!repeat.lookingAt()) {
          return true; // not a repetition, but an ordinary brace
        }
        at = repeat.end();
      } else {
        return true;
      }
      at += is('?') ? 1 : 0;
      return false;
    }

    private boolean is(char c) {
      return at < text.length() && text.charAt(at) == c;
    }
  }
}
