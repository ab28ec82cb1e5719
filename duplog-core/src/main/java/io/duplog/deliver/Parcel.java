package io.duplog.deliver;

import io.duplog.wire.MessageBatch;
import java.util.BitSet;

/**
 * Messages of one batch that a sink is to deliver.
 *
 * @param stream the stream that they came on
 * @param batch the batch that they are part of
 * @param chosen which of its messages; at least one; not to be changed any more
 * @param bypassed whether they were kept unseen, because no store was there to compare them with
 * @param accepted to be run once, by any thread, when the sink has accepted all of them
 */
public record Parcel(
    String stream, MessageBatch batch, BitSet chosen, boolean bypassed, Runnable accepted) {}
