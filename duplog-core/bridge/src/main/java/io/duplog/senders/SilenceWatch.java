package io.duplog.senders;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Finds senders that are silent on one path while others bring their messages. {@link #look} is for
 * one thread; {@link #paths} may be called from any thread.
 */
final class SilenceWatch {
  /** A sender that a stream does not bring though others do. */
  private record Absence(String sender, String stream) {}

  /**
   * Since when a stream has been up to date.
   *
   * @param missedBefore number of copies that it had missed by then, of each sender of whom it
   *     missed any
   */
  private record Since(long millis, Map<String, Long> missedBefore) {
    static Since of(String stream, long millis, Map<String, SenderRecord> known) {
      Map<String, Long> missed = new HashMap<>();
      known.forEach((sender, record) -> missed.put(sender, record.othersSince(stream)));
      missed.values().removeIf(number -> number == 0);
      return new Since(millis, missed);
    }

    /**
     * Returns how many of a sender's copies the stream has missed since it has been up to date.
     *
     * @param inARow number of copies that it has missed in a row by now, including those from
     *     before
     */
    long missed(String sender, long inARow) {
      long before = missedBefore.getOrDefault(sender, 0L);
      if (inARow < before) {
        missedBefore.remove(sender); // the stream has brought the sender meanwhile
        return inARow;
      }
      return inARow - before;
    }
  }

  private final List<String> streams;
  private final Predicate<String> current;

  // Used only by the thread that looks.

  /** Time since which each stream was current at every look; no entry for one that is not. */
  private final Map<String, Since> currentSince = new HashMap<>();

  private final Suspicions<Absence> suspicions = new Suspicions<>();

  private volatile Set<Absence> absences = Set.of();

  /**
   * @param current says of a stream's name whether the stream has brought everything that it can by
   *     now; nobody is silent on another stream
   */
  SilenceWatch(List<String> streams, Predicate<String> current) {
    this.streams = streams;
    this.current = current;
  }

  /** Looks for senders that are silent on one path. */
  void look(Map<String, SenderRecord> known, SenderList list, long nowMillis) {
    for (String stream : streams) {
      if (!current.test(stream)) {
        currentSince.remove(stream);
      } else if (!currentSince.containsKey(stream)) {
        currentSince.put(stream, Since.of(stream, nowMillis, known));
      }
    }
    Set<Absence> suspects = new HashSet<>();
    known.forEach(
        (sender, record) ->
            currentSince.forEach(
                (stream, since) -> {
                  long missed = since.missed(sender, record.othersSince(stream));
                  if (record.isMissedBy(stream, streams, missed, since.millis(), nowMillis)
                      && !list.of(sender).onePath()
                      && !list.of(sender).isMuted(nowMillis)) {
                    suspects.add(new Absence(sender, stream));
                  }
                }));
    absences = suspicions.confirm(suspects);
  }

  /** Returns what each stream brought of a sender, as of the last look. */
  List<SenderReport.Path> paths(String sender, SenderRecord record) {
    Set<Absence> now = absences;
    List<SenderReport.Path> paths = new ArrayList<>();
    for (String stream : streams) {
      boolean absent = now.contains(new Absence(sender, stream));
      paths.add(SenderReport.Path.of(stream, record, absent));
    }
    return paths;
  }
}
