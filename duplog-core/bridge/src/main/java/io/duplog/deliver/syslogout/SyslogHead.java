package io.duplog.deliver.syslogout;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.duplog.deliver.DeliveryRequest;
import io.duplog.wire.EventHead;
import io.duplog.wire.MessageBatch;
import io.duplog.wire.MessageForm;
import java.math.BigDecimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that syslog needs in front of a message. A message with a priority needs none, and is
 * sent as it was received. Another message gets the priority that RFC 3164 assigns. An event of HEC
 * without a priority gets a header of RFC 5424.
 */
final class SyslogHead {
  private static final byte[] NOTHING = {};
  private static final String USER_NOTICE = "<13>";
  private static final byte[] PRIORITY = USER_NOTICE.getBytes(US_ASCII);
  private static final int MAX_PRIORITY = 191;
  private static final int MAX_HOST = 255;
  private static final int MAX_PROGRAM = 48;

  /** The last millisecond whose year has four digits. */
  private static final long MAX_MILLIS = Instant.parse("9999-12-31T23:59:59.999Z").toEpochMilli();

  private SyslogHead() {}

  static byte[] of(DeliveryRequest delivery, int message) {
    MessageBatch batch = delivery.batch();
    if (hasPriority(batch.data(), batch.textStart(message), batch.end(message))) {
      return NOTHING;
    }
    return batch.form() == MessageForm.EVENT ? header(delivery, message) : PRIORITY;
  }

  private static boolean hasPriority(byte[] data, int from, int to) {
    if (from == to || data[from] != '<') {
      return false;
    }
    int priority = 0;
    int at = from + 1;
    while (at < to && at <= from + 3 && data[at] >= '0' && data[at] <= '9') {
      priority = 10 * priority + data[at] - '0';
      at++;
    }
    return at > from + 1 && at < to && data[at] == '>' && priority <= MAX_PRIORITY;
  }

  private static byte[] header(DeliveryRequest delivery, int message) {
    EventHead event = delivery.batch().eventHead(message);
    String host = event.host() == null ? delivery.batch().sender(message) : event.host();
    String header =
        USER_NOTICE
            + "1 "
            + Instant.ofEpochMilli(millis(event.time(), delivery.receivedMillis()))
            + ' '
            + word(host, MAX_HOST)
            + ' '
            + word(event.source(), MAX_PROGRAM)
            + " - - - ";
    return header.getBytes(US_ASCII);
  }

  /** Returns a time in milliseconds since the epoch, or the other one if there is no such time. */
  private static long millis(@Nullable String seconds, long otherMillis) {
    if (seconds == null) {
      return otherMillis;
    }
    long millis = new BigDecimal(seconds).movePointRight(3).longValue();
    return millis < 0 || millis > MAX_MILLIS ? otherMillis : millis;
  }

  /** Returns a text as a field of the header: printable ASCII without spaces, or a dash. */
  private static String word(@Nullable String text, int maxLength) {
    if (text == null || text.isEmpty()) {
      return "-";
    }
    String printable = text.replaceAll("[^\\x21-\\x7e]", "_");
    return printable.substring(0, Math.min(maxLength, printable.length()));
  }
}
