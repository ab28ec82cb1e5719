package io.duplog.deliver;

import io.duplog.deliver.route.MessageFilter;
import io.duplog.wire.MessageBatch;
import java.util.BitSet;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Asks the sink to deliver chosen messages of one batch, and to report when it has accepted them.
 *
 * @param origin where the batch came from
 * @param original the batch as it was received, from which the messages' metadata are read
 * @param batch the messages to deliver; the same as the original unless rules mask some of them
 * @param chosen indexes of the messages to deliver, at least one. Must not be changed.
 * @param passage why the messages are delivered
 * @param digests returns the digest of the message with the given index, as 32 hexadecimal digits
 * @param callback called with the outcome
 */
public record DeliveryRequest(
    Origin origin,
    MessageBatch original,
    MessageBatch batch,
    BitSet chosen,
    Passage passage,
    IntFunction<String> digests,
    Callback callback) {

  /** Approximate memory in bytes of a request and its batch, without messages and digests. */
  private static final int OVERHEAD_BYTES = 512;

  private static final int DIGEST_BYTES = 16;

  /** Returns the approximate memory of a batch and of what a bridge keeps with it, in bytes. */
  public static long memoryOf(MessageBatch batch) {
    return batch.retainedBytes() + (long) DIGEST_BYTES * batch.count() + OVERHEAD_BYTES;
  }

  /** Asks to deliver chosen messages of a batch as they were received. */
  public DeliveryRequest(
      Origin origin,
      MessageBatch batch,
      BitSet chosen,
      Passage passage,
      IntFunction<String> digests,
      Callback callback) {
    this(origin, batch, batch, chosen, passage, digests, callback);
  }

  /**
   * The origin of a batch, and the sink that needs it.
   *
   * @param stream the stream that the messages came on
   * @param receivedMillis when the ingest node published the batch, in milliseconds since the epoch
   *     by that node's clock, or by the bridge's clock if the node's time is not known
   * @param isRedelivered whether the broker has delivered the batch before, so that a sink may have
   *     its messages already
   * @param sink the name of the only sink that needs the messages, or null if all of them do
   */
  public record Origin(
      String stream, long receivedMillis, boolean isRedelivered, @Nullable String sink) {
    /** Returns the origin of a batch that all sinks get for the first time. */
    public static Origin of(String stream, long receivedMillis) {
      return new Origin(stream, receivedMillis, false, null);
    }
  }

  /** Returns the stream that the messages came on. */
  public String stream() {
    return origin.stream();
  }

  /** Returns {@link Origin#receivedMillis}. */
  public long receivedMillis() {
    return origin.receivedMillis();
  }

  /** Returns the same request with another callback. */
  public DeliveryRequest with(Callback other) {
    return new DeliveryRequest(origin, original, batch, chosen, passage, digests, other);
  }

  /** Returns the request as a sink gets it after its rules. */
  public DeliveryRequest with(MessageFilter.Filtered filtered) {
    return new DeliveryRequest(
        origin, original, filtered.batch(), filtered.chosen(), passage, digests, callback);
  }

  /** Returns the approximate size in bytes of the memory that the request retains. */
  @SuppressWarnings("ReferenceEquality") // the same batch is retained once
  public long retainedBytes() {
    return memoryOf(original) + (original == batch ? 0 : batch.retainedBytes());
  }

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
     * Called before {@link #accepted}, at most once, with the messages that the rules of the sink
     * dropped.
     *
     * @param messages the messages' indexes in the batch. Must not be changed.
     */
    default void filtered(BitSet messages) {}

    /**
     * Called when the sink will never accept a message.
     *
     * @param message the message's index in the batch
     * @param sink the sink's name, which only a bridge's {@link Sinks} states, and only if there
     *     are several; a sink states null
     * @param reason the reason, for an administrator
     * @param kept must be run, by any thread, when the message is stored elsewhere. {@link
     *     #accepted} is not called before that.
     */
    void refused(int message, @Nullable String sink, String reason, Runnable kept);
  }
}
