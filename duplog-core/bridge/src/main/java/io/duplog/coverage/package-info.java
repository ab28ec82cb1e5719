/**
 * Tells which stream misses messages, and of which senders.
 *
 * <p>Each copy is attributed to the period in which its message was first seen on any stream. A
 * period's messages are its kept copies. A stream misses those that it did not bring. A period is
 * settled when nothing can be attributed to it any more, so that a stream misses nothing by being
 * late, if it is late by less than the window. {@link io.duplog.coverage.Contribution} counts in
 * each bridge, {@link io.duplog.dedup.Tallies} holds the counts of all bridges, and {@link
 * io.duplog.coverage.Coverage} adds them up, settles and reports.
 */
package io.duplog.coverage;
