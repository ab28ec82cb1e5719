/**
 * Counts the messages that each stream misses, and their senders.
 *
 * <p>Each copy belongs to the period in which its message first arrived on any stream. A period's
 * messages are its delivered copies. A stream misses the messages that did not arrive on it. A
 * period is settled when no further copy can belong to it. A stream that is late by less than the
 * window therefore misses nothing. {@link io.duplog.coverage.Contribution} counts in each bridge,
 * {@link io.duplog.dedup.Tallies} holds the counts of all bridges, and {@link
 * io.duplog.coverage.Coverage} adds them up, settles and reports.
 */
package io.duplog.coverage;
