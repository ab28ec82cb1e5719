package io.duplog.dedup;

import java.util.Set;

/**
 * A pending batch was given up, and what it had kept was forgotten. Every unsettled batch with a
 * number between the two delivers the copies that it dropped on account of these digests.
 *
 * @param revokedNumber the number of the batch that was given up
 * @param number the revocation's own number in the same sequence
 * @param digests what the batch had kept
 */
public record Revocation(long revokedNumber, long number, Set<Digest> digests) {

  /** Whether a batch of this number was judged while the given-up batch was pending. */
  public boolean covers(long batchNumber) {
    return revokedNumber < batchNumber && batchNumber < number;
  }
}
