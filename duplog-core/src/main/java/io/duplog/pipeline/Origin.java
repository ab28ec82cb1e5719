package io.duplog.pipeline;

/** Where a batch came from: one delivery on one channel. */
public interface Origin {

  /** Whether the channel is gone, so that the broker will deliver the batch again. Any thread. */
  boolean isLost();

  /**
   * The batch is settled. Called at most once, by the settling thread.
   *
   * @param dropped how many of its copies were dropped for good
   * @param repeated how many were not delivered because an earlier delivery of the batch was
   */
  void settle(int dropped, int repeated);

  /**
   * The channel is gone and the bridge has done with the batch, which comes again. By the settling
   * thread, or by one that judges.
   *
   * @param givenBack how many of its copies the sink has not had from this bridge
   */
  void forget(int givenBack);
}
