package io.duplog.ingest.batch;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.function.LongSupplier;

/**
 * Makes batch ids of 96 random bits, which stand for this run of the shim, a counter and the time.
 * The time makes them differ if the host is set back to a snapshot that includes this process: it
 * counts on from there, and bridges would take its next batches for those that they know. For one
 * thread.
 */
public final class BatchIds {
  private static final int RANDOM_BYTES = 12;

  private final LongSupplier wallMillis;
  private final String run;
  private long count;

  public BatchIds() {
    this(System::currentTimeMillis);
  }

  BatchIds(LongSupplier wallMillis) {
    this.wallMillis = wallMillis;
    byte[] bytes = new byte[RANDOM_BYTES];
    new SecureRandom().nextBytes(bytes);
    this.run = HexFormat.of().formatHex(bytes);
  }

  /** Returns an id that no other batch has, on this node or any other. */
  public String next() {
    return "%s-%s-%s"
        .formatted(
            run,
            Long.toString(count++, Character.MAX_RADIX),
            Long.toString(wallMillis.getAsLong(), Character.MAX_RADIX));
  }
}
