/**
 * The ledger in the process itself: what a bridge asks while no Redis is there, and what tests ask
 * in its place. The same contract tests run on both.
 */
@NullMarked
package io.duplog.dedup.memory;

import org.jspecify.annotations.NullMarked;
