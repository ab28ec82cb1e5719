package io.duplog.explore;

/** How the bridges of a world are configured. */
enum Setting {
  /** As by default. */
  ENFORCING,
  /** They deliver what they drop, too. */
  OBSERVING,
  /** Each has a ledger of its own for when Redis is away. */
  LOCAL,
  /** They share another Redis, which never fails, for when Redis is away. */
  SPARE,
  /**
   * As local, and the own ledger is shown all that Redis counts, so that it would know what came
   * before: what the design must not do.
   */
  LOCAL_IS_FED
}
