package io.duplog.senders;

import com.google.common.collect.Maps;
import io.duplog.config.Checks;
import io.duplog.config.ConfigException;
import io.duplog.config.ConfigLoader;
import io.duplog.config.Key;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The administrator's list of expected senders, by which a sender that was never heard is noticed.
 * Immutable.
 */
public final class SenderList {
  /** The file that {@code coverage.sender-list} names. */
  public record Content(@Key(doc = "Senders that you expect.") List<Entry> senders) {
    public Content {
      Checks.distinctNames("senders", senders.stream().map(Entry::sender).toList());
    }
  }

  /** A sender that is expected. */
  public record Entry(
      @Key(doc = "The sender's address, as `duplog senders` shows it.") String sender,
      @Key(doc = "Whether the sender uses only one path by design.", defaultValue = "false")
          boolean onePath,
      @Key(
              doc =
                  "Reports the sender as gone after this time without a message, whatever"
                      + " its history.",
              example = "10m")
          @Nullable Duration every,
      @Key(doc = "Reports nothing about the sender before this day (UTC).", example = "2027-01-31")
          @Nullable String muteUntil,
      @Key(
              doc =
                  "Reports nothing about the sender before this day (UTC). From that day on,"
                      + " removes the sender from the inventory unless it was heard on that day or"
                      + " later.",
              example = "2026-11-30")
          @Nullable String forgetBefore) {

    public Entry {
      if (every != null) {
        Checks.positive("every", every);
      }
      startMillis("mute-until", muteUntil);
      startMillis("forget-before", forgetBefore);
    }

    /** Returns the beginning of a day in milliseconds since the epoch, or 0 if no day is given. */
    private static long startMillis(String key, @Nullable String day) {
      try {
        return day == null
            ? 0
            : LocalDate.parse(day).atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli();
      } catch (DateTimeParseException e) {
        throw Checks.refuse(key, "must be a day such as 2027-01-31, not '" + day + "'");
      }
    }

    /** Whether the sender is muted at this time. Warnings and sums do not include muted senders. */
    boolean isMuted(long nowMillis) {
      return nowMillis < startMillis("mute-until", muteUntil) || nowMillis < forgetBeforeMillis();
    }

    /** Whether a sender that was last heard at this time is to be forgotten now. */
    boolean isForgotten(long lastMillis, long nowMillis) {
      return lastMillis < forgetBeforeMillis() && nowMillis >= forgetBeforeMillis();
    }

    private long forgetBeforeMillis() {
      return startMillis("forget-before", forgetBefore);
    }
  }

  static final SenderList NONE = new SenderList(List.of());

  private static final Entry EMPTY_ENTRY = new Entry("", false, null, null, null);

  private final Map<String, Entry> entries;

  private SenderList(List<Entry> entries) {
    this.entries = Maps.uniqueIndex(entries, Entry::sender);
  }

  /**
   * Reads a file.
   *
   * @throws ConfigException if the file is invalid; the message names the line and the error
   */
  public static SenderList read(Path file) throws ConfigException {
    return new SenderList(ConfigLoader.ofSystem().load(file, Content.class).senders());
  }

  /** Whether the list contains the sender, even if it is muted or to be forgotten. */
  boolean has(String sender) {
    return entries.containsKey(sender);
  }

  /** Returns a sender's entry, or an empty entry if the list does not contain the sender. */
  Entry of(String sender) {
    return entries.getOrDefault(sender, EMPTY_ENTRY);
  }

  /** Returns the expected senders, without those that are muted or forgotten. */
  Stream<String> expectedSenders(long nowMillis) {
    return entries.values().stream()
        .filter(entry -> entry.forgetBefore() == null && !entry.isMuted(nowMillis))
        .map(Entry::sender);
  }
}
