package io.duplog.senders;

import com.google.common.base.Splitter;
import com.google.common.collect.Lists;
import com.google.common.primitives.Longs;
import io.duplog.wire.MessageBatch;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Statistics of the headers of a sender's messages, which show a wrong clock, delays and malformed
 * headers. Immutable.
 *
 * @param read number of recently checked messages; a bridge checks one of the messages that it
 *     shares together
 * @param malformed number of these messages without a priority or without a plausible time
 * @param late number of these messages that were at least a minute later than the previous one, and
 *     so were probably delayed
 * @param aheadMillis milliseconds by which the times of the other messages are ahead of the node's
 *     clock
 * @param lastMillis milliseconds by which the last of these times was ahead
 * @param hosts host names in these messages, the latest one first, at most {@link #MAX_HOSTS}
 */
public record Headers(
    long read, long malformed, long late, long aheadMillis, long lastMillis, List<String> hosts) {
  /** Reads the headers of messages, one at a time. */
  public interface Reader {
    /** Value for a header without a priority or without a plausible time. */
    long MALFORMED = Long.MIN_VALUE;

    /**
     * Returns the milliseconds by which the header's time is ahead of the message's receipt, or
     * {@link #MALFORMED}. Returns null for an event without a time, because it needs no header.
     */
    @Nullable Long aheadMillis(MessageBatch batch, int message, long receivedMillis);

    /**
     * Returns the host name in the header that {@link #aheadMillis} read last, or an empty string
     * if the header has no valid host name.
     */
    String host();

    /**
     * Returns the number that the sender gave the message, or a negative number if it gave none.
     *
     * @param end offset after the message
     */
    long number(byte[] data, int start, int end);
  }

  static final Headers NONE = new Headers(0, 0, 0, 0, 0, List.of());

  /**
   * Maximum number of host names to keep for each sender, because a relay forwards those of
   * thousands of hosts.
   */
  static final int MAX_HOSTS = 4;

  /** Matches host names that may be kept. */
  private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._:-]{1,64}");

  /**
   * Divisor of a change that lowers {@link #aheadMillis}, because the message may just have been
   * delayed.
   */
  private static final int DAMPING = 4;

  /** Value of {@link #read} at which all counts are halved, so that old messages lose weight. */
  private static final long MAX_READ = 1_000;

  /** Separates the numbers and the host names in {@link #text}. */
  private static final char SEPARATOR = ';';

  private static final long MIN_OFFSET = Duration.ofMinutes(1).toMillis();
  private static final long ZONE_STEP = Duration.ofMinutes(30).toMillis();
  private static final long MAX_ZONE = Duration.ofHours(14).toMillis();

  /** Parses the output of {@link #text}; {@link SenderRecord#parse} rejects any other text. */
  static Headers parse(String text) {
    List<String> words = Splitter.on(SEPARATOR).splitToList(text);
    List<String> hosts = words.subList(1, words.size());
    if (hosts.size() > MAX_HOSTS || !hosts.stream().allMatch(Headers::isHost)) {
      throw new IllegalArgumentException(text);
    }
    long[] numbers = SenderRecord.numbers(words.get(0));
    return new Headers(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], hosts);
  }

  /** Returns these statistics as one word. */
  String text() {
    String numbers = Longs.join(",", read, malformed, late, aheadMillis, lastMillis);
    return String.join("" + SEPARATOR, Lists.asList(numbers, hosts.toArray(String[]::new)));
  }

  /** Whether a text is short and plain enough to be kept as a host name. */
  public static boolean isHost(String text) {
    return HOST.matcher(text).matches();
  }

  /**
   * Returns these statistics with one header added.
   *
   * @param ahead result of {@link Reader#aheadMillis} for the header, or null if it has no time
   * @param host result of {@link Reader#host} for the header
   */
  Headers plus(@Nullable Long ahead, String host) {
    List<String> named = plus(host);
    if (ahead == null) {
      return new Headers(read, malformed, late, aheadMillis, lastMillis, named);
    }
    int half = read >= MAX_READ ? 2 : 1;
    if (ahead == Reader.MALFORMED) {
      return new Headers(
          read / half + 1, malformed / half + 1, late / half, aheadMillis, lastMillis, named);
    }
    // A change of the time zone takes effect immediately, as when summer time ends.
    boolean isSudden = read == malformed || (isZone(ahead) && isZone(lastMillis));
    long more = ahead - aheadMillis;
    return new Headers(
        read / half + 1,
        malformed / half,
        late / half + (!isSudden && ahead - lastMillis <= -MIN_OFFSET ? 1 : 0),
        isSudden ? ahead : aheadMillis + (more > 0 ? more : more / DAMPING),
        ahead,
        named);
  }

  private List<String> plus(String host) {
    return host.isEmpty()
        ? hosts
        : Stream.concat(Stream.of(host), hosts.stream().filter(each -> !each.equals(host)))
            .limit(MAX_HOSTS)
            .toList();
  }

  /**
   * Whether the sender's clock or time zone differs from the node's by a minute or more, both in
   * general and in the last header.
   */
  public boolean isOff() {
    return Math.abs(aheadMillis) >= MIN_OFFSET && Math.abs(lastMillis) >= MIN_OFFSET;
  }

  /** Whether a wrong time zone alone explains why the sender's clock differs. */
  public boolean isZone() {
    return isOff() && isZone(lastMillis) && Math.abs(aheadMillis - lastMillis) < MIN_OFFSET;
  }

  private static boolean isZone(long millis) {
    long zone = Math.round((double) millis / ZONE_STEP) * ZONE_STEP;
    return zone != 0 && Math.abs(millis - zone) < MIN_OFFSET && Math.abs(zone) <= MAX_ZONE;
  }
}
