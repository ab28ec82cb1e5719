package io.duplog.dedup.redis;

import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.StreamSet;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads or removes the streams on which the bridges have agreed in Redis, for {@code duplog
 * streams}. In a cluster, each part of the ledger has its own agreement. Not thread-safe.
 */
public final class RedisStreams implements AutoCloseable {
  /** Result of a call that removes a stream. */
  public enum Removal {
    /** The call has removed the stream, which was merged until then. */
    REMOVED,
    /** The stream had already been removed before the call. */
    GONE,
    /** The agreed streams include none with this name. */
    UNKNOWN,
    /** The stream was not removed, because fewer than two streams would remain. */
    TOO_FEW
  }

  private final RedisScript remove = new RedisScript("remove");
  private final List<RedisPart> parts;
  private final long windowMillis;

  /**
   * Creates the connections, which the first call opens.
   *
   * @param window the window that the bridges are configured with
   */
  public RedisStreams(RedisStore store, Duration window) {
    this.parts = RedisPart.all(store);
    this.windowMillis = window.toMillis();
  }

  /**
   * Reads the agreed streams. In a cluster, reads them from the first part.
   *
   * @return the streams, or null if no bridge has started yet
   * @throws LedgerUnavailableException with a message of one line for an operator
   */
  public @Nullable StreamSet agreed() throws LedgerUnavailableException {
    return agreed(parts.get(0));
  }

  /**
   * Returns the parts that merge other streams than the first part does, each with its merged
   * streams. Such parts remain if a removal failed halfway.
   *
   * @throws LedgerUnavailableException with a message of one line for an operator
   */
  public Map<Integer, List<String>> differing() throws LedgerUnavailableException {
    Map<Integer, List<String>> differing = new LinkedHashMap<>();
    List<String> first = merged(parts.get(0));
    for (int i = 1; i < parts.size(); i++) {
      List<String> merged = merged(parts.get(i));
      if (!merged.equals(first)) {
        differing.put(i, merged);
      }
    }
    return differing;
  }

  private static List<String> merged(RedisPart part) throws LedgerUnavailableException {
    StreamSet agreed = agreed(part);
    return agreed == null ? List.of() : agreed.merged().stream().sorted().toList();
  }

  private static @Nullable StreamSet agreed(RedisPart part) throws LedgerUnavailableException {
    String agreed = part.servers().ask(redis -> redis.get(part.key("streams")));
    return agreed == null ? null : StreamSet.parse(agreed);
  }

  /**
   * Removes a stream in every part that can be reached. Copies that only this stream has brought
   * still count while they are remembered.
   *
   * @return {@link Removal#REMOVED} if any part removed it, else the answer of the first part that
   *     knows it, else {@link Removal#UNKNOWN}
   * @throws LedgerUnavailableException if a part can't be reached, with a message of one line for
   *     an operator. The call must be repeated when that part's server is back.
   */
  public Removal remove(String stream) throws LedgerUnavailableException {
    Removal outcome = Removal.UNKNOWN;
    LedgerUnavailableException failure = null;
    for (RedisPart part : parts) {
      try {
        Removal here = remove(part, stream);
        outcome = outcome == Removal.UNKNOWN || here == Removal.REMOVED ? here : outcome;
      } catch (LedgerUnavailableException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
    return outcome;
  }

  private Removal remove(RedisPart part, String stream) throws LedgerUnavailableException {
    return switch (part.run(remove, List.of(RedisPart.token(), "operator", windowMillis, stream))
        .text(0)) {
      case "removed" -> Removal.REMOVED;
      case "gone" -> Removal.GONE;
      case "few" -> Removal.TOO_FEW;
      default -> Removal.UNKNOWN;
    };
  }

  @Override
  public void close() {
    parts.forEach(RedisPart::close);
  }
}
