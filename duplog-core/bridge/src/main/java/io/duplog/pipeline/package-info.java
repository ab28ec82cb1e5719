/**
 * The journey of a batch through a bridge. {@link io.duplog.pipeline.Pipeline} shows it on one
 * page: receive, decode, judge, deliver, settle.
 *
 * <p>The settle rule: a batch is settled once its kept copies are delivered. If it has dropped
 * copies, no batch with a lower number may be pending. A dropped copy is therefore settled only
 * after the kept copy was delivered. Until then, if the host with the kept copy is lost, the
 * dropped one can be delivered instead. That happens when a pending batch is revoked, or when the
 * ledger forgets.
 */
package io.duplog.pipeline;
