package io.duplog.dedup.redis;

import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.StreamSet;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The streams that the bridges agree on, as an operator sees and ends them. Each part of a ledger
 * in a cluster has its own word for it. For one thread.
 */
public final class RedisStreams implements AutoCloseable {
  /** What became of a stream. */
  public enum Removal {
    /** It is not merged any more. */
    REMOVED,
    /** It was removed before. */
    GONE,
    /** No bridge has read a stream of this name. */
    UNKNOWN,
    /** There would be nothing left to merge. */
    TOO_FEW
  }

  private final RedisScript remove = new RedisScript("remove");
  private final List<RedisPart> parts;
  private final long windowMillis;

  /**
   * Connects lazily.
   *
   * @param window as the bridges have it
   */
  public RedisStreams(RedisSettings settings, Duration window) {
    this.parts = RedisPart.all(settings);
    this.windowMillis = window.toMillis();
  }

  /**
   * What the bridges agree on; null where none has begun. Of several parts it is the first one's.
   *
   * @throws LedgerUnavailableException whose message is one line for an operator
   */
  public @Nullable StreamSet agreed() throws LedgerUnavailableException {
    return agreed(parts.get(0));
  }

  /**
   * The parts that do not merge the same streams as the first one, each with those that it does. A
   * removal that failed half way leaves some.
   *
   * @throws LedgerUnavailableException whose message is one line for an operator
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
   * Ends a stream, in every part that can be asked. What it alone has brought still counts while it
   * is remembered.
   *
   * @return what became of it in the first part where anything has
   * @throws LedgerUnavailableException whose message is one line for an operator: to be said again
   *     when that part's server is back
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
