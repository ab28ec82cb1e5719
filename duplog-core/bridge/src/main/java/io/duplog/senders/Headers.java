package io.duplog.senders;

import com.google.common.base.Splitter;
import com.google.common.collect.Lists;
import com.google.common.primitives.Longs;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Statistics of a sample of a sender's headers. Immutable.
 *
 * @param read how many messages were looked at lately; of the messages that a bridge hands over
 *     together, only one is looked at
 * @param malformed how many of these have no priority, or no time that can be trusted
 * @param late how many of these were a minute or more further behind than the one before, so that
 *     they probably waited
 * @param aheadMillis by how much the times of the others are ahead of the node's clock
 * @param lastMillis by how much the last of these times was ahead
 * @param hosts the host names of these messages, the latest one first, {@link #MOST_HOSTS} at most
 */
public record Headers(
    long read, long malformed, long late, long aheadMillis, long lastMillis, List<String> hosts) {
  /** Reads the headers of messages, one at a time. */
  public interface Reader {
    /** Value for a header that has no priority, or no time that can be trusted. */
    long MALFORMED = Long.MIN_VALUE;

    /**
     * Returns by how many milliseconds the header's time is ahead of the message's receipt; or
     * {@link #MALFORMED}.
     *
     * @param end offset after the message
     */
    long aheadMillis(byte[] data, int start, int end, long receivedMillis);

    /**
     * Returns the host that was named by the header of the last {@link #aheadMillis}; an empty text
     * if it names none, or none that is as long and plain as a host's name.
     *
     * @param data the same as before
     */
    String host(byte[] data);

    /**
     * Returns the number that the sender gave the message; a negative one if it gave none.
     *
     * @param end offset after the message
     */
    long number(byte[] data, int start, int end);
  }

  static final Headers NONE = new Headers(0, 0, 0, 0, 0, List.of());

  /** Most host names that are kept of a sender, because a relay passes on those of thousands. */
  static final int MOST_HOSTS = 4;

  /** Matches a host name that may be kept. */
  private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._:-]{1,64}");

  /**
   * Divisor of a change that lowers {@link #aheadMillis}, because the message may only have waited.
   */
  private static final int DAMPING = 4;

  /**
   * Value of {@link #read} from which on all counts are halved, so that old messages lose weight.
   */
  private static final long MOST_READ = 1_000;

  /** What separates the numbers and the host names in the {@link #text}. */
  private static final char HOSTS = ';';

  private static final long OFF = Duration.ofMinutes(1).toMillis();
  private static final long ZONES = Duration.ofMinutes(30).toMillis();
  private static final long FURTHEST_ZONE = Duration.ofHours(14).toMillis();

  /** Parses text that {@link #text} has written; {@link SenderRecord#parse} refuses all other. */
  static Headers parse(String text) {
    List<String> words = Splitter.on(HOSTS).splitToList(text);
    List<String> hosts = words.subList(1, words.size());
    if (hosts.size() > MOST_HOSTS || !hosts.stream().allMatch(Headers::isHost)) {
      throw new IllegalArgumentException(text);
    }
    long[] numbers = SenderRecord.numbers(words.get(0));
    return new Headers(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], hosts);
  }

  /** Returns the headers as one word. */
  String text() {
    String numbers = Longs.join(",", read, malformed, late, aheadMillis, lastMillis);
    return String.join("" + HOSTS, Lists.asList(numbers, hosts.toArray(String[]::new)));
  }

  /** Whether a text is so short and plain that it may be kept as a host's name. */
  public static boolean isHost(String text) {
    return HOST.matcher(text).matches();
  }

  /**
   * Returns these statistics with one header added.
   *
   * @param ahead what {@link Reader#aheadMillis} returned for the header; null if there is none
   * @param host what {@link Reader#host} returned for it
   */
  Headers plus(@Nullable Long ahead, String host) {
    if (ahead == null) {
      return this;
    }
    List<String> named = plus(host);
    int half = read >= MOST_READ ? 2 : 1;
    if (ahead == Reader.MALFORMED) {
      return new Headers(
          read / half + 1, malformed / half + 1, late / half, aheadMillis, lastMillis, named);
    }
    // A zone is left at once, as where summer time ends.
    boolean isSudden = read == malformed || (isZone(ahead) && isZone(lastMillis));
    long more = ahead - aheadMillis;
    return new Headers(
        read / half + 1,
        malformed / half,
        late / half + (!isSudden && ahead - lastMillis <= -OFF ? 1 : 0),
        isSudden ? ahead : aheadMillis + (more > 0 ? more : more / DAMPING),
        ahead,
        named);
  }

  private List<String> plus(String host) {
    return host.isEmpty()
        ? hosts
        : Stream.concat(Stream.of(host), hosts.stream().filter(each -> !each.equals(host)))
            .limit(MOST_HOSTS)
            .toList();
  }

  /**
   * Whether the sender's clock or time zone differs from the node's by a minute or more, both on
   * the whole and in the last header.
   */
  public boolean isOff() {
    return Math.abs(aheadMillis) >= OFF && Math.abs(lastMillis) >= OFF;
  }

  /** Whether a wrong time zone alone explains why the sender's clock differs. */
  public boolean isZone() {
    return isOff() && isZone(lastMillis) && Math.abs(aheadMillis - lastMillis) < OFF;
  }

  private static boolean isZone(long millis) {
    long zone = Math.round((double) millis / ZONES) * ZONES;
    return zone != 0 && Math.abs(millis - zone) < OFF && Math.abs(zone) <= FURTHEST_ZONE;
  }
}
