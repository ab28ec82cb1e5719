package io.duplog.deliver.syslog;

/**
 * Finds the host and the program in a message's syslog header. Each thread has one instance, which
 * handles all its messages. Allocates only for an address in place of the host. Not thread-safe.
 */
final class HeaderNames {
  private static final int SHORTEST_ZONE = 3;

  /** Text that BSD's syslogd writes in place of a program and its message. */
  private static final String REPEATED = "last message repeated ";

  /** Text that AIX writes before the name of the host whose message it forwards. */
  private static final String FORWARDED = "Message forwarded from ";

  /** Text with which messages of ScreenOS begin. */
  private static final String NETSCREEN = "NetScreen device_id=";

  /** Word that Symantec's manager writes before its own name, unlike others. */
  private static final String SYMANTEC = "SymantecServer ";

  /** Program in the header of RFC 5424 with which Kiwi forwards a message. */
  private static final String KIWI = "Kiwi_Syslog";

  /** Greatest number of hosts that relays write before the device's own header. */
  private static final int MAX_HOSTS = 4;

  private final HeaderBytes bytes;
  private final HostWord hostWord;
  private final ProgramWord programWord;

  int hostStart;
  int hostEnd;
  int programStart;
  int programEnd;

  /** Offset at which a program was last looked for; the message's end if it was not looked for. */
  int text;

  HeaderNames(HeaderBytes bytes) {
    this.bytes = bytes;
    hostWord = new HostWord(bytes);
    programWord = new ProgramWord(bytes);
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
   * Reads the two words of RFC 5424. Some senders write a colon after the program. CEF, LEEF and
   * other formats that name their product may follow the structured data, or be in the place of the
   * program.
   *
   * @return offset of the text; the message's end if the header has too few words
   */
  int rfc5424(int start) {
    int hostEnd = bytes.gap(start);
    if (bytes.isName(start, hostEnd, HeaderBytes.LONGEST_HOST)) {
      setHost(start, hostEnd);
    }
    int program = Math.min(hostEnd + 1, bytes.end());
    int programEnd = bytes.gap(program);
    if (bytes.isName(program, programEnd, ProgramWord.LONGEST)) {
      boolean colon = bytes.at(programEnd - 1) == ':' && programEnd - program > 1;
      int end = colon ? programEnd - 1 : programEnd;
      if (bytes.mayBeProgram(program, end)) {
        setProgram(program, end);
      }
    }
    int id = bytes.gap(programEnd + 1) + 1;
    int text = bytes.skipGaps(bytes.behindStructuredData(bytes.gap(id) + 1));
    productIn(program);
    productIn(bytes.behindMark(text));
    return Math.min(text, bytes.end());
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
   * address, or a product's name after a host.
   */
  void withoutTime(int start) {
    int wordEnd = bytes.gap(start);
    int behind = bytes.skipGaps(wordEnd);
    if (programWord.isProduct(behind)
        && bytes.isHost(start, wordEnd)
        && bytes.skip(start, '0', '9') < wordEnd) {
      setHost(start, wordEnd);
      program(behind, false);
    } else if (wordEnd > start && bytes.at(wordEnd - 1) != ':' && bytes.isAddress(start, wordEnd)) {
      program(behind, true);
      if (programStart < programEnd) {
        setHost(start, wordEnd);
      }
    } else if (bytes.hasProcess(programWord.behindProgram(behind))
        && bytes.isHost(start, wordEnd)
        && bytes.hasHostsForm(start, wordEnd)) {
      setHost(start, wordEnd);
      program(behind, true);
    } else if (!HeaderBytes.isDigit(bytes.at(start))) {
      program(start, !programWord.isProduct(start));
      productIn(start);
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
    if (bytes.isMnemonic(mnemonic) && bytes.isHost(start, bytes.nameEnd(start, wordEnd))) {
      setHost(start, bytes.nameEnd(start, wordEnd));
      program(mnemonic, false);
    } else {
      program(start, !bytes.isMnemonic(start));
    }
  }

  /** Whether Kiwi forwarded the message. */
  boolean isKiwi() {
    return bytes.startsWith(programStart, KIWI);
  }

  /** Whether Cisco's mnemonic follows, possibly after a colon and the device's name. */
  boolean isBeforeMnemonic(int start) {
    int at = programWord.behindColon(bytes.skipGaps(start));
    int wordEnd = bytes.gap(at);
    return bytes.isMnemonic(at)
        || (bytes.isMnemonic(programWord.behindColon(bytes.skipGaps(wordEnd)))
            && bytes.isHost(at, bytes.nameEnd(at, wordEnd)));
  }

  /** Whether a program was found that a colon or a process id follows. */
  boolean isMarked() {
    return programEnd > programStart && programWord.isMark(programEnd, false);
  }

  /** Whether a program with its process id was found behind a host that has a host's form. */
  boolean hasHostAndProcess() {
    return bytes.hasHostsForm(hostStart, hostEnd) && bytes.hasProcess(programEnd);
  }

  /** Whether what follows the host shows that it was one: a marked program, keys or topics. */
  boolean isBeforeDevices() {
    return programWord.isDevices(text);
  }

  /** Whether one of Barracuda's logs was found in the place of the program. */
  boolean isBarracudas() {
    return programWord.isBarracudasLog(programStart, programEnd);
  }

  /** Returns the offset after the program's colon; that of the program if none follows. */
  int behindTag() {
    boolean colon = bytes.at(programEnd) == ':' && bytes.at(programEnd + 1) == ' ';
    return colon ? programEnd + 2 : programStart;
  }

  /** Whether a program was found that names its product, as {@code CISE_Passed} does. */
  boolean isOfProduct() {
    int c = bytes.at(programStart);
    return programEnd > programStart
        && (c == '%' || programWord.isProduct(programStart) || bytes.isCef(programStart));
  }

  /** Reads {@code host program[pid]: …} or {@code program[pid]: …}. */
  private void hostAndProgram(int start) {
    boolean forwarded = bytes.at(start) == 'M' && bytes.startsWith(start, FORWARDED);
    int at = forwarded ? start + FORWARDED.length() : behindZone(bytes.behindLevel(start));
    int wordEnd = bytes.gap(at);
    int behind = bytes.skipGaps(wordEnd);
    if (bytes.at(at) == 'l' && bytes.startsWith(at, REPEATED)) {
      return;
    }
    if (bytes.at(at) == 'S'
        && bytes.startsWith(at, SYMANTEC)
        && bytes.at(bytes.gapBefore(behind)) == ':') {
      setHost(behind, bytes.gapBefore(behind));
      setProgram(at, wordEnd);
      return;
    }
    int nameEnd = bytes.nameEnd(at, wordEnd);
    boolean isKernel = bytes.at(at) == 'k' && bytes.startsWith(at, "kernel: ");
    if (isKernel || (bytes.at(at) == 'C' && programWord.isProduct(at))) { // never a host
      program(at, false);
      return;
    }
    boolean mayBeHost = wordEnd == nameEnd || forwarded || bytes.isMnemonic(behind);
    if (wordEnd > at
        && bytes.skip(at, '-', '-')
            == wordEnd) { // one dash means a missing host; more are decoration
      program(behind, wordEnd > at + 1);
    } else if (!bytes.isAddress(at, nameEnd) && !(mayBeHost && bytes.isHost(at, nameEnd))) {
      if (bytes.at(at) != '%'
          && hostWord.findHost(at, wordEnd)
          && programWord.isBeforeProgram(behind)
          && !(programWord.isLevel(behind) && !bytes.hasHostsForm(at, nameEnd))) {
        setHost(hostWord.start, hostWord.end);
        programBehindHost(behind);
      } else if (bytes.at(at) != '[') {
        program(at, !bytes.isMnemonic(at));
      } else {
        text = at;
      }
    } else if (behind < bytes.end()) { // a single word is a message, not a host
      setHost(at, nameEnd);
      programBehindHost(behind);
    }
  }

  /**
   * Returns the offset after a zone of unknown offset, or {@code start} if there is none. A word in
   * capitals counts as a zone if both a host and a program with a mark follow. If the word is the
   * host itself, no second host follows. A colon counts as a mark only if the zone's name ends as
   * zones do, because texts have colons, too.
   */
  private int behindZone(int start) {
    int zoneEnd = bytes.skip(start, 'A', 'Z');
    int length = zoneEnd - start;
    if (length < SHORTEST_ZONE || length > ZoneNames.LONGEST || !bytes.isGap(zoneEnd)) {
      return start;
    }
    int host = bytes.skipGaps(zoneEnd);
    int hostEnd = bytes.gap(host);
    int program = programWord.behindColon(bytes.skipGaps(hostEnd));
    boolean isMnemonic = bytes.isMnemonic(program);
    int mark = bytes.at(programWord.behindProgram(program));
    boolean isProgram =
        isMnemonic
            || (HeaderBytes.isLetterOrDigit(bytes.at(program))
                && (mark == '[' || (mark == ':' && "TCD".indexOf(bytes.at(zoneEnd - 1)) >= 0)));
    return isProgram && bytes.isHost(host, hostEnd) ? host : start;
  }

  private void programBehindHost(int start) {
    int text = programWord.behindColon(start);
    int first = bytes.behindAddress(text);
    int end = programWord.behindProgram(first);
    int mark = bytes.at(end);
    boolean ordinary = mark == '[' || (mark == ':' && bytes.isGap(end + 1));
    if (ordinary && end > first && !mayBeOtherHost(first, end)) {
      program(first, end, false);
      return;
    }
    int at = behindOtherHosts(first);
    if (bytes.at(at) != 'l' || !bytes.startsWith(at, REPEATED)) {
      boolean marked = at != text && !programWord.isProduct(at) && !programWord.isDevices(at);
      program(at, marked); // a text may begin with a host, too
    }
  }

  /** Whether a marked word may be the host once more, or an address. */
  private boolean mayBeOtherHost(int start, int end) {
    return HeaderBytes.isDigit(bytes.at(start))
        || (bytes.at(end) == ':' && bytes.isSameHost(hostStart, hostEnd, start, end));
  }

  /**
   * Skips further hosts, which relays write before the device's name, and devices write twice. Of
   * two names the last is the device's, but a name says more than an address.
   *
   * @return offset of the first word that is no host
   */
  private int behindOtherHosts(int start) {
    int at = start;
    for (int hosts = 1; hosts < MAX_HOSTS; hosts++) {
      int end = programWord.behindProgram(at);
      int c = bytes.at(end);
      if (end == at || c == '[' || c == ',' || programWord.isProduct(at)) {
        return at;
      }
      int wordEnd = c == ':' && !bytes.isGap(end + 1) ? bytes.gap(end) : end;
      int next = programWord.behindColon(bytes.skipGaps(wordEnd));
      boolean isAddress = bytes.isAddress(at, wordEnd);
      if (isAddress ? next >= bytes.end() : !isHostBefore(at, end, c == ':', next)) {
        return at;
      }
      boolean isTwice = bytes.isSameHost(hostStart, hostEnd, at, end);
      if (!isTwice && (!isAddress || bytes.isAddress(hostStart, hostEnd))) {
        setHost(at, wordEnd);
      }
      at = next;
    }
    return at;
  }

  /** Whether this word behind a host, no address, is a host, too, judged by what follows it. */
  private boolean isHostBefore(int start, int end, boolean colon, int next) {
    if (next >= bytes.end()) {
      return false;
    }
    if (bytes.isSameHost(hostStart, hostEnd, start, end)) {
      return true;
    }
    if (colon || !bytes.isHost(start, end) || bytes.skip(start, '0', '9') == end) {
      return false;
    }
    boolean form = bytes.hasHostsForm(start, end);
    boolean relayed = bytes.isAddress(hostStart, hostEnd);
    return programWord.isProduct(next)
        || ((form || (relayed && !programWord.isSeverity(start, end)))
            && programWord.isBeforeProcess(next))
        || (form && relayed && programWord.isDevices(next));
  }

  /**
   * Reads the program that begins here, if there is one.
   *
   * @param marked whether a colon or a process id must follow
   */
  private void program(int start, boolean marked) {
    program(start, programWord.behindProgram(start), marked);
  }

  private void program(int start, int nameEnd, boolean marked) {
    text = start;
    int at = nameEnd;
    boolean comma = bytes.at(at) == ',';
    while (bytes.at(at) == ',' && at - start <= ProgramWord.LONGEST) {
      at = programWord.behindProgram(at + 1);
    }
    boolean plain = !marked && !comma && bytes.isGap(at);
    boolean topics = comma && bytes.isGap(at) && bytes.isTopics(start, at);
    if (at > start
        && at - start <= ProgramWord.LONGEST
        && (plain || topics || programWord.isMark(at, comma))) {
      if (bytes.mayBeProgram(start, at)) {
        setProgram(programWord.behindDoubled(start), at);
        behindName(bytes.behindMark(programWord.behindMark(at)));
      } else if (plain && hostEnd > hostStart && bytes.isModule(bytes.skipGaps(at))) {
        program(bytes.skipGaps(at), true); // behind the number of an event
      }
    } else if (!marked || bytes.at(start) == '#') {
      productIn(bytes.behindMark(start));
    }
  }

  /** Looks at the text behind a program: it may show that the program is a host or a product. */
  private void behindName(int start) {
    int length = programEnd - programStart;
    int name = bytes.at(start) == '[' ? start + 1 : start;
    int behind = name + length;
    boolean twice = bytes.at(name) == bytes.at(programStart) && bytes.at(behind) == ':';
    if (hostStart == hostEnd
        && bytes.isHost(programStart, programEnd)
        && ((twice && bytes.isSameHost(programStart, programEnd, name, behind))
            || bytes.isAuditNumber(start))) {
      setHost(programStart, programEnd);
      setProgram(start, start);
      if (name == start && twice) {
        program(bytes.skipGaps(behind + 1), false);
      }
    } else {
      productIn(start);
    }
  }

  /**
   * Takes a format that names its product, such as CEF, for the program, whichever program wrote
   * it. So does Cisco's mnemonic, unless one of EOS's agents wrote it. The word before {@code
   * NetScreen} is the device. Keys with which only products without a program begin leave none.
   */
  void productIn(int start) {
    int first = bytes.at(start);
    if (first == '%') {
      int at = programWord.behindDoubled(start);
      if (bytes.isMnemonic(at) && !bytes.isAgent(programStart, programEnd)) {
        setProgram(at, programWord.behindProgram(at));
      }
    } else if (first == 'M' && bytes.startsWith(start, ProgramWord.SNARE)) {
      setProgram(start, start + ProgramWord.SNARE.length());
    } else if (first == '#' && bytes.startsWith(start, "#ILO ")) {
      setProgram(start, start + "#ILO".length());
    } else if (first == 'C' && bytes.isCef(start)) {
      setProgram(start, start + "CEF".length());
    } else if (first == 'L' && bytes.startsWith(start, "LEEF:") && bytes.at(start + 8) == '|') {
      setProgram(start, start + "LEEF".length());
    } else if (first == 'N' && bytes.startsWith(start, NETSCREEN)) {
      if (hostStart == hostEnd && bytes.isHost(programStart, programEnd)) {
        setHost(programStart, programEnd);
      }
      setProgram(start, start + "NetScreen".length());
    } else if (programWord.isKeys(start)) {
      setProgram(start, start);
    }
  }

  /** Takes the program from a text that begins with one and its process id. */
  void processIn(int start) {
    if (programStart == programEnd && bytes.hasProcess(programWord.behindProgram(start))) {
      program(start, true);
    }
  }

  /**
   * Takes the program from a mnemonic in the text, if there is one. Called for texts without a
   * program.
   */
  void mnemonicIn(int start) {
    int at = bytes.mnemonic(start);
    if (at >= 0) {
      setProgram(at, programWord.behindProgram(at));
    }
  }

  /** Makes Cisco's mnemonic the program, if one follows the name of the process. */
  void mnemonicBehindProcess() {
    int at = programWord.behindMark(programEnd);
    if (programEnd > programStart && bytes.isMnemonic(at)) {
      program(at, false);
    }
  }

  private void setProgram(int start, int end) {
    programStart = start;
    programEnd = end;
  }
}
