package io.duplog.simulate;

/** What can be wrong when a run has ended. */
enum Finding {
  /**
   * A confirmed message is neither delivered nor in dead letters of a host that is there. The
   * exception is what a lost host alone had: it is counted.
   */
  LOSS,
  /** A message came more often than any stream had it, and no fault licenses that. */
  DUPLICATE,
  /** Something is not delivered though nothing is in its way any more. */
  STALL,
  /** A message that is in nobody's way came later than the faults that concern it explain. */
  LATE,
  /** So did a dead letter. */
  DEAD_LETTER_LATE,
  /** A message is a dead letter though the collector would have taken it. */
  GIVEN_UP,
  /** A bridge ended by itself. */
  ENDED,
  /** Not every copy that a bridge received ended in one of its counts, or they are not true. */
  MISCOUNT,
  /** A message arrived that nobody sent. */
  ALTERED,
  /** A bridge told a broker what a client must not. */
  PROTOCOL
}
