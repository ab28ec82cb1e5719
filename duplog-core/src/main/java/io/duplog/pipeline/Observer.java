package io.duplog.pipeline;

import io.duplog.dedup.Judgement;
import io.duplog.deliver.DeliveryRequest;
import io.duplog.wire.Heartbeat;

/**
 * Callbacks of a pipeline; the default implementations do nothing. They are called from any thread,
 * and return at once. Of each batch {@link #settled} or {@link #forgotten} is called last and only
 * once, but neither if the bridge stops first.
 */
public interface Observer {
  /** Called when a heartbeat arrived on a stream. */
  default void beat(String stream, Heartbeat heartbeat) {}

  /** Called when a batch arrived that names the stream that it came on, or none. */
  default void named(String stream) {}

  /** Called when a batch arrived that names another stream than the one that it came on. */
  default void misnamed(String stream, String stated) {}

  /** Called when a batch was decoded. */
  default void arrived(String stream) {}

  /** Called when a ledger has answered about a batch, with the time that it took. */
  default void judged(long nanos) {}

  /**
   * Called when the ledger of a batch's part has counted the batch. If {@code counted} has no
   * sightings, the ledger had counted it before.
   */
  default void counted(InFlightBatch batch, Judgement.Counted counted) {}

  /**
   * Called when a fallback has counted a batch, which the ledger of the batch's part knows nothing
   * of.
   *
   * @param fallback the fallback's index, from 0
   */
  default void countedApart(InFlightBatch batch, int fallback) {}

  /** Called when a batch without verdicts goes to the sink. */
  default void passed(InFlightBatch batch) {}

  /** Called before the sink is given a request. */
  default void delivering(DeliveryRequest delivery) {}

  /** Called when the sink has done with the copies of a batch that it was given last. */
  default void delivered(InFlightBatch batch) {}

  /** Called when there may be something to do for {@link Pipeline#runOnce}. */
  default void settlingDue() {}

  /** Called when a batch is settled, so that its delivery is acknowledged as the policy says. */
  default void settled(InFlightBatch batch) {}

  /**
   * Called when a batch ends unsettled because its channel is lost; the broker delivers it again.
   */
  default void forgotten(InFlightBatch batch) {}
}
