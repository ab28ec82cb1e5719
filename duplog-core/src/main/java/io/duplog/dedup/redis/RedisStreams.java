package io.duplog.dedup.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.StreamSet;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The streams that the bridges agree on, as an operator sees and ends them. Each part of a ledger
 * in a cluster has its own word for it. For one thread.
 */
public final class RedisStreams implements AutoCloseable {
  private static final int TOKEN_LENGTH = 8;

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

  /** Where a part of the ledger is. */
  private record Part(String prefix, RedisServers servers) {}

  private final RedisScript remove = new RedisScript("remove");
  private final List<Part> parts;
  private final byte[] window;

  /**
   * Connects lazily.
   *
   * @param window as the bridges have it
   */
  public RedisStreams(RedisSettings settings, Duration window) {
    RedisClusterSettings cluster = settings.cluster();
    if (cluster == null) {
      this.parts = List.of(new Part(settings.prefix() + ":", RedisServers.of(settings)));
    } else {
      RedisCluster servers = new RedisCluster(settings, cluster);
      this.parts =
          settings.parts().stream()
              .map(part -> new Part(part.prefix() + ":", servers.part(part.prefix())))
              .toList();
    }
    this.window = ascii(Long.toString(window.toMillis()));
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

  private static List<String> merged(Part part) throws LedgerUnavailableException {
    StreamSet agreed = agreed(part);
    return agreed == null ? List.of() : agreed.merged().stream().sorted().toList();
  }

  private static @Nullable StreamSet agreed(Part part) throws LedgerUnavailableException {
    String agreed = part.servers().ask(redis -> redis.get(part.prefix() + "streams"));
    return agreed == null ? null : RedisLedger.streamSet(agreed);
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
    for (Part part : parts) {
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

  private Removal remove(Part part, String stream) throws LedgerUnavailableException {
    List<byte[]> arguments =
        List.of(token(), ascii("operator"), window, stream.getBytes(ISO_8859_1));
    List<?> answer =
        part.servers().ask(redis -> remove.run(redis, ascii(part.prefix()), arguments));
    return switch (new String((byte[]) answer.get(0), ISO_8859_1)) {
      case "removed" -> Removal.REMOVED;
      case "gone" -> Removal.GONE;
      case "few" -> Removal.TOO_FEW;
      default -> Removal.UNKNOWN;
    };
  }

  /** Should there be no epoch yet. */
  private static byte[] token() {
    return ascii(UUID.randomUUID().toString().substring(0, TOKEN_LENGTH));
  }

  private static byte[] ascii(String text) {
    return text.getBytes(ISO_8859_1);
  }

  @Override
  public void close() {
    parts.forEach(part -> part.servers().close());
  }
}
