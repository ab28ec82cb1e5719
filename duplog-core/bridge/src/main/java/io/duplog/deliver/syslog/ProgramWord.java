package io.duplog.deliver.syslog;

/**
 * Judges whether a program or a product begins in a message's header, by its bytes and by what
 * follows. One instance serves all messages of a thread; it allocates nothing.
 */
final class ProgramWord {
  /** Greatest length of a program's name in bytes. */
  static final int LONGEST = 128;

  /** Word with which Snare's messages begin. */
  static final String SNARE = "MSWinEventLog";

  /** Words with a colon that follow a program, never a host. */
  private static final String[] LEVELS = {
    "Info:", "Warning:", "Critical:", "Error:", "Debug:", "Trace:", "Notice:", "Alert:"
  };

  /** Whether a program's name may have a byte of this value. */
  private static final boolean[] PROGRAM_BYTES = new boolean[1 << Byte.SIZE];

  static {
    for (int c = 0; c < PROGRAM_BYTES.length; c++) {
      PROGRAM_BYTES[c] = HeaderBytes.isLetterOrDigit(c) || "._-/%@+#()~$&*!".indexOf(c) >= 0;
    }
  }

  private final HeaderBytes bytes;

  ProgramWord(HeaderBytes bytes) {
    this.bytes = bytes;
  }

  /**
   * Returns the offset after the name of a program that begins here; {@code start} if none does.
   */
  int behindProgram(int start) {
    int at = start;
    while (isProgramByte(bytes.at(at)) && at - start <= LONGEST) {
      at++;
    }
    return at;
  }

  /**
   * Whether the program ends in a mark here. Behind a list with commas, which may be data, a colon
   * counts only if a gap follows.
   */
  boolean isMark(int index, boolean comma) {
    int c = bytes.at(index);
    return c == '[' || (c == ':' && (!comma || bytes.isGap(index + 1)));
  }

  /** Returns the offset after a process id, a colon and gaps, each of which may be missing. */
  int behindMark(int start) {
    int at = start;
    int c = bytes.at(at);
    if (c == '[') {
      do {
        c = bytes.at(++at);
      } while (HeaderBytes.isDigit(c));
      c = c == ']' ? bytes.at(++at) : c;
    }
    at += c == ':' ? 1 : 0;
    return bytes.at(at) == ' ' && bytes.at(at + 1) > ' ' ? at + 1 : bytes.skipGaps(at);
  }

  /** Returns the offset after a colon and gaps; {@code start} if there is no colon. */
  int behindColon(int start) {
    return bytes.at(start) == ':' ? bytes.skipGaps(start + 1) : start;
  }

  /** Returns the offset of a mnemonic's second percent sign if it has two, or {@code start}. */
  int behindDoubled(int start) {
    boolean doubled =
        bytes.at(start) == '%' && bytes.at(start + 1) == '%' && bytes.isMnemonic(start + 1);
    return doubled ? start + 1 : start;
  }

  /** Whether a product begins here whose lines have no program before it. */
  boolean isProduct(int start) {
    return switch (bytes.at(start)) {
      case '%' -> bytes.isMnemonic(start);
      case 'C' -> bytes.startsWith(start, "CISE_") || bytes.startsWith(start, "CSCOacs_");
      case 'M' -> bytes.startsWith(start, SNARE);
      default -> false;
    };
  }

  /** Whether a marked program or a device's keys begin here. */
  boolean isDevices(int start) {
    return bytes.isProgram(start)
        || bytes.startsWith(start, "date=20")
        || bytes.startsWith(start, "1,20");
  }

  /** Whether this may follow a host that is not written plainly. */
  boolean isBeforeProgram(int start) {
    int at = behindColon(start);
    return bytes.isProgram(at)
        || isProduct(at)
        || bytes.hasProcess(behindProgram(bytes.skipGaps(behindProgram(at))));
  }

  /** Whether a program with a process id begins here, or one more host and then the program. */
  boolean isBeforeProcess(int start) {
    int end = behindProgram(start);
    return bytes.hasProcess(end)
        || (bytes.hasHostsForm(start, end)
            && bytes.isGap(end)
            && bytes.hasProcess(behindProgram(bytes.skipGaps(end))));
  }

  /** Whether a level begins here, a word with a colon that follows a program and never a host. */
  boolean isLevel(int start) {
    boolean found = false;
    for (int i = 0; i < LEVELS.length && !found; i++) {
      found = bytes.startsWith(start, LEVELS[i]);
    }
    return found;
  }

  private static boolean isProgramByte(int c) {
    return c >= 0 && PROGRAM_BYTES[c];
  }
}
