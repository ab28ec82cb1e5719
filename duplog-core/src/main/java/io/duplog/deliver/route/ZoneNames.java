package io.duplog.deliver.route;

import java.util.Arrays;

/** The abbreviations of zones, each packed into a number so that reading one allocates nothing. */
final class ZoneNames {
  static final int LONGEST = 5;

  private static final long UTC = pack("UTC");
  private static final long GMT = pack("GMT");

  /** Those that mean different offsets to different senders. */
  private static final long[] AMBIGUOUS =
      Arrays.stream(
              ("CET CEST MET MEST WET WEST EET EEST BST IST MSK EST EDT CST CDT MST MDT PST PDT AKST"
                      + " AKDT HST AEST AEDT ACST AWST NZST NZDT JST KST SGT HKT")
                  .split(" ", -1))
          .mapToLong(ZoneNames::pack)
          .sorted()
          .toArray();

  private ZoneNames() {}

  /** The name with one more letter. */
  static long with(long packed, int letter) {
    return packed << 8 | letter;
  }

  static boolean isUtc(long packed) {
    return packed == UTC || packed == GMT || packed == 'Z';
  }

  static boolean isAmbiguous(long packed) {
    return Arrays.binarySearch(AMBIGUOUS, packed) >= 0;
  }

  private static long pack(String name) {
    return name.chars().asLongStream().reduce(0, (packed, c) -> packed << 8 | c);
  }
}
