package io.duplog.dedup;

/**
 * A notice that a bridge gave up a batch. Other bridges then deliver the copies that they dropped
 * because of that batch. Every unsettled batch whose number lies between the two numbers must
 * deliver the copies that it dropped because of these digests.
 *
 * @param revokedNumber number of the batch that was given up
 * @param number the revocation's own number in the same sequence
 * @param digests the digests of the copies that the batch had kept. Packed, because a bridge may
 *     have to remember millions.
 * @see "docs/decisions/settle.md#revocations"
 */
public record Revocation(long revokedNumber, long number, Digests digests) {

  /** Whether a batch with this number was judged while the revoked batch was still pending. */
  public boolean covers(long batchNumber) {
    return revokedNumber < batchNumber && batchNumber < number;
  }

  @Override
  public String toString() {
    return number + " of " + revokedNumber + " " + digests;
  }
}
