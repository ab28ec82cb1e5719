package io.duplog.dedup;

/**
 * Tells when each message of a batch was first seen on any stream, so that its copies are compared
 * in the same period. A digest whose counts were level or forgotten counts as new. Times are by the
 * store's clock. Immutable; thread-safe.
 *
 * <p>Times are in generations. A generation is a sixteenth of the window. A digest older than
 * {@value #REMEMBERED} generations is forgotten, so that no message is attributed to an older
 * generation.
 *
 * @param now number of the generation in which the batch was counted
 * @param ages age of each message's digest, in generations. A single element if all are equal. The
 *     array must not be changed.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Sightings(long now, byte[] ages) {
  /**
   * Number of generations in a window, which is also the greatest age of a digest in generations.
   */
  public static final int REMEMBERED = 16;

  /** Returns the number of the generation in which the message at this index was first seen. */
  public long generation(int index) {
    return now - ages[ages.length == 1 ? 0 : index];
  }
}
