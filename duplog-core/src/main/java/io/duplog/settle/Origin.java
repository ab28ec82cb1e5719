package io.duplog.settle;

/** Where a batch came from: one delivery on one channel. */
public interface Origin {

  /** Whether the channel is gone, so that the broker will deliver the batch again. Any thread. */
  boolean isLost();

  /**
   * The batch is settled. Called at most once, by the settling thread.
   *
   * @param dropped how many of its copies were dropped for good
   */
  void settle(int dropped);

  /** The channel is gone and the bridge has done with the batch. By the settling thread. */
  void forget();
}
