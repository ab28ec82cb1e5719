package io.duplog.dedup.redis;

import io.duplog.dedup.Board;
import io.duplog.dedup.Identity;
import io.duplog.dedup.OwnStreams;
import io.duplog.dedup.StreamSet;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the bridges that use a Redis agree on, and which of them live.
 *
 * @param agreed as it stands in Redis; null where no bridge has begun
 * @param bridges the configured names of those whose lease has not lapsed: one twice where two of
 *     that name live
 * @param notes what they tell each other
 */
public record RedisAgreement(
    @Nullable String agreed, List<String> bridges, List<Board.Note> notes) {

  /** How many bridges of this name live. */
  public int living(String name) {
    return Collections.frequency(bridges, RedisLedger.spaceless(name));
  }

  /** The streams; none where no bridge has begun. */
  public List<String> streams() {
    return agreed == null ? List.of() : StreamSet.parse(agreed).merged();
  }

  /** {@code (window 600000 ms, layout 5)}; empty where no bridge has begun. */
  public String agreement() {
    return agreed == null ? "" : StreamSet.agreementOf(agreed).strip();
  }

  /** The same, of a bridge with these. */
  public static String agreement(Duration window, Identity identity) {
    return RedisLedger.agreement(window, identity).strip();
  }

  /**
   * Why a bridge that begins with these could not take part while others live, and what to change;
   * null where it could. As {@code advance.lua} decides.
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
        : new OwnStreams(streams, line -> {}, line -> {}).refusedBy(agreed, agreement).getMessage();
  }
}
