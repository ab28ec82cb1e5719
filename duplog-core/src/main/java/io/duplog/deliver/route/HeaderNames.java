package io.duplog.deliver.route;

/**
 * Who wrote a message, as its header says: the host and the program, behind the time or where that
 * is missing. Used again for each message; it allocates nothing but for an address in the place of
 * the host.
 */
final class HeaderNames {
  private static final int LONGEST_PROGRAM = 128;
  private static final int SHORTEST_ZONE = 3;

  /** The syslogd of BSD writes it, without a program. */
  private static final String REPEATED = "last message repeated ";

  /** AIX writes it before the host that it forwards for. */
  private static final String FORWARDED = "Message forwarded from ";

  /** ScreenOS writes it before everything else that it has to say. */
  private static final String NETSCREEN = "NetScreen device_id=";

  private final HeaderBytes bytes;

  int hostStart;
  int hostEnd;
  int programStart;
  int programEnd;

  /**
   * Where the program stands if there is one: behind the host. The end where none was looked for.
   */
  int text;

  HeaderNames(HeaderBytes bytes) {
    this.bytes = bytes;
  }

  /** Forgets both; {@code start} is where what is missing begins and ends. */
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
   * Reads RFC 5424's two words. Some senders write a colon behind the program. Where there is
   * neither a message's name nor structured data, CEF and LEEF may follow, as behind any program.
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

  /** Reads what follows a time. */
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

  /** Reads a message that has no time: a program with a mark, perhaps behind an address. */
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

  /** Reads NetScaler's, whose host may be missing before {@code 0-PPE-0 :}. */
  void behindVendorTime(int start) {
    int at = bytes.skipGaps(start);
    if (bytes.at(bytes.skipGaps(bytes.gap(at))) == ':') {
      program(at, false);
    } else {
      hostAndProgram(at);
    }
  }

  /** Behind the time's colon. The host stands before the time, or before the mnemonic. */
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

  /** Whether Cisco's mnemonic follows, perhaps behind a colon and the device's name. */
  boolean isBeforeMnemonic(int start) {
    int at = behindColon(bytes.skipGaps(start));
    int wordEnd = bytes.gap(at);
    return bytes.isMnemonic(at)
        || (bytes.isMnemonic(behindColon(bytes.skipGaps(wordEnd)))
            && bytes.isHost(at, nameEnd(at, wordEnd)));
  }

  /** Whether there is a program, and a colon or a process id behind it. */
  boolean isMarked() {
    return programEnd > programStart && isMark(programEnd, false);
  }

  /** {@code host program[pid]: …} or {@code program[pid]: …}. */
  private void hostAndProgram(int start) {
    boolean forwarded = bytes.at(start) == 'M' && bytes.startsWith(start, FORWARDED);
    int at = forwarded ? start + FORWARDED.length() : behindZone(start);
    int wordEnd = bytes.gap(at);
    int behind = bytes.skipGaps(wordEnd);
    if (bytes.at(at) == '[') { // around an address, as some write it
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
            == wordEnd) { // one is for a host that is missing; more are decoration
      program(behind, wordEnd > at + 1);
    } else if (!bytes.isAddress(at, nameEnd) && !(mayBeHost && bytes.isHost(at, nameEnd))) {
      program(at, true);
    } else if (behind < bytes.end()) { // a single word is a message, not a host
      setHost(at, nameEnd);
      programBehindHost(behind);
    }
  }

  /**
   * Behind a zone of which nobody knows the offset. Capitals are one where both a host and a
   * program with a mark follow; where they are the host, no second one does. A colon is such a mark
   * only behind what ends as zones do, since texts have colons, too.
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

  /** Over a colon that stands alone, as between host and mnemonic. */
  private int behindColon(int start) {
    return bytes.at(start) == ':' ? bytes.skipGaps(start + 1) : start;
  }

  /** Without the colon; but two colons are the end of an address. */
  private int nameEnd(int start, int wordEnd) {
    boolean colon = wordEnd > start && bytes.at(wordEnd - 1) == ':';
    return colon && bytes.at(wordEnd - 2) != ':' ? wordEnd - 1 : wordEnd;
  }

  /**
   * @param marked whether it is one only if a colon or a process id follows
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
   * Takes a format that names its product for the program, whichever program wrote it. What stands
   * before NetScreen's is the device.
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

  /** Takes the mnemonic for the program, as elsewhere, if it follows the process. */
  void mnemonicBehindProcess() {
    int at = behindMark(programEnd);
    if (programEnd > programStart && bytes.isMnemonic(at)) {
      program(at, false);
    }
  }

  /** Behind a process id and a colon, if they are there, and gaps. */
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

  /** Behind a list with commas, which may be data, a colon counts only if a gap follows. */
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
