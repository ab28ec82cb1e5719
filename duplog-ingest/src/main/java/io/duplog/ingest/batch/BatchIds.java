package io.duplog.ingest.batch;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.function.LongSupplier;

/**
 * Generates the unique ids of the shim's batches, by which bridges recognise a batch that was
 * published twice. An id consists of 96 random bits for this run of the shim, a counter and the
 * time. The time keeps the ids unique if the host is restored from a snapshot that includes this
 * process. The counter then repeats its values, and bridges would mistake the next batches for
 * known ones. Not thread-safe.
 */
public final class BatchIds {
  private static final int RANDOM_BYTES = 12;

  private final LongSupplier wallMillis;
  private final String runId;
  private long counter;

  public BatchIds() {
    this(System::currentTimeMillis);
  }

  BatchIds(LongSupplier wallMillis) {
    this.wallMillis = wallMillis;
    byte[] bytes = new byte[RANDOM_BYTES];
    new SecureRandom().nextBytes(bytes);
    this.runId = HexFormat.of().formatHex(bytes);
  }

  /** Returns an id that no other batch on any node has. */
  public String next() {
    return "%s-%s-%s"
        .formatted(
            runId,
            Long.toString(counter++, Character.MAX_RADIX),
            Long.toString(wallMillis.getAsLong(), Character.MAX_RADIX));
  }
}
