/**
 * The journey of a batch through a bridge. {@link io.duplog.pipeline.Pipeline} has it on one page:
 * receive, decode, judge, deliver, settle.
 *
 * <p>The settle rule: a batch is settled once its kept copies are delivered and, where it has
 * dropped copies, no batch with a lower number is pending. So a dropped copy is settled only after
 * the kept copy was delivered: until then, the loss of the host that brought the kept copy would
 * leave the dropped one to be delivered instead. That is what happens when a pending batch is
 * revoked, or the ledger forgets.
 */
@NullMarked
package io.duplog.pipeline;

import org.jspecify.annotations.NullMarked;
