package io.duplog.simulate;

/** What was wrong with bridges once; a simulated world can behave as if it still were. */
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
  MISSING_BODY_IS_READ
}
