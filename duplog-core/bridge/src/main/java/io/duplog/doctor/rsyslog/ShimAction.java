package io.duplog.doctor.rsyslog;

import com.google.common.math.LongMath;
import io.duplog.doctor.ShimSettings;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The action in rsyslog's configuration that hands messages to the shim, with the settings of both.
 *
 * @param shim null if the shim's file could not be read
 */
record ShimAction(RsyslogConfig config, Statement action, @Nullable ShimSettings shim) {
  private static final Pattern SIZE = Pattern.compile("(\\d{1,12})([kKmMgGtT]?)");

  /** Whether the action sends each transaction as one request to a shim that listens. */
  boolean isBulk() {
    return action.get("type", "").equalsIgnoreCase("omelasticsearch");
  }

  /**
   * Returns the mode of the shim that the action is set up for, or null if there is no such mode.
   */
  ShimSettings.@Nullable Mode mode() {
    boolean confirm = on("confirmMessages");
    if (on("useTransactions")) {
      return confirm ? ShimSettings.Mode.CONFIRM : ShimSettings.Mode.TRANSACTIONS;
    }
    return confirm ? null : ShimSettings.Mode.LINES;
  }

  @Nullable String text(String name) {
    return action.get(name);
  }

  boolean on(String name) {
    return action.isOn(name, "off");
  }

  /** Returns a parameter as a number, or {@code absent} if it is missing or not a number. */
  long number(String name, long absent) {
    String value = action.get(name);
    return value != null && value.matches("-?\\d{1,12}") ? Long.parseLong(value) : absent;
  }

  /**
   * Converts a size in rsyslog's units (k is 1024, K is 1000) to bytes, or {@code absent} if none.
   */
  static long bytes(@Nullable String size, long absent) {
    Matcher matcher = SIZE.matcher(size == null ? "" : size);
    if (!matcher.matches()) {
      return absent;
    }
    String unit = matcher.group(2);
    long base = unit.equals(unit.toLowerCase(Locale.ROOT)) ? 1024 : 1000;
    int power = unit.isEmpty() ? 0 : "kmgt".indexOf(unit.toLowerCase(Locale.ROOT)) + 1;
    return Long.parseLong(matcher.group(1)) * LongMath.pow(base, power);
  }

  /** Returns the queue's type in lower case; {@code direct}, rsyslog's default, means no queue. */
  String queueType() {
    return action.get("queue.type", "Direct").toLowerCase(Locale.ROOT);
  }

  /** Whether every message is on disk until the broker has it, by the engine of rsyslog 8.2608. */
  boolean isDurable() {
    return queueType().equals("segmenteddisk");
  }

  /** Returns the file and line of the action in parentheses, for the end of a finding. */
  String at() {
    return action.at();
  }
}
