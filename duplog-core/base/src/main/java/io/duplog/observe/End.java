package io.duplog.observe;

import java.util.Locale;

/**
 * What became of a copy that was received; each copy ends in exactly one of these ways. By the law
 * of conservation, what was received is the sum of all ends and of what is in flight ({@link
 * StreamCounters#open}). Code that shows or adds the ends iterates over these constants.
 *
 * <p>The ends are shown in their order here. The help text of each {@link #metric} is in {@code
 * metrics.properties}.
 *
 * @see "docs/decisions/status.md#conservation-of-copies"
 */
public enum End {
  /**
   * Delivered because the verdict after a comparison with the other streams was to keep the copy.
   */
  KEPT(true, "delivered", "kept, delivered"),

  /** Delivered without a comparison, because no ledger answered or the copy may not be counted. */
  BYPASSED(true, "bypassed", "bypassed, delivered unseen"),

  /**
   * Dropped at first and delivered after all, because the kept copy may not have been delivered.
   */
  RELEASED(true, "released", "released, delivered after all"),

  /** Delivered although the verdict was to drop the copy, because {@code dedup.mode} is observe. */
  OBSERVED(true, "observed", "observed, would have been dropped"),

  /** Dropped and acknowledged, because another stream's copy was delivered in its place. */
  DROPPED(false, "dropped", "dropped as duplicates"),

  /** Not delivered again, because the batch was redelivered and the copy was delivered before. */
  REPEATED(false, "repeated", "repeated, delivered before"),

  /** Refused by the sink for good, and put into a dead-letter queue. */
  REFUSED(false, "refused", "refused by the sink"),

  /** A body that could not be decoded and went to a dead-letter queue; it counts as one copy. */
  DEAD_LETTERED(false, "dead-lettered", "dead-lettered"),

  /** Not delivered before the channel was lost; the broker redelivers the copy, to any bridge. */
  GIVEN_BACK(false, "given back", "given back to the broker");

  private final boolean delivered;
  private final String label;
  private final String words;

  End(boolean delivered, String label, String words) {
    this.delivered = delivered;
    this.label = label;
    this.words = words;
  }

  /** Whether a copy that ended in this way was accepted by the sink. */
  public boolean isDelivered() {
    return delivered;
  }

  /** Returns the end's key in the state document, such as {@code dead_lettered}. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the name of the counter. All delivered ends share one; its label {@code passage} is the
   * key.
   */
  public String metric() {
    return "duplog.copies." + (delivered ? "delivered" : key().replace('_', '.'));
  }

  /** Returns the end's name for terminals and logs, such as {@code given back}. */
  public String label() {
    return label;
  }

  /** Returns the end's name on the status page, with a short explanation. */
  public String words() {
    return words;
  }
}
