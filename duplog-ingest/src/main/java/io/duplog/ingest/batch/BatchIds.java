package io.duplog.ingest.batch;

import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * Makes batch ids of 96 random bits, which stand for this run of the shim, and a counter. For one
 * thread.
 */
public final class BatchIds {
  private static final int RANDOM_BYTES = 12;

  private final String run;
  private long count;

  public BatchIds() {
    byte[] bytes = new byte[RANDOM_BYTES];
    new SecureRandom().nextBytes(bytes);
    this.run = HexFormat.of().formatHex(bytes);
  }

  /** Returns an id that no other batch has, on this node or any other. */
  public String next() {
    return run + "-" + Long.toString(count++, Character.MAX_RADIX);
  }
}
