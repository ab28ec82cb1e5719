/**
 * Decides for each copy whether it is kept or dropped.
 *
 * <p>The rule counts the copies of each digest by stream. A copy is kept if and only if its own
 * stream's new count is greater than the largest count of the other streams. So the merged stream
 * has max(n_A, n_B, …) copies of each message. Only differences are remembered: the smallest count
 * is subtracted from all, and a digest whose counts are level is forgotten.
 *
 * <p>{@link io.duplog.dedup.Ledger} is the contract. Its two implementations, one in Redis and one
 * in this process, are in subpackages and pass the same tests.
 */
package io.duplog.dedup;
