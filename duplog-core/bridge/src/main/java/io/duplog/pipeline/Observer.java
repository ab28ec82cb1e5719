package io.duplog.pipeline;

import io.duplog.dedup.Judgement;
import io.duplog.deliver.DeliveryRequest;
import io.duplog.wire.Heartbeat;

/**
 * Callbacks by which the bridge's counts, metrics and reports learn what happens to each batch in
 * the pipeline. The methods do nothing by default, may be called from any thread, and must return
 * immediately. For each batch, either {@link #settled} or {@link #forgotten} is the last callback
 * and is called once, unless the bridge stops first.
 */
public interface Observer {
  /** Called when a heartbeat arrived on a stream. */
  default void beat(String stream, Heartbeat heartbeat) {}

  /** Called when a batch arrived whose header names the stream that it came on, or no stream. */
  default void named(String stream) {}

  /** Called when a batch arrived whose header names a different stream. */
  default void misnamed(String stream, String stated) {}

  /** Called when a batch arrived and was decoded. */
  default void arrived(String stream) {}

  /** Called when a ledger was asked to judge a batch, with the nanoseconds until its answer. */
  default void judged(long nanos) {}

  /**
   * Called when the ledger of a batch's part has counted the batch. If {@code counted} has no
   * sightings, the ledger had counted it before.
   */
  default void counted(InFlightBatch batch, Judgement.Counted counted) {}

  /**
   * Called when a fallback has counted a batch, which the ledger of the batch's part does not know.
   *
   * @param fallback the fallback's index, from 0
   */
  default void countedApart(InFlightBatch batch, int fallback) {}

  /** Called when a batch that has no verdicts of a ledger goes to the sink. */
  default void passed(InFlightBatch batch) {}

  /** Called just before a request is given to the sink. */
  default void delivering(DeliveryRequest delivery) {}

  /**
   * Called when the sink has permanently rejected a message of a batch.
   *
   * @param message index of the message
   */
  default void refused(InFlightBatch batch, int message) {}

  /** Called when the sink has accepted or rejected all copies of its last request for a batch. */
  default void delivered(InFlightBatch batch) {}

  /** Called when {@link Pipeline#runOnce} may have work. */
  default void settlingDue() {}

  /** Called when a batch is settled, so that its delivery is acknowledged. */
  default void settled(InFlightBatch batch) {}

  /** Called when a batch ends unsettled because its channel is lost. The broker redelivers it. */
  default void forgotten(InFlightBatch batch) {}
}
