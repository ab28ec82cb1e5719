package io.duplog.deliver.syslog;

/**
 * A host that is not written plainly: in brackets, with a port, with its address in parentheses,
 * with the relays that syslog-ng's chain_hostnames adds, or with the source before it. One instance
 * serves all messages of a thread; it allocates only for an IPv6 address.
 */
final class HostWord {
  private static final String OPENING = "[<(\"";
  private static final String CLOSING = "]>)\"";
  private static final int SHORTEST_SERIAL = 7;

  private final HeaderBytes bytes;

  int start;
  int end;

  HostWord(HeaderBytes bytes) {
    this.bytes = bytes;
  }

  /** Looks for a host in this word; returns whether {@link #start} and {@link #end} are valid. */
  boolean read(int wordStart, int wordEnd) {
    int opening = OPENING.indexOf(bytes.at(wordStart));
    start = opening < 0 ? wordStart : wordStart + 1;
    end = start;
    if (opening >= 0) {
      while (end < wordEnd && bytes.at(end) != CLOSING.charAt(opening)) {
        end++;
      }
      return end < wordEnd && isDecoration(end + 1, wordEnd) && isHost();
    }
    int sign = -1;
    while (end < wordEnd && !isBoundary(end)) {
      sign = bytes.at(end) == '@' ? end : sign;
      end++;
    }
    if (sign > start && isSerial(sign + 1)) { // Dell writes its serial number behind the host
      end = sign;
      return isHost();
    }
    start = sign > start ? sign + 1 : start; // syslog-ng writes its source's name before the host
    if (isSlot() && bytes.at(end) == '/') { // F5 writes the blade before the host
      start = end + 1;
      end = wordEnd;
    }
    return isDecoration(end, wordEnd) && isHost();
  }

  /** Whether the host ends here; behind a comma or a sign there is data, which may be long. */
  private boolean isBoundary(int index) {
    int c = bytes.at(index);
    return c == '/' || c == '|' || c == '(' || c == ':' || c == '[' || c == ',' || c == '=';
  }

  /** Whether what follows the host may be left out: nothing, a port, parentheses, or relays. */
  private boolean isDecoration(int from, int wordEnd) {
    int c = bytes.at(from);
    int digits = bytes.skip(from + 1, '0', '9');
    return from == wordEnd
        || (c == ':' && (digits == wordEnd || (digits == wordEnd - 1 && bytes.at(digits) == ':')))
        || ((c == '/' || c == '|') && bytes.isHost(from + 1, from + 2))
        || ((c == '(' || (c == '[' && !bytes.hasProcess(from)))
            && ")]:".indexOf(bytes.at(wordEnd - 1)) >= 0);
  }

  private boolean isHost() {
    return bytes.isHost(start, end) || bytes.isAddress(start, end);
  }

  /** Whether capitals and digits alone stand from here to the end, as in a serial number. */
  private boolean isSerial(int from) {
    int at = from;
    while (at < end && (HeaderBytes.isDigit(bytes.at(at)) || bytes.skip(at, 'A', 'Z') > at)) {
      at++;
    }
    return at == end && end - from >= SHORTEST_SERIAL;
  }

  private boolean isSlot() {
    return bytes.startsWith(start, "slot") && bytes.skip(start + 4, '0', '9') == end;
  }
}
