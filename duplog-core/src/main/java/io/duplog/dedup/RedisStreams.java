package io.duplog.dedup;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisException;

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
  private final RedisSettings settings;
  private final RedisClient redis;
  private final byte[] window;

  /**
   * Connects lazily.
   *
   * @param window as the bridges have it
   */
  public RedisStreams(RedisSettings settings, Duration window) {
    this.settings = settings;
    this.redis = RedisLedger.connect(settings);
    this.window = ascii(Long.toString(window.toMillis()));
  }

  /**
   * What the bridges agree on; null where none has begun.
   *
   * @throws LedgerUnavailableException whose message is one line for an operator
   */
  public @Nullable StreamSet agreed() throws LedgerUnavailableException {
    try {
      String agreed = redis.get(settings.prefix() + ":streams");
      return agreed == null ? null : RedisLedger.streamSet(agreed);
    } catch (JedisException e) {
      throw unavailable(e);
    }
  }

  /**
   * Ends a stream. What it alone has brought still counts while it is remembered.
   *
   * @throws LedgerUnavailableException whose message is one line for an operator
   */
  public Removal remove(String stream) throws LedgerUnavailableException {
    try {
      List<?> answer =
          remove.run(
              redis,
              ascii(settings.prefix() + ":"),
              List.of(token(), ascii("operator"), window, stream.getBytes(ISO_8859_1)));
      return switch (new String((byte[]) answer.get(0), ISO_8859_1)) {
        case "removed" -> Removal.REMOVED;
        case "gone" -> Removal.GONE;
        case "few" -> Removal.TOO_FEW;
        default -> Removal.UNKNOWN;
      };
    } catch (JedisException e) {
      throw unavailable(e);
    }
  }

  /** Should there be no epoch yet. */
  private static byte[] token() {
    return ascii(UUID.randomUUID().toString().substring(0, TOKEN_LENGTH));
  }

  private LedgerUnavailableException unavailable(JedisException e) {
    return new LedgerUnavailableException(
        "Redis " + settings.address() + " can't be asked (" + RedisLedger.cause(settings, e) + ")",
        e,
        true);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(ISO_8859_1);
  }

  @Override
  public void close() {
    redis.close();
  }
}
