package io.duplog.deliver.syslog;

/**
 * Recognises a program name such as {@code sshd[123]:}, or a product tag such as {@code %ASA-…}, in
 * a syslog header. Each thread has one instance, which handles all its messages and allocates
 * nothing. Not thread-safe.
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
   * Returns the offset after the program name that begins here, or {@code start} if there is none.
   * For {@code sshd[123]:}, the offset of the bracket.
   */
  int behindProgram(int start) {
    int at = start;
    while (isProgramByte(bytes.at(at)) && at - start <= LONGEST) {
      at++;
    }
    return at;
  }

  /**
   * Whether a mark that ends a program is here: {@code [} as in {@code sshd[123]}, or the colon of
   * {@code kernel:}. After a list with commas, which may be data, a colon counts only before a gap.
   */
  boolean isMark(int index, boolean comma) {
    int c = bytes.at(index);
    return c == '[' || (c == ':' && (!comma || bytes.isGap(index + 1)));
  }

  /**
   * Returns the offset after an optional process id, an optional colon and gaps. For {@code [123]:
   * text}, this is the offset of {@code text}.
   */
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

  /**
   * Returns the offset after a colon and gaps, or {@code start} if there is no colon. For {@code :
   * text}, the offset of {@code text}.
   */
  int behindColon(int start) {
    return bytes.at(start) == ':' ? bytes.skipGaps(start + 1) : start;
  }

  /**
   * Returns the offset of a mnemonic's second percent sign, as in {@code %%01SYS/4/…}, or {@code
   * start} if it has only one.
   */
  int behindDoubled(int start) {
    boolean doubled =
        bytes.at(start) == '%' && bytes.at(start + 1) == '%' && bytes.isMnemonic(start + 1);
    return doubled ? start + 1 : start;
  }

  /**
   * Whether a product tag begins here that needs no program before it, such as {@code
   * %ASA-6-302013:}, {@code CISE_Passed_Authentications} or {@code MSWinEventLog}.
   */
  boolean isProduct(int start) {
    return switch (bytes.at(start)) {
      case '%' -> bytes.isMnemonic(start);
      case 'C' -> bytes.startsWith(start, "CISE_") || bytes.startsWith(start, "CSCOacs_");
      case 'M' -> bytes.startsWith(start, SNARE);
      default -> false;
    };
  }

  /**
   * Whether the keys or columns of a firewall begin here that names no program, such as {@code
   * date=2023-10-11} or {@code id=firewall sn=}.
   */
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

  /**
   * Whether this names a log of Barracuda's web application firewalls, such as {@code TR} or {@code
   * AUDIT}.
   */
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

  /**
   * Whether this may follow a device's name: {@code sshd[1]:}, {@code key=value}, {@code [} or a
   * product such as {@code CPPM_…}.
   */
  boolean isDevices(int start) {
    return bytes.isProgram(start)
        || bytes.at(behindProgram(start)) == '='
        || bytes.at(start) == '['
        || isNamed(start);
  }

  /**
   * Whether a product without a mark begins here ({@code #ILO}, {@code CPPM_}), or a severity or
   * event number before a marked program ({@code err tmm[1]:}).
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

  /** Whether this may follow a decorated host, such as {@code sshd[1]:} or {@code %SYS-5-…}. */
  boolean isBeforeProgram(int start) {
    int at = behindColon(start);
    return bytes.isProgram(at)
        || isProduct(at)
        || isNamed(at)
        || bytes.hasProcess(behindProgram(bytes.skipGaps(behindProgram(at))));
  }

  /**
   * Whether a program with a process id begins here ({@code sshd[1]:}), or another host before it
   * ({@code web-1 sshd[1]:}).
   */
  boolean isBeforeProcess(int start) {
    int end = behindProgram(start);
    return bytes.hasProcess(end)
        || (bytes.hasHostsForm(start, end)
            && bytes.isGap(end)
            && bytes.hasProcess(behindProgram(bytes.skipGaps(end))));
  }

  /**
   * Whether a capitalised word with a colon begins here, such as {@code Error:}, which follows a
   * program and never a host.
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
