package io.duplog.observe;

import java.util.Locale;

/**
 * The outcome of a received copy, such as delivered or dropped; each copy has exactly one end. By
 * the law of conservation, the number of received copies is the sum of all ends plus the copies in
 * flight ({@link StreamCounters#open}). Code that shows or adds the ends iterates over these
 * constants.
 *
 * <p>The ends are shown in the order of this enum. The help text of each {@link #metric} is in
 * {@code metrics.properties}.
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
   * Copies that were delivered without a comparison, because no ledger answered or the copies must
   * not be counted.
   */
  BYPASSED(true, "bypassed", "bypassed, delivered without comparison"),

  /**
   * Copies that were first dropped and later delivered, because the kept copy may not have been
   * delivered.
   */
  RELEASED(true, "released", "released, delivered after all"),

  /**
   * Copies that were delivered despite a verdict to drop them, because {@code dedup.mode} is
   * observe.
   */
  OBSERVED(true, "observed", "observed, delivered although a duplicate"),

  /**
   * Copies that were dropped and acknowledged, because another stream's copy was delivered in their
   * place.
   */
  DROPPED(false, "dropped", "duplicates removed"),

  /**
   * Copies that were not delivered again, because they belong to a redelivered batch and had been
   * delivered before.
   */
  REPEATED(false, "repeated", "repeated, delivered before"),

  /** Copies that were not delivered, because a rule of every required sink drops them. */
  FILTERED(false, "filtered", "dropped by a rule"),

  /** Copies that the sink permanently refused; they went to a dead-letter queue. */
  REFUSED(false, "refused", "refused by the sink"),

  /** Bodies that could not be decoded and went to a dead-letter queue; each counts as one copy. */
  DEAD_LETTERED(false, "dead-lettered", "dead-lettered"),

  /**
   * Copies that had not been delivered when the channel was lost; the broker redelivers them to any
   * bridge.
   */
  GIVEN_BACK(false, "given back", "given back to the broker");

  private final boolean delivered;
  private final String label;
  private final String description;

  End(boolean delivered, String label, String description) {
    this.delivered = delivered;
    this.label = label;
    this.description = description;
  }

  /** Whether the sink accepted a copy with this end. */
  public boolean isDelivered() {
    return delivered;
  }

  /** Returns the end's key in the state document, such as {@code dead_lettered}. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the name of the counter. All delivered ends share one counter, whose label {@code
   * passage} is the key.
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
    return description;
  }
}
