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
  /** They share a ledger in two parts, of which the second one's server never fails. */
  PARTS,
  /** The second one has the streams' names swapped: what it takes passes uncounted. */
  MISNAMED
}
