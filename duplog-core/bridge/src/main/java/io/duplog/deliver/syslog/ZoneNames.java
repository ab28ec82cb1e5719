package io.duplog.deliver.syslog;

import com.google.common.primitives.Ints;
import com.google.common.primitives.Longs;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * Finds the offset of a time zone's abbreviation, such as {@code CEST}, if it means the same to all
 * senders. Ambiguous ones ({@code CST}, {@code IST}, {@code BST}) are recognised, but have no
 * offset. Immutable.
 */
final class ZoneNames {
  static final int LONGEST = 5;

  /** Value in place of an offset for an abbreviation that several zones share. */
  static final int UNKNOWN = Integer.MIN_VALUE;

  private static final String OFFSETS =
      "UTC+00:00 GMT+00:00 Z+00:00 WET+00:00 WEST+01:00 CET+01:00 CEST+02:00 MET+01:00 MEST+02:00"
          + " EET+02:00 EEST+03:00 MSK+03:00 EST-05:00 EDT-04:00 CDT-05:00 MST-07:00 MDT-06:00"
          + " PST-08:00 PDT-07:00 AKST-09:00 AKDT-08:00 HST-10:00 AEST+10:00 AEDT+11:00 ACST+09:30"
          + " ACDT+10:30 AWST+08:00 NZST+12:00 NZDT+13:00 JST+09:00 KST+09:00 SGT+08:00 HKT+08:00"
          + " WIB+07:00 WITA+08:00 WIT+09:00";

  /** Abbreviations that are recognised but ambiguous, so that the configured zone applies. */
  private static final String AMBIGUOUS = "CST IST BST";

  private static final long[] NAMES;
  private static final int[] MILLIS;

  static {
    Map<Long, Integer> millis = new TreeMap<>();
    for (String known : OFFSETS.split(" ", -1)) {
      int sign = Math.max(known.indexOf('+'), known.indexOf('-'));
      int seconds = ZoneOffset.of(known.substring(sign)).getTotalSeconds();
      millis.put(packed(known.substring(0, sign)), seconds * 1000);
    }
    for (String ambiguous : AMBIGUOUS.split(" ", -1)) {
      millis.put(packed(ambiguous), UNKNOWN);
    }
    NAMES = Longs.toArray(millis.keySet());
    MILLIS = Ints.toArray(millis.values());
  }

  private ZoneNames() {}

  /** Returns the index of the abbreviation in this range; negative if it is unknown. */
  static int find(HeaderBytes bytes, int start, int end) {
    long name = 0;
    for (int i = start; i < end; i++) {
      name = name << 8 | (bytes.at(i) & ~0x20);
    }
    return end - start > LONGEST ? -1 : Arrays.binarySearch(NAMES, name);
  }

  /** Returns a zone's offset from UTC in milliseconds, or {@link #UNKNOWN}. */
  static int offsetMillis(int index) {
    return MILLIS[index];
  }

  /** Packs an abbreviation into a number, so that a lookup allocates nothing. */
  private static long packed(String name) {
    return name.chars().asLongStream().reduce(0, (number, c) -> number << 8 | c);
  }
}
