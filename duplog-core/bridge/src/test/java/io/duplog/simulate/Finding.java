package io.duplog.simulate;

/** A broken promise that a simulated run can reveal, such as a lost message. */
enum Finding {
  /**
   * A confirmed message is neither delivered nor a dead letter on a host that is left. A message
   * that only a lost host had is no loss, but is counted.
   */
  LOSS,
  /** A message was delivered more often than any stream had it, and no fault allows that. */
  DUPLICATE,
  /** Something is not delivered although no fault prevents that any more. */
  STALL,
  /** A good message came later than the faults that concern it explain. */
  LATE,
  /** A dead letter came later than the faults that concern it explain. */
  DEAD_LETTER_LATE,
  /** A message is a dead letter although the collector would have taken it. */
  GIVEN_UP,
  /** A bridge ended by itself. */
  ENDED,
  /** The copies that a bridge received do not add up to its counts, or the counts are not true. */
  MISCOUNT,
  /** A message arrived that nobody sent. */
  ALTERED,
  /** A bridge sent to a broker what a client must not send. */
  PROTOCOL
}
