package io.duplog.observe;

import java.util.Locale;

/**
 * What became of a copy that was received: each ends in exactly one of these ways. The law of
 * conservation, by {@link StreamCounters#open}: what was received is the sum of all ends and what
 * is in flight. Whoever shows or adds the ends goes over these constants.
 *
 * <p>Their order is the one in which they are shown. The help text of each {@link #metric} stands
 * in {@code metrics.properties}.
 */
public enum End {
  /** Delivered, having been compared with the other streams. */
  KEPT(true, "delivered", "kept, delivered"),

  /**
   * Delivered without having been compared, because no ledger answered, or it may not be counted.
   */
  BYPASSED(true, "bypassed", "bypassed, delivered unseen"),

  /** Dropped at first and delivered after all, because nobody knew any more for what. */
  RELEASED(true, "released", "released, delivered after all"),

  /** Delivered though they would have been dropped, because drops are only observed. */
  OBSERVED(true, "observed", "observed, would have been dropped"),

  /** Another stream's copy was delivered in their place, and they are acknowledged. */
  DROPPED(false, "dropped", "dropped as duplicates"),

  /** Not delivered because they were already, when their batch came before. */
  REPEATED(false, "repeated", "repeated, delivered before"),

  /** The sink refused them for good; they are in a dead-letter queue. */
  REFUSED(false, "refused", "refused by the sink"),

  /** Bodies that could not be used and went to a dead-letter queue; each counts as one copy. */
  DEAD_LETTERED(false, "dead-lettered", "dead-lettered"),

  /**
   * Their channel was lost before they were delivered; they are received again, here or elsewhere.
   */
  GIVEN_BACK(false, "given back", "given back to the broker");

  private final boolean delivered;
  private final String label;
  private final String words;

  End(boolean delivered, String label, String words) {
    this.delivered = delivered;
    this.label = label;
    this.words = words;
  }

  /** Whether the sink accepted the copy. */
  public boolean isDelivered() {
    return delivered;
  }

  /** The key in the state document. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The name of the counter. All delivered ends share one; its label {@code passage} is the key.
   */
  public String metric() {
    return "duplog.copies." + (delivered ? "delivered" : key().replace('_', '.'));
  }

  /** The name in a terminal and a log. */
  public String label() {
    return label;
  }

  /** The name on the page. */
  public String words() {
    return words;
  }
}
