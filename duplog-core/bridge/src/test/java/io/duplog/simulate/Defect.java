package io.duplog.simulate;

/**
 * A defect that can be put into the simulated bridges, to show that the simulation would find it.
 * Bridges once had the first six.
 */
enum Defect {
  /** A URL that fails for one text seems to fail altogether. */
  POISON_IS_TAKEN_FOR_AN_OUTAGE,
  /** A bridge ignores which stream a batch belongs to according to its header. */
  STREAM_NAMES_ARE_BELIEVED,
  /** Blank messages are refused, and wait in the bridge while the dead-letter queues are full. */
  BLANKS_ARE_REFUSED,
  /** A dead letter is kept on one host only. */
  SECOND_COPY_IS_LOST,
  /** Bridges that read different brokers count together. */
  BROKERS_ARE_NOT_COMPARED,
  /** A lease lasts until a time on the server's clock. */
  CLOCK_IS_TRUSTED,
  /** An answer without a body makes the sending thread fail. */
  MISSING_BODY_IS_READ,
  /** A batch that is delivered again counts as another batch. */
  BATCH_IDS_ARE_NOT_READ,
  /** Deliveries that a lost channel gives back are counted twice. */
  GIVEN_BACK_IS_COUNTED_TWICE,
  /** A bridge waits a minute for a Redis that does not answer. */
  REDIS_TIMEOUT_IS_A_MINUTE,
  /** The thread that publishes dead letters sleeps too long. */
  DEAD_LETTERS_ARE_LEFT_LYING,
  /** A settled delivery is acknowledged once more. */
  ACKNOWLEDGEMENT_IS_REPEATED,
  /** A batch is settled when the first of two sinks has accepted it. */
  FIRST_SINK_DECIDES,
  /** An event's last character is missing. */
  EVENTS_ARE_CUT
}
