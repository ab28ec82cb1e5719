package io.duplog.deliver.syslog;

/**
 * The host and the program that a message's header names, after the time or where a time is
 * missing. One instance serves all messages of a thread; it allocates only for an address in the
 * place of the host.
 */
final class HeaderNames {
  private static final int LONGEST_PROGRAM = 128;
  private static final int SHORTEST_ZONE = 3;

  /** Text that BSD's syslogd writes in place of a program and its message. */
  private static final String REPEATED = "last message repeated ";

  /** Text that AIX writes before the name of the host whose message it forwards. */
  private static final String FORWARDED = "Message forwarded from ";

  /** Text with which messages of ScreenOS begin. */
  private static final String NETSCREEN = "NetScreen device_id=";

  private final HeaderBytes bytes;

  int hostStart;
  int hostEnd;
  int programStart;
  int programEnd;

  /** Offset at which a program was last looked for; the message's end if it was not looked for. */
  int text;

  HeaderNames(HeaderBytes bytes) {
    this.bytes = bytes;
  }

  /** Removes host and program; both become empty ranges at {@code start}. */
  void clear(int start) {
    setHost(start, start);
    setProgram(start, start);
    text = bytes.end();
  }

  void setHost(int start, int end) {
    hostStart = start;
    hostEnd = end;
  }

  /**
   * Reads the two words of RFC 5424. Some senders write a colon after the program. If there is
   * neither a message id nor structured data, CEF or LEEF may follow, as after any program.
   */
  void rfc5424(int start) {
    int hostEnd = bytes.gap(start);
    if (bytes.isName(start, hostEnd, HeaderBytes.LONGEST_HOST)) {
      setHost(start, hostEnd);
    }
    int program = Math.min(hostEnd + 1, bytes.end());
    int programEnd = bytes.gap(program);
    if (bytes.isName(program, programEnd, LONGEST_PROGRAM)) {
      boolean colon = bytes.at(programEnd - 1) == ':' && programEnd - program > 1;
      setProgram(program, colon ? programEnd - 1 : programEnd);
    }
    int id = bytes.gap(programEnd + 1);
    if (bytes.startsWith(id, " - - ")) {
      productIn(id + " - - ".length());
    }
  }

  /** Reads the host and the program after a time. */
  void behindTime(int start) {
    int at = bytes.skipGaps(start);
    if (bytes.at(at) != ':' || bytes.at(at + 1) == ':') {
      hostAndProgram(at);
    } else if (hostStart == hostEnd) {
      behindCiscoTime(bytes.skipGaps(at + 1));
    } else {
      program(bytes.skipGaps(at + 1), true);
    }
  }

  /**
   * Reads a message without a time: a program with a colon or a process id, perhaps after an
   * address.
   */
  void withoutTime(int start) {
    int wordEnd = bytes.gap(start);
    if (bytes.at(wordEnd - 1) != ':' && bytes.isAddress(start, wordEnd)) {
      program(bytes.skipGaps(wordEnd), true);
      if (programStart < programEnd) {
        setHost(start, wordEnd);
      }
    } else if (!HeaderBytes.isDigit(bytes.at(start))) {
      program(start, true);
    }
  }

  /** Reads a NetScaler header after its time; the host before {@code 0-PPE-0 :} may be missing. */
  void behindVendorTime(int start) {
    int at = bytes.skipGaps(start);
    if (bytes.at(bytes.skipGaps(bytes.gap(at))) == ':') {
      program(at, false);
    } else {
      hostAndProgram(at);
    }
  }

  /** Reads what follows Cisco's time and colon, where the host may precede the mnemonic. */
  private void behindCiscoTime(int start) {
    int wordEnd = bytes.gap(start);
    int mnemonic = bytes.skipGaps(wordEnd);
    if (bytes.isMnemonic(mnemonic) && bytes.isHost(start, nameEnd(start, wordEnd))) {
      setHost(start, nameEnd(start, wordEnd));
      program(mnemonic, true);
    } else {
      program(start, true);
    }
  }

  /** Whether Cisco's mnemonic follows, possibly after a colon and the device's name. */
  boolean isBeforeMnemonic(int start) {
    int at = behindColon(bytes.skipGaps(start));
    int wordEnd = bytes.gap(at);
    return bytes.isMnemonic(at)
        || (bytes.isMnemonic(behindColon(bytes.skipGaps(wordEnd)))
            && bytes.isHost(at, nameEnd(at, wordEnd)));
  }

  /** Whether a program was found that a colon or a process id follows. */
  boolean isMarked() {
    return programEnd > programStart && isMark(programEnd, false);
  }

  /** Reads {@code host program[pid]: …} or {@code program[pid]: …}. */
  private void hostAndProgram(int start) {
    boolean forwarded = bytes.at(start) == 'M' && bytes.startsWith(start, FORWARDED);
    int at = forwarded ? start + FORWARDED.length() : behindZone(start);
    int wordEnd = bytes.gap(at);
    int behind = bytes.skipGaps(wordEnd);
    if (bytes.at(at) == '[') { // some senders write brackets around an address
      if (bytes.at(wordEnd - 1) == ']' && bytes.isAddress(at + 1, wordEnd - 1)) {
        setHost(at + 1, wordEnd - 1);
        programBehindHost(behind);
      }
      return;
    }
    if (bytes.at(at) == 'l' && bytes.startsWith(at, REPEATED)) {
      return;
    }
    int nameEnd = nameEnd(at, wordEnd);
    boolean mayBeHost = wordEnd == nameEnd || forwarded || bytes.isMnemonic(behind);
    if (wordEnd > at
        && bytes.skip(at, '-', '-')
            == wordEnd) { // one stands for a missing host; more are decoration
      program(behind, wordEnd > at + 1);
    } else if (!bytes.isAddress(at, nameEnd) && !(mayBeHost && bytes.isHost(at, nameEnd))) {
      program(at, true);
    } else if (behind < bytes.end()) { // a single word is a message, not a host
      setHost(at, nameEnd);
      programBehindHost(behind);
    }
  }

  /**
   * Returns the offset after a zone of unknown offset, or {@code start} if there is none. A word in
   * capitals counts as a zone if both a host and a program with a mark follow; if it is the host
   * itself, no second host follows. A colon counts as a mark only if the zone's name ends as zones
   * do, because texts have colons, too.
   */
  private int behindZone(int start) {
    int zoneEnd = bytes.skip(start, 'A', 'Z');
    int length = zoneEnd - start;
    if (length < SHORTEST_ZONE || length > ZoneNames.LONGEST || !bytes.isGap(zoneEnd)) {
      return start;
    }
    int host = bytes.skipGaps(zoneEnd);
    int hostEnd = bytes.gap(host);
    int program = behindColon(bytes.skipGaps(hostEnd));
    boolean isMnemonic = bytes.isMnemonic(program);
    int mark = bytes.at(behindProgram(program));
    boolean isProgram =
        isMnemonic
            || (HeaderBytes.isLetterOrDigit(bytes.at(program))
                && (mark == '[' || (mark == ':' && "TCD".indexOf(bytes.at(zoneEnd - 1)) >= 0)));
    return isProgram && bytes.isHost(host, hostEnd) ? host : start;
  }

  private void programBehindHost(int start) {
    int at = behindColon(start);
    if (bytes.at(at) != 'l' || !bytes.startsWith(at, REPEATED)) {
      program(at, false);
    }
  }

  /** Returns the offset after a colon and gaps; {@code start} if there is no colon. */
  private int behindColon(int start) {
    return bytes.at(start) == ':' ? bytes.skipGaps(start + 1) : start;
  }

  /** Returns the end of a name without its final colon; two colons belong to an IPv6 address. */
  private int nameEnd(int start, int wordEnd) {
    boolean colon = wordEnd > start && bytes.at(wordEnd - 1) == ':';
    return colon && bytes.at(wordEnd - 2) != ':' ? wordEnd - 1 : wordEnd;
  }

  /**
   * Reads the program that begins here, if there is one.
   *
   * @param marked whether a colon or a process id must follow
   */
  private void program(int start, boolean marked) {
    text = start;
    int at = behindProgram(start);
    boolean comma = bytes.at(at) == ',';
    while (bytes.at(at) == ',' && at - start <= LONGEST_PROGRAM) {
      at = behindProgram(at + 1);
    }
    boolean plain = !marked && !comma && bytes.isGap(at);
    if (at - start <= LONGEST_PROGRAM && (plain || isMark(at, comma))) {
      setProgram(start, at);
      productIn(behindMark(at));
    }
  }

  /**
   * Takes a format that names its product, such as CEF, for the program, whichever program wrote
   * it. The word before {@code NetScreen} is the device.
   */
  private void productIn(int start) {
    int first = bytes.at(start);
    if (first == 'C' && bytes.startsWith(start, "CEF:") && bytes.at(start + 5) == '|') {
      setProgram(start, start + "CEF".length());
    } else if (first == 'L' && bytes.startsWith(start, "LEEF:") && bytes.at(start + 8) == '|') {
      setProgram(start, start + "LEEF".length());
    } else if (first == 'N' && bytes.startsWith(start, NETSCREEN)) {
      if (hostStart == hostEnd && bytes.isHost(programStart, programEnd)) {
        setHost(programStart, programEnd);
      }
      setProgram(start, start + "NetScreen".length());
    }
  }

  /** Makes Cisco's mnemonic the program, if one follows the name of the process. */
  void mnemonicBehindProcess() {
    int at = behindMark(programEnd);
    if (programEnd > programStart && bytes.isMnemonic(at)) {
      program(at, false);
    }
  }

  /** Returns the offset after a process id, a colon and gaps, each of which may be missing. */
  private int behindMark(int start) {
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

  private int behindProgram(int start) {
    int at = start;
    while (isProgramByte(bytes.at(at)) && at - start <= LONGEST_PROGRAM) {
      at++;
    }
    return at;
  }

  /**
   * Whether the program ends in a mark here. Behind a list with commas, which may be data, a colon
   * counts only if a gap follows.
   */
  private boolean isMark(int index, boolean comma) {
    int c = bytes.at(index);
    return c == '[' || (c == ':' && (!comma || bytes.isGap(index + 1)));
  }

  private void setProgram(int start, int end) {
    programStart = start;
    programEnd = end;
  }

  private static boolean isProgramByte(int c) {
    return HeaderBytes.isLetterOrDigit(c)
        || (c > ' ' && c < 0x7f && "._-/%@+#()~$&*!".indexOf(c) >= 0);
  }
}
