package io.duplog.ingest.omprog;

import java.security.SecureRandom;
import java.util.HexFormat;

/** Makes batch ids: 96 random bits that name this run of the shim, and a counter. One thread. */
final class BatchIds {
  private static final int RANDOM_BYTES = 12;

  private final String run;
  private long count;

  private BatchIds(String run) {
    this.run = run;
  }

  static BatchIds random() {
    byte[] bytes = new byte[RANDOM_BYTES];
    new SecureRandom().nextBytes(bytes);
    return new BatchIds(HexFormat.of().formatHex(bytes));
  }

  /** An id that no other batch has, here or on any node. */
  String next() {
    return run + "-" + Long.toString(count++, Character.MAX_RADIX);
  }
}
