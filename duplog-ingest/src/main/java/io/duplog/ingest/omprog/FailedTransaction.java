package io.duplog.ingest.omprog;

import io.duplog.ingest.publish.OutgoingBatch;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of a transaction whose COMMIT failed, so that its batches keep their names
 * when rsyslog sends it again: for each batch, in order, a digest of its content and its name.
 */
final class FailedTransaction {
  static final FailedTransaction NONE = new FailedTransaction(List.of());

  private final List<Name> names;

  FailedTransaction(List<Name> names) {
    this.names = List.copyOf(names);
  }

  /**
   * The name of an equal batch in the same place.
   *
   * @return null where there was none
   */
  @Nullable Name nameOf(int index, byte[] body) {
    if (index >= names.size()) {
      return null;
    }
    Name name = names.get(index);
    return Arrays.equals(name.digest(), digestOf(body)) ? name : null;
  }

  private static byte[] digestOf(byte[] body) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(body);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }

  /**
   * A batch's name and what it names.
   *
   * @param publishedMillis when it was published first
   */
  @SuppressWarnings("ArrayRecordComponent") // compared by hand
  record Name(String id, long publishedMillis, byte[] digest) {
    static Name of(OutgoingBatch batch) {
      return new Name(
          batch.envelope().id(), batch.envelope().publishedMillis(), digestOf(batch.body()));
    }
  }
}
