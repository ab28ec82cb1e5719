package io.duplog.senders;

/**
 * How many senders need attention, for metrics and the state document. May be called from any
 * thread.
 */
public record SenderSums(SenderInventory senders) {
  /** Returns how many senders send many times as much as before, as of the last look. */
  public long loud() {
    return senders.changes().values().stream().filter(Volume.Change::isLoud).count();
  }

  /** Returns how many senders send less than is usual, as of the last look. */
  public long slow() {
    return senders.changes().values().stream().filter(change -> !change.isLoud()).count();
  }

  /**
   * Returns how many messages of all senders nobody has, as the senders' own numbers tell. NaN
   * before the senders' records were read.
   */
  public double missingNumbers() {
    return senders.sum(record -> record.numbers().allMissing());
  }

  /**
   * Returns how many senders have a clock or a time zone that is not ours. NaN before the senders'
   * records were read.
   */
  public double clocksOff() {
    return senders.sum(record -> record.headers().isOff() ? 1 : 0);
  }
}
