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
   * Copies that were delivered because the verdict after a comparison with the other streams was to
   * keep them.
   */
  KEPT(true, "delivered", "kept, delivered"),

  /**
   * Copies that were delivered without a comparison, because no ledger answered or they may not be
   * counted.
   */
  BYPASSED(true, "bypassed", "bypassed, delivered without comparison"),

  /**
   * Copies that were dropped at first and delivered after all, because the kept copy may not have
   * been delivered.
   */
  RELEASED(true, "released", "released, delivered after all"),

  /**
   * Copies that were delivered although the verdict was to drop them, because {@code dedup.mode} is
   * observe.
   */
  OBSERVED(true, "observed", "observed, delivered although a duplicate"),

  /**
   * Copies that were dropped and acknowledged, because another stream's copy was delivered in their
   * place.
   */
  DROPPED(false, "dropped", "duplicates removed"),

  /**
   * Copies that were not delivered again, because their batch was redelivered and they had been
   * delivered before.
   */
  REPEATED(false, "repeated", "repeated, delivered before"),

  /** Copies that the sink refused permanently, and that were put into a dead-letter queue. */
  REFUSED(false, "refused", "refused by the sink"),

  /** Bodies that could not be decoded and went to a dead-letter queue; each counts as one copy. */
  DEAD_LETTERED(false, "dead-lettered", "dead-lettered"),

  /**
   * Copies that were not delivered before the channel was lost; the broker redelivers them, to any
   * bridge.
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
