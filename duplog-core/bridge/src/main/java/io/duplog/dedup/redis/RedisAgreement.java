package io.duplog.dedup.redis;

import io.duplog.dedup.BridgeNotes;
import io.duplog.dedup.BrokerAgreement;
import io.duplog.dedup.Identity;
import io.duplog.dedup.StreamMembership;
import io.duplog.dedup.StreamSet;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The streams and settings on which the bridges of a Redis have agreed, and the names of those that
 * are alive.
 *
 * @param agreed the agreement in Redis, or null if no bridge has started yet
 * @param bridges configured names of the bridges whose lease has not lapsed. A name that two
 *     bridges share occurs twice.
 * @param notes the bridges' notes to each other
 * @param brokers the brokers of the bridges in {@code bridges}, and the brokers that were last
 *     agreed on
 */
public record RedisAgreement(
    @Nullable String agreed,
    List<String> bridges,
    List<BridgeNotes.Note> notes,
    BrokerAgreement brokers) {
  /** Placeholder for when Redis is unavailable. */
  public static final RedisAgreement NONE =
      new RedisAgreement(null, List.of(), List.of(), new BrokerAgreement());

  /** Returns the number of bridges with a valid lease that have this configured name. */
  public int living(String name) {
    return Collections.frequency(bridges, RedisLedger.spaceless(name));
  }

  /**
   * Returns the names of the streams that the bridges merge, or empty if no bridge has stored any.
   */
  public List<String> streams() {
    return agreed == null ? List.of() : StreamSet.parse(agreed).merged();
  }

  /**
   * Returns the agreed terms other than the streams, such as {@code (window 600000 ms, layout 6)},
   * or empty if no bridge has started yet.
   */
  public String agreement() {
    return agreed == null ? "" : StreamSet.agreementOf(agreed).strip();
  }

  /**
   * Returns the terms of a bridge with this window and this identity, in the form of {@link
   * #agreement()}.
   */
  public static String agreement(Duration window, Identity identity) {
    return RedisLedger.agreement(window, identity).strip();
  }

  /**
   * Returns why a bridge with these settings would be rejected while others live, and what to
   * change, or null if it would be accepted. Follows the rule of {@code advance.lua}.
   */
  public @Nullable String refusal(List<String> streams, Duration window, Identity identity) {
    if (agreed == null) {
      return null;
    }
    String agreement = RedisLedger.agreement(window, identity);
    boolean taken =
        agreed.endsWith(agreement) && StreamSet.parse(agreed).with(streams, true) != null;
    return taken
        ? null
        : new StreamMembership(streams, line -> {}, line -> {})
            .refusedBy(agreed, agreement)
            .getMessage();
  }
}
