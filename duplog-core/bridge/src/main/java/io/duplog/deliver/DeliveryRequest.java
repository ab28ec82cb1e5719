package io.duplog.deliver;

import io.duplog.wire.MessageBatch;
import java.util.BitSet;
import java.util.function.IntFunction;

/**
 * Asks the sink to deliver chosen messages of one batch, and to report when it has accepted them.
 *
 * @param stream the stream that the messages came on
 * @param batch the batch that the messages are part of
 * @param chosen indexes of the messages to deliver, at least one. Must not be changed.
 * @param passage why the messages are delivered
 * @param receivedMillis when the ingest node published the batch, in milliseconds since the epoch
 *     by that node's clock, or by the bridge's clock if the node's time is not known
 * @param digests returns the digest of the message with the given index, as 32 hexadecimal digits
 * @param callback called with the outcome
 */
public record DeliveryRequest(
    String stream,
    MessageBatch batch,
    BitSet chosen,
    Passage passage,
    long receivedMillis,
    IntFunction<String> digests,
    Callback callback) {

  /** The reason why the messages of a request are delivered. */
  public enum Passage {
    /** The messages were compared with those of other streams, and the verdict was to keep them. */
    KEPT,
    /**
     * The messages were delivered without a comparison, because no ledger gave a verdict on them.
     */
    BYPASSED,
    /**
     * The messages were first dropped, but it is unknown whether the kept copies were delivered.
     */
    RELEASED,
    /** The messages would have been dropped, but {@code dedup.mode} is {@code observe}. */
    OBSERVED
  }

  /**
   * Called with the outcome of a delivery request. Exactly one of {@link #accepted} and {@link
   * #withdrawn} is called, once, unless the sink is closed first. Thread-safe. All methods return
   * immediately.
   */
  public interface Callback {
    /**
     * Called when the sink has accepted every message, except for those that it permanently
     * rejected.
     */
    void accepted();

    /** Called when the sink has given up the request because of {@link Sink#withdraw}. */
    void withdrawn();

    /**
     * Called when the sink will never accept a message.
     *
     * @param message the message's index in the batch
     * @param reason the reason, for an administrator
     * @param kept must be run, by any thread, when the message is stored elsewhere. {@link
     *     #accepted} is not called before that.
     */
    void refused(int message, String reason, Runnable kept);
  }
}
