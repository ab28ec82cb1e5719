package io.duplog.deliver;

import io.duplog.wire.MessageBatch;
import java.util.BitSet;
import java.util.function.IntFunction;

/**
 * Messages of one batch that a sink is to deliver.
 *
 * @param stream the stream that they came on
 * @param batch the batch that they are part of
 * @param chosen which of its messages; at least one; not to be changed any more
 * @param passage how they come to be delivered
 * @param receivedMillis when the ingest node published the batch, in milliseconds since the epoch
 *     by that node's clock; the bridge's clock where nobody says
 * @param digests the digest of the message with this index, as 32 hexadecimal digits
 * @param callback told what becomes of it
 */
public record DeliveryRequest(
    String stream,
    MessageBatch batch,
    BitSet chosen,
    Passage passage,
    long receivedMillis,
    IntFunction<String> digests,
    Callback callback) {

  /** How messages come to be delivered. */
  public enum Passage {
    /** They were compared with the other streams', and kept. */
    KEPT,
    /** They were not compared: no ledger answered, or they may not be counted. */
    BYPASSED,
    /** They were dropped, and nobody knows any more whether what they were dropped for arrived. */
    RELEASED,
    /** They would have been dropped, but are delivered, since drops are only observed. */
    OBSERVED
  }

  /**
   * What becomes of a delivery request. Of {@link #accepted} and {@link #withdrawn} exactly one is
   * called, once, unless the sink is closed before; any thread may do so, and the call returns at
   * once.
   */
  public interface Callback {
    /** The sink has accepted every message, but for those that it refused for good. */
    void accepted();

    /** The sink has given the delivery request up because {@link Sink#withdraw} asked for that. */
    void withdrawn();

    /**
     * The sink will never accept this message.
     *
     * @param message its index in the batch
     * @param reason why, for an administrator
     * @param kept to be run, by any thread, when the message is safe elsewhere; {@link #accepted}
     *     has to wait for that
     */
    void refused(int message, String reason, Runnable kept);
  }
}
