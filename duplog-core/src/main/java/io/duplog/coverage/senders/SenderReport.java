package io.duplog.coverage.senders;

import io.duplog.observe.Printable;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What is known about a sender.
 *
 * @param sender address of the sender, which may be any text without a space
 * @param first when its first message was published
 * @param last when its last message was published
 * @param messages number of messages that were delivered, each counted once
 * @param bytes their length
 * @param paths what each stream brought, in the order of the bridge's streams
 */
public record SenderReport(
    String sender, Instant first, Instant last, long messages, long bytes, List<Path> paths) {

  /** Time after which a path on which a sender is silent counts as given up. */
  private static final Duration UNUSED_AFTER = Duration.ofDays(8);

  /** What a sender does on one path. */
  public enum State {
    HEARD,
    /** The other paths bring messages, and this one has not for a while. */
    SILENT,
    /** The other paths bring messages, and this one has not for eight days, or never did. */
    UNUSED
  }

  /**
   * What one stream brought.
   *
   * @param last when its last copy was published; the sender's first message if it brought none
   * @param missed number of copies that the other streams brought since then
   */
  public record Path(String stream, State state, Instant last, long copies, long missed) {}

  /**
   * @param absent says of a stream's name whether the others bring the sender and this one does not
   */
  static SenderReport of(
      String sender, SenderRecord known, List<String> streams, Predicate<String> absent) {
    return new SenderReport(
        sender,
        Instant.ofEpochMilli(known.firstMillis()),
        Instant.ofEpochMilli(known.lastMillis()),
        known.messages(),
        known.bytes(),
        streams.stream().map(stream -> path(stream, known, absent.test(stream))).toList());
  }

  private static Path path(String stream, SenderRecord known, boolean absent) {
    SenderRecord.Path path = known.paths().get(stream);
    boolean used = path != null && known.lastMillis() - path.lastMillis() < UNUSED_AFTER.toMillis();
    State state = !absent ? State.HEARD : used ? State.SILENT : State.UNUSED;
    return new Path(
        stream,
        state,
        Instant.ofEpochMilli(known.lastMillis(stream)),
        path == null ? 0 : path.copies(),
        known.othersSince(stream));
  }

  /** Returns for a line of the log where the sender is silent. */
  String line() {
    return paths.stream()
        .filter(path -> path.state() == State.SILENT)
        .map(
            path ->
                String.format(
                    Locale.ROOT,
                    "%s on %s since %s, %,d copies came by others",
                    Printable.of(sender),
                    path.stream(),
                    path.last(),
                    path.missed()))
        .collect(Collectors.joining(", "));
  }

  /** Whether the sender is in this state on any path. */
  public boolean is(State state) {
    return paths.stream().anyMatch(path -> path.state() == state);
  }
}
