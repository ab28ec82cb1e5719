package io.duplog.coverage;

import com.google.common.base.Strings;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds the most similar messages of two streams and describes their difference, to explain why the
 * streams do not match. Messages are strings with one character for each byte.
 */
final class Alike {
  /** Number of bytes to show on either side of the first difference between two messages. */
  private static final int CONTEXT_BYTES = 60;

  /**
   * Minimum share of the shorter text that two texts must have in common to count as the same
   * message.
   */
  private static final double MIN_SHARE = 0.5;

  private static final Pattern UNPRINTABLE = Pattern.compile("[^ -~]");

  private Alike() {}

  /**
   * Returns the most similar pair with one message from each list, or null if no pair is similar
   * enough.
   */
  static Mismatch.@Nullable Example find(List<String> ones, List<String> others) {
    Mismatch.@Nullable Example found = null;
    double best = MIN_SHARE;
    for (String one : ones) {
      for (String other : others) {
        double share = one.equals(other) ? 0 : share(text(one), text(other));
        if (share > best) {
          best = share;
          found = example(one, other);
        }
      }
    }
    return found;
  }

  /** Returns the share of the shorter text that is a common beginning or end of both texts. */
  private static double share(String one, String other) {
    int shorter = Math.min(one.length(), other.length());
    int beginning = commonPrefixLength(one, other);
    int end = Math.min(Strings.commonSuffix(one, other).length(), shorter - beginning);
    return shorter == 0 ? 0 : (double) (beginning + end) / shorter;
  }

  private static int commonPrefixLength(String one, String other) {
    return Strings.commonPrefix(one, other).length();
  }

  private static String text(String message) {
    return message.substring(message.indexOf(' ') + 1);
  }

  private static Mismatch.Example example(String one, String other) {
    int offset = commonPrefixLength(one, other);
    return new Mismatch.Example(
        excerpt(one, offset), excerpt(other, offset), offset, cause(one, other, offset));
  }

  private static String cause(String one, String other, int offset) {
    String textOne = text(one);
    String textOther = text(other);
    if (textOne.equals(textOther)) {
      return "the senders' addresses differ: one node sees them translated, or behind a relay";
    }
    if (offset >= Math.min(one.length(), other.length())
        || commonPrefixLength(textOne, textOther)
            >= Math.min(textOne.length(), textOther.length())) {
      return "one node cuts what the other has whole: compare their maxMessageSize";
    }
    if (escapes(one, offset) || escapes(other, offset)) {
      return "control characters are escaped differently: compare the nodes' parser settings";
    }
    return "the text differs: compare the nodes' templates; nothing that a receiver adds may stand there";
  }

  private static boolean escapes(String message, int at) {
    return at < message.length()
        && (message.charAt(at) < ' '
            || message.charAt(at) > 0x7f
            || message.substring(Math.max(0, at - 3), at + 1).matches("(?s).*[#\\\\].*"));
  }

  private static String excerpt(String message, int offset) {
    int from = Math.max(0, offset - CONTEXT_BYTES);
    int to = Math.min(message.length(), offset + CONTEXT_BYTES);
    String around = message.substring(Math.min(from, to), to);
    return (from > 0 ? "..." : "")
        + UNPRINTABLE
            .matcher(around)
            .replaceAll(
                each -> String.format(Locale.ROOT, "\\\\x%02x", (int) each.group().charAt(0)))
        + (to < message.length() ? "..." : "");
  }
}
