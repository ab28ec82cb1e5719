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

  /** Names of severities, as F5 writes them before the program. */
  private static final String[] SEVERITIES = {
    "emerg", "alert", "crit", "err", "warning", "notice", "info", "debug"
  };

  /** Names of the logs that Barracuda writes behind a host, in the place of a program. */
  private static final String[] BARRACUDAS_LOGS = {"TR", "WF", "AUDIT", "SYS", "NF"};

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

  /** Whether keys or columns begin here with which a firewall begins that names no program. */
  boolean isKeys(int start) {
    return switch (bytes.at(start)) {
      case '1' -> bytes.startsWith(start, "1,20") && bytes.at(start + 6) == '/';
      case 'd' ->
          bytes.startsWith(start, "date=20")
              || bytes.startsWith(start, "device=\"SFW\"")
              || bytes.startsWith(start, "device_name=\"SFW\"");
      case 'i' -> bytes.startsWith(start, "id=firewall sn=");
      case 'l' -> bytes.startsWith(start, "logver=");
      default -> false;
    };
  }

  /** Whether one of the logs of Barracuda's firewalls for web applications is named here. */
  boolean isBarracudasLog(int start, int end) {
    return isOneOf(BARRACUDAS_LOGS, start, end);
  }

  private boolean isOneOf(String[] words, int start, int end) {
    boolean found = false;
    for (int i = 0; i < words.length && !found; i++) {
      found = words[i].length() == end - start && bytes.startsWith(start, words[i]);
    }
    return found;
  }

  /** Whether this may follow a device's name: a marked program, keys, a bracket or a name. */
  boolean isDevices(int start) {
    return bytes.isProgram(start)
        || bytes.at(behindProgram(start)) == '='
        || bytes.at(start) == '['
        || isNamed(start);
  }

  /**
   * Whether a product begins here whose program has no mark, or a severity or the number of an
   * event, and then a marked program.
   */
  private boolean isNamed(int start) {
    int end = behindProgram(start);
    return bytes.startsWith(start, "1,20")
        || bytes.startsWith(start, "#ILO")
        || bytes.startsWith(start, "CPPM_")
        || (bytes.at(end) == ',' && bytes.isTopics(start, bytes.gap(start)))
        || (bytes.isModule(bytes.skipGaps(end))
            && (bytes.skip(start, '0', '9') == end || isSeverity(start, end)));
  }

  boolean isSeverity(int start, int end) {
    return isOneOf(SEVERITIES, start, end);
  }

  /** Whether this may follow a host that is not written plainly. */
  boolean isBeforeProgram(int start) {
    int at = behindColon(start);
    return bytes.isProgram(at)
        || isProduct(at)
        || isNamed(at)
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

  /**
   * Whether a level, an event or a key begins here, a word with a capital and a colon that follows
   * a program and never a host.
   */
  boolean isLevel(int start) {
    int end = behindProgram(start);
    boolean capital = bytes.skip(start, 'A', 'Z') > start;
    return capital && bytes.at(end) == ':' && bytes.isGap(end + 1);
  }

  private static boolean isProgramByte(int c) {
    return c >= 0 && PROGRAM_BYTES[c];
  }
}
