package io.duplog.dedup;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The streams that the bridges agree on, as an operator sees and ends them. For one thread. */
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

  private final RedisScript remove = new RedisScript("remove");
  private final String prefix;
  private final RedisServers servers;
  private final byte[] window;

  /**
   * Connects lazily.
   *
   * @param window as the bridges have it
   */
  public RedisStreams(RedisSettings settings, Duration window) {
    this.prefix = settings.prefix() + ":";
    this.servers = RedisServers.of(settings);
    this.window = ascii(Long.toString(window.toMillis()));
  }

  /**
   * What the bridges agree on; null where none has begun.
   *
   * @throws LedgerUnavailableException whose message is one line for an operator
   */
  public @Nullable StreamSet agreed() throws LedgerUnavailableException {
    String agreed = servers.ask(redis -> redis.get(prefix + "streams"));
    return agreed == null ? null : RedisLedger.streamSet(agreed);
  }

  /**
   * Ends a stream. What it alone has brought still counts while it is remembered.
   *
   * @throws LedgerUnavailableException whose message is one line for an operator
   */
  public Removal remove(String stream) throws LedgerUnavailableException {
    List<byte[]> arguments =
        List.of(token(), ascii("operator"), window, stream.getBytes(ISO_8859_1));
    List<?> answer = servers.ask(redis -> remove.run(redis, ascii(prefix), arguments));
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
    servers.close();
  }
}
