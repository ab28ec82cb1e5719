package io.duplog.dedup;

/**
 * When the digests of a batch's messages were first seen, by any stream and unmatched, as the
 * store's clock tells it. Immutable; safe for any thread.
 *
 * <p>Times are told in generations: a generation is a sixteenth of the window. A digest of more
 * than {@value #REMEMBERED} generations is forgotten, so that nothing is attributed to such a
 * generation any more.
 */
public final class Sightings {
  /** How many generations a window has, and the greatest age of a digest in generations. */
  public static final int REMEMBERED = 16;

  private final long now;
  private final byte[] ages;

  /**
   * @param now the present generation
   * @param ages of each message's digest, in generations; one for all where all are alike; not to
   *     be changed any more
   */
  public Sightings(long now, byte[] ages) {
    this.now = now;
    this.ages = ages;
  }

  /** The generation in which the batch was counted. */
  public long now() {
    return now;
  }

  /** The generation in which the digest of message {@code index} was first seen. */
  public long generation(int index) {
    return now - ages[ages.length == 1 ? 0 : index];
  }
}
