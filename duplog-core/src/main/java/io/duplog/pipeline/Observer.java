package io.duplog.pipeline;

import io.duplog.dedup.Judgement;
import io.duplog.deliver.DeliveryRequest;
import io.duplog.wire.Heartbeat;

/**
 * Told of what happens on the way, by any thread. Each method returns at once. Of one batch {@link
 * #settled} or {@link #forgotten} is called last, and only once; neither where the bridge stops.
 */
public interface Observer {
  /** A heartbeat arrived on a stream. */
  default void beat(String stream, Heartbeat heartbeat) {}

  /** A batch arrived that says that it is of the stream that it came on, or says nothing. */
  default void named(String stream) {}

  /** A batch arrived that says that it is of another stream. */
  default void misnamed(String stream, String stated) {}

  /** A batch was decoded. */
  default void arrived(String stream) {}

  /** A ledger has answered what becomes of a batch, and has taken so long for it. */
  default void judged(long nanos) {}

  /** Its part's ledger has counted a batch: now, or earlier where it tells of no sightings. */
  default void counted(InFlightBatch batch, Judgement.Counted counted) {}

  /**
   * A ledger that is asked while others are not available has counted a batch, which these know
   * nothing of.
   *
   * @param fallback its place among the fallbacks, from 0
   */
  default void countedApart(InFlightBatch batch, int fallback) {}

  /** A batch goes to the sink uncounted. */
  default void passed(InFlightBatch batch) {}

  /** The sink is about to be given these. */
  default void delivering(DeliveryRequest delivery) {}

  /** The sink has done with the copies that it was given last. */
  default void delivered(InFlightBatch batch) {}

  /** It is worth calling {@link Pipeline#runOnce} now. */
  default void settlingDue() {}

  /** Nothing can be lost by the batch any more: its delivery is acknowledged. */
  default void settled(InFlightBatch batch) {}

  /** Its channel is gone: it comes again. */
  default void forgotten(InFlightBatch batch) {}
}
