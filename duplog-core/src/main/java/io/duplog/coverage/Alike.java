package io.duplog.coverage;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the two messages of two streams that are the most alike, and says how they differ. */
final class Alike {
  /** Bytes shown on either side of the first difference. */
  private static final int AROUND = 60;

  /** Messages that share less than that of the shorter one's text are two messages. */
  private static final double ENOUGH = 0.5;

  private Alike() {}

  /** The most alike pair; null where no two are alike. */
  static Mismatch.@Nullable Example find(List<byte[]> ones, List<byte[]> others) {
    byte[] bestOne = null;
    byte[] bestOther = null;
    double best = ENOUGH;
    for (byte[] one : ones) {
      for (byte[] other : others) {
        double share = Arrays.equals(one, other) ? 0 : share(one, other);
        if (share > best) {
          best = share;
          bestOne = one;
          bestOther = other;
        }
      }
    }
    return bestOne == null || bestOther == null ? null : example(bestOne, bestOther);
  }

  /** How much of the longer text is a beginning or an end that both have in common. */
  private static double share(byte[] one, byte[] other) {
    byte[] textOne = text(one);
    byte[] textOther = text(other);
    int shorter = Math.min(textOne.length, textOther.length);
    if (shorter == 0) {
      return 0;
    }
    int same = commonBeginning(textOne, textOther);
    int end = 0;
    while (end < shorter - same
        && textOne[textOne.length - 1 - end] == textOther[textOther.length - 1 - end]) {
      end++;
    }
    return (double) (same + end) / shorter;
  }

  private static int commonBeginning(byte[] one, byte[] other) {
    int difference = Arrays.mismatch(one, other);
    return difference < 0 ? one.length : difference;
  }

  private static byte[] text(byte[] message) {
    return Arrays.copyOfRange(message, textStart(message), message.length);
  }

  private static int textStart(byte[] message) {
    for (int i = 0; i < message.length; i++) {
      if (message[i] == ' ') {
        return i + 1;
      }
    }
    return 0;
  }

  private static Mismatch.Example example(byte[] one, byte[] other) {
    int offset = commonBeginning(one, other);
    int from = Math.max(0, offset - AROUND);
    return new Mismatch.Example(
        shown(one, from, offset), shown(other, from, offset), offset, cause(one, other, offset));
  }

  private static String cause(byte[] one, byte[] other, int offset) {
    byte[] textOne = text(one);
    byte[] textOther = text(other);
    if (Arrays.equals(textOne, textOther)) {
      return "the senders' addresses differ: one node sees them translated, or behind a relay";
    }
    int shorter = Math.min(one.length, other.length);
    if (offset >= shorter || commonBeginning(textOne, textOther) >= shorter(textOne, textOther)) {
      return "one node cuts what the other has whole: compare their maxMessageSize";
    }
    if (escapes(one, offset) || escapes(other, offset)) {
      return "control characters are escaped differently: compare the nodes' parser settings";
    }
    return "the text differs: compare the nodes' templates; nothing that a receiver adds may stand there";
  }

  private static int shorter(byte[] one, byte[] other) {
    return Math.min(one.length, other.length);
  }

  private static boolean escapes(byte[] message, int at) {
    if (at >= message.length) {
      return false;
    }
    int before = Math.max(0, at - 3);
    for (int i = before; i <= at; i++) {
      if (message[i] == '#' || message[i] == '\\') {
        return true;
      }
    }
    return message[at] < ' ';
  }

  private static String shown(byte[] message, int from, int offset) {
    int to = Math.min(message.length, offset + AROUND);
    StringBuilder text = new StringBuilder(from > 0 ? "..." : "");
    for (int i = Math.min(from, to); i < to; i++) {
      byte each = message[i];
      if (each >= ' ' && each <= '~') {
        text.append((char) each);
      } else {
        text.append(String.format("\\x%02x", each & 0xff));
      }
    }
    return text.append(to < message.length ? "..." : "").toString();
  }
}
