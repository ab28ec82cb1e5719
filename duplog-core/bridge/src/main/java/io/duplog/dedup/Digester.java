package io.duplog.dedup;

import io.duplog.wire.MessageBatch;
import io.duplog.wire.MessageForm;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * Computes the digest of each message, by which copies of one message on several streams are
 * recognised. A digest is SHA-256, truncated to 128 bits. The hash must resist collisions.
 * Otherwise someone could craft a message with the digest of another host's message, and make that
 * message disappear. Thread-safe.
 *
 * @see "docs/decisions/dedup.md#digest-algorithm"
 */
public record Digester(Identity identity) {
  private static final int SHA_256_BYTES = 32;

  private static final ThreadLocal<MessageDigest> SHA_256 =
      ThreadLocal.withInitial(Digester::newSha256);

  /** Returns the digests of a batch's messages, in the order of the messages. */
  public Digests digest(MessageBatch batch) {
    MessageDigest sha256 = SHA_256.get();
    int count = batch.count();
    // SHA-256 writes 32 bytes each time. The next digest overwrites the unneeded half.
    byte[] packed = new byte[count * Digests.BYTES + SHA_256_BYTES - Digests.BYTES];
    try {
      for (int i = 0; i < count; i++) {
        if (batch.form() == MessageForm.EVENT) {
          // The shim has hashed what makes two events the same, by its own settings.
          System.arraycopy(
              batch.data(), batch.eventIdentityStart(i), packed, i * Digests.BYTES, Digests.BYTES);
          continue;
        }
        int from = identity == Identity.MESSAGE ? batch.textStart(i) : batch.start(i);
        sha256.update(batch.data(), from, batch.end(i) - from);
        sha256.digest(packed, i * Digests.BYTES, SHA_256_BYTES);
      }
    } catch (DigestException e) {
      throw new IllegalStateException("SHA-256 into a buffer of " + packed.length + " bytes", e);
    }
    return new Digests(Arrays.copyOf(packed, count * Digests.BYTES));
  }

  private static MessageDigest newSha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
