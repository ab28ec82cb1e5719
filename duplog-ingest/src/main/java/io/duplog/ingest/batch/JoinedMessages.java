package io.duplog.ingest.batch;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns the operator if a sender's messages arrive joined into one line, because rsyslog does not
 * recognise where they end. Such lines are split at the end of rsyslog's buffer, which is at a
 * different position on each node. The messages are then delivered twice and in pieces. Not
 * thread-safe.
 */
final class JoinedMessages {
  private static final Logger log = LoggerFactory.getLogger(JoinedMessages.class);

  /**
   * Minimum length of the lines that are checked. A line of joined messages grows up to rsyslog's
   * maxMessageSize, while single messages are usually shorter.
   */
  static final int MIN_LINE_BYTES = 8 * 1024;

  /** Minimum number of messages in a line for a warning. A single message may quote another one. */
  private static final int MIN_MESSAGES = 3;

  private static final int MAX_PRIORITY = 191;
  private static final int MAX_ADDRESS_LENGTH = 45;
  private static final long WARNING_INTERVAL_NANOS = TimeUnit.HOURS.toNanos(1);

  /** The text between two messages in a line. */
  private static final class Separator {
    private final String remedy;

    /** Number of messages in the current line; usually one more than the number of separators. */
    private int messageCount;

    private long lineCount;
    private long lastWarningNanos;

    Separator(String remedy) {
      this.remedy = remedy;
    }
  }

  private final Separator nulSeparator =
      new Separator(
          "ends messages with NUL: addtlFrameDelimiter=\"0\" on rsyslog's TCP input separates them");
  private final Separator lineFeedSeparator =
      new Separator("puts several messages into one datagram or frame: let it send each alone");
  private final Separator lengthSeparator =
      new Separator("counts octets: it belongs on port 601, or another input that takes them");
  private final boolean senderPrefixed;
  private final Time time;

  JoinedMessages(boolean senderPrefixed, Time time) {
    this.senderPrefixed = senderPrefixed;
    this.time = time;
  }

  /** Checks a line of any length, and warns at most once an hour. */
  void check(byte[] line, int offset, int bytes) {
    if (bytes < MIN_LINE_BYTES) {
      return;
    }
    nulSeparator.messageCount = 1;
    lineFeedSeparator.messageCount = 1;
    lengthSeparator.messageCount = 0; // a length also precedes the first message
    int end = offset + bytes;
    int start = senderPrefixed ? afterSender(line, offset) : offset;
    for (int i = start + 4; i < end; i++) {
      if (line[i] == '<' && isPriority(line, i + 1, end)) {
        count(line, i);
      }
    }
    for (Separator each : List.of(nulSeparator, lineFeedSeparator, lengthSeparator)) {
      if (each.messageCount >= MIN_MESSAGES) {
        warn(each, sender(line, offset));
      }
    }
  }

  private static int afterSender(byte[] line, int offset) {
    int i = offset;
    while (i < offset + MAX_ADDRESS_LENGTH && line[i] != ' ') {
      i++;
    }
    return i;
  }

  /** Counts the beginning of a message for the separator before it. */
  private void count(byte[] line, int at) {
    byte last = line[at - 1];
    if (last == 0 || (last == '0' && isEscape(line, at, '0'))) {
      nulSeparator.messageCount++;
    } else if (last == '2' && isEscape(line, at, '1')) {
      lineFeedSeparator.messageCount++;
    } else if (last == ' ' && isDigit(line[at - 2])) {
      lengthSeparator.messageCount++;
    }
  }

  /**
   * Whether rsyslog's escape sequence of a control character, such as {@code #012}, ends at this
   * offset.
   */
  private static boolean isEscape(byte[] line, int at, char middle) {
    return line[at - 4] == '#' && line[at - 3] == '0' && line[at - 2] == middle;
  }

  private static boolean isPriority(byte[] line, int from, int end) {
    int value = 0;
    int i = from;
    for (; i < end && i < from + 3 && isDigit(line[i]); i++) {
      value = value * 10 + line[i] - '0';
    }
    return i > from && i < end && line[i] == '>' && value <= MAX_PRIORITY;
  }

  private static boolean isDigit(byte each) {
    return each >= '0' && each <= '9';
  }

  /** Returns the sender's address, without any text of a message. */
  private String sender(byte[] line, int offset) {
    byte[] start = Arrays.copyOfRange(line, offset, offset + MAX_ADDRESS_LENGTH + 1);
    String address = new String(start, US_ASCII).split(" ", 2)[0];
    return senderPrefixed && address.matches("[0-9a-fA-F.:]{2," + MAX_ADDRESS_LENGTH + "}")
        ? address
        : "a sender";
  }

  private void warn(Separator separator, String sender) {
    separator.lineCount++;
    long now = time.nanos();
    if (separator.lineCount == 1 || now - separator.lastWarningNanos > WARNING_INTERVAL_NANOS) {
      separator.lastWarningNanos = now;
      log.warn(
          "a line of {} holds {} messages, and is taken for one ({} such lines since the start): {} {}",
          sender,
          separator.messageCount,
          separator.lineCount,
          sender,
          separator.remedy);
    }
  }
}
