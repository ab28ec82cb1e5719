package io.duplog.ingest.batch;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns of lines that hold many messages, because their sender marks a message's end in a way that
 * rsyslog's input does not know. Such lines are torn where rsyslog's buffer ends, at other places
 * on each node, so that they come twice and torn. For one thread.
 */
final class JoinedMessages {
  private static final Logger log = LoggerFactory.getLogger(JoinedMessages.class);

  /**
   * Length in bytes from which lines are looked at. What never ends grows to rsyslog's
   * maxMessageSize, and whole messages are shorter as a rule.
   */
  static final int SHORTEST = 8 * 1024;

  /** Least messages in a line; a message may quote another one. */
  private static final int LEAST = 3;

  private static final int HIGHEST_PRIORITY = 191;
  private static final int LONGEST_ADDRESS = 45;
  private static final long PAUSE_NANOS = TimeUnit.HOURS.toNanos(1);

  /** The text between two messages in a line. */
  private static final class Separator {
    private final String remedy;

    /** Number of messages in the present line; one more than there are separators, as a rule. */
    private int messages;

    private long lines;
    private long warnedNanos;

    Separator(String remedy) {
      this.remedy = remedy;
    }
  }

  private final Separator nul =
      new Separator(
          "ends messages with NUL: addtlFrameDelimiter=\"0\" on rsyslog's TCP input separates them");
  private final Separator lineFeed =
      new Separator("puts several messages into one datagram or frame: let it send each alone");
  private final Separator length =
      new Separator("counts octets: it belongs on port 601, or another input that takes them");
  private final boolean senderPrefixed;
  private final Time time;

  JoinedMessages(boolean senderPrefixed, Time time) {
    this.senderPrefixed = senderPrefixed;
    this.time = time;
  }

  /** Looks at one line, which may be of any length, and warns once an hour at most. */
  void look(byte[] line, int offset, int bytes) {
    if (bytes < SHORTEST) {
      return;
    }
    nul.messages = 1;
    lineFeed.messages = 1;
    length.messages = 0; // a length stands before the first message, too
    int end = offset + bytes;
    int begin = senderPrefixed ? afterSender(line, offset) : offset;
    for (int i = begin + 4; i < end; i++) {
      if (line[i] == '<' && isPriority(line, i + 1, end)) {
        count(line, i);
      }
    }
    for (Separator each : List.of(nul, lineFeed, length)) {
      if (each.messages >= LEAST) {
        warn(each, sender(line, offset));
      }
    }
  }

  private static int afterSender(byte[] line, int offset) {
    int i = offset;
    while (i < offset + LONGEST_ADDRESS && line[i] != ' ') {
      i++;
    }
    return i;
  }

  /** Counts a message's beginning by what stands before it. */
  private void count(byte[] line, int at) {
    byte last = line[at - 1];
    if (last == 0 || (last == '0' && isEscape(line, at, '0'))) {
      nul.messages++;
    } else if (last == '2' && isEscape(line, at, '1')) {
      lineFeed.messages++;
    } else if (last == ' ' && isDigit(line[at - 2])) {
      length.messages++;
    }
  }

  /** Whether rsyslog's escape of a control character, such as {@code #012}, ends here. */
  private static boolean isEscape(byte[] line, int at, char middle) {
    return line[at - 4] == '#' && line[at - 3] == '0' && line[at - 2] == middle;
  }

  private static boolean isPriority(byte[] line, int from, int end) {
    int value = 0;
    int i = from;
    for (; i < end && i < from + 3 && isDigit(line[i]); i++) {
      value = value * 10 + line[i] - '0';
    }
    return i > from && i < end && line[i] == '>' && value <= HIGHEST_PRIORITY;
  }

  private static boolean isDigit(byte each) {
    return each >= '0' && each <= '9';
  }

  /** Returns the sender's address, and nothing of a message. */
  private String sender(byte[] line, int offset) {
    byte[] begin = Arrays.copyOfRange(line, offset, offset + LONGEST_ADDRESS + 1);
    String address = new String(begin, US_ASCII).split(" ", 2)[0];
    return senderPrefixed && address.matches("[0-9a-fA-F.:]{2," + LONGEST_ADDRESS + "}")
        ? address
        : "a sender";
  }

  private void warn(Separator separator, String sender) {
    separator.lines++;
    long now = time.nanos();
    if (separator.lines == 1 || now - separator.warnedNanos > PAUSE_NANOS) {
      separator.warnedNanos = now;
      log.warn(
          "a line of {} holds {} messages, and is taken for one ({} such lines since the start): {} {}",
          sender,
          separator.messages,
          separator.lines,
          sender,
          separator.remedy);
    }
  }
}
