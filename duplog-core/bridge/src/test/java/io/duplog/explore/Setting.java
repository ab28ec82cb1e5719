package io.duplog.explore;

/**
 * A configuration of the bridges in a test that tries every order of events, such as one with a
 * spare Redis.
 */
enum Setting {
  /** Bridges with the default settings. */
  ENFORCING,
  /** Bridges that deliver what they drop, too. */
  OBSERVING,
  /** Bridges with a rule that drops the message {@code m}. */
  FILTERING,
  /** Bridges that each have a ledger of their own for when Redis is unavailable. */
  LOCAL,
  /** Bridges that share another Redis, which never fails, for when Redis is unavailable. */
  SPARE,
  /** Bridges that share a ledger in two parts; the second part's server never fails. */
  PARTS,
  /**
   * Bridges with different names: the second has the streams' names swapped, so that it delivers
   * uncounted.
   */
  MISNAMED,
  /** Bridges of two deployments, each with brokers of its own, that share a ledger by mistake. */
  SHARED_PREFIX,
  /**
   * Bridges with different versions: the second can't read the first batch until it is upgraded.
   */
  OLD_BRIDGE,
  /** Bridges with two required sinks. */
  TWO_SINKS,
  /** Bridges with two sinks that settle when the first of them has accepted, which is a defect. */
  FIRST_SINK_DECIDES
}
