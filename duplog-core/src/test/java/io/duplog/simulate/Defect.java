package io.duplog.simulate;

/** What is wrong with bridges in a simulated world: the first six once were so. */
enum Defect {
  /** A URL that fails one text seems to fail altogether. */
  POISON_IS_TAKEN_FOR_AN_OUTAGE,
  /** Nobody reads which stream a batch says it is of. */
  STREAM_NAMES_ARE_BELIEVED,
  /** Blank messages are refused, and wait in the bridge while the dead letters are full. */
  BLANKS_ARE_REFUSED,
  /** A letter is on one host. */
  SECOND_COPY_IS_LOST,
  /** A lease lasts until its hour has come. */
  CLOCK_IS_TRUSTED,
  /** An answer without a body ends the sender. */
  MISSING_BODY_IS_READ,
  /** A batch that comes again is taken for another one. */
  BATCH_IDS_ARE_NOT_READ,
  /** What a lost channel gives back is counted twice. */
  GIVEN_BACK_IS_COUNTED_TWICE,
  /** A silent Redis is waited for. */
  REDIS_TIMEOUT_IS_A_MINUTE,
  /** The thread that puts dead letters away sleeps too long. */
  DEAD_LETTERS_ARE_LEFT_LYING,
  /** A settled delivery is settled once more. */
  ACKNOWLEDGEMENT_IS_REPEATED,
  /** The last letter of an event is missing. */
  EVENTS_ARE_CUT
}
