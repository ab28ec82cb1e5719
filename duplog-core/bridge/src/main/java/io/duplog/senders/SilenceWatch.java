package io.duplog.senders;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Finds senders whose messages arrive on some streams but have stopped on another one.
 *
 * <p>{@link #update} may be called from one thread only. {@link #paths} may be called from any
 * thread.
 */
final class SilenceWatch {
  /** A sender whose messages do not arrive on a stream, although they arrive on others. */
  private record Absence(String sender, String stream) {}

  /** A time during which a stream has always been up to date. */
  private static final class UpToDatePeriod {
    private final long sinceMillis;

    /**
     * Number of copies that the stream had already missed in a row when this period began, by
     * sender. A sender without an entry had missed none.
     */
    private final Map<String, Long> copiesMissedBefore = new HashMap<>();

    UpToDatePeriod(String stream, long sinceMillis, Map<String, SenderRecord> records) {
      this.sinceMillis = sinceMillis;
      records.forEach(
          (sender, record) -> copiesMissedBefore.put(sender, record.copiesMissedBy(stream)));
      copiesMissedBefore.values().removeIf(copies -> copies == 0);
    }

    /** Forgets the earlier misses of each sender that the stream has delivered since then. */
    void forgetEndedSilences(String stream, Map<String, SenderRecord> records) {
      copiesMissedBefore
          .entrySet()
          .removeIf(
              entry -> {
                SenderRecord record = records.get(entry.getKey());
                return record != null && record.copiesMissedBy(stream) < entry.getValue();
              });
    }

    /** Returns the number of copies that the stream has missed in a row during this period. */
    long copiesMissed(String sender, long copiesMissedInARow) {
      return copiesMissedInARow - copiesMissedBefore.getOrDefault(sender, 0L);
    }
  }

  private final List<String> streams;
  private final Predicate<String> isUpToDate;

  // Used only by the thread that calls update.

  /** The current period of each stream that is up to date, by the stream's name. */
  private final Map<String, UpToDatePeriod> upToDatePeriods = new HashMap<>();

  private final Suspicions<Absence> suspectedAbsences = new Suspicions<>();

  private volatile Set<Absence> confirmedAbsences = Set.of();

  /**
   * @param isUpToDate tells by a stream's name whether the stream has delivered everything that it
   *     can deliver by now; no sender counts as silent on another stream
   */
  SilenceWatch(List<String> streams, Predicate<String> isUpToDate) {
    this.streams = streams;
    this.isUpToDate = isUpToDate;
  }

  /** Finds the senders that are silent on some streams now. */
  void update(Map<String, SenderRecord> records, SenderList list, long nowMillis) {
    for (String stream : streams) {
      if (!isUpToDate.test(stream)) {
        upToDatePeriods.remove(stream);
        continue;
      }
      UpToDatePeriod period = upToDatePeriods.get(stream);
      if (period == null) {
        upToDatePeriods.put(stream, new UpToDatePeriod(stream, nowMillis, records));
      } else {
        period.forgetEndedSilences(stream, records);
      }
    }
    Set<Absence> suspects = new HashSet<>();
    records.forEach(
        (sender, record) ->
            upToDatePeriods.forEach(
                (stream, period) -> {
                  long missed = period.copiesMissed(sender, record.copiesMissedBy(stream));
                  if (record.isMissingOn(stream, streams, missed, period.sinceMillis, nowMillis)
                      && !list.of(sender).onePath()
                      && !list.of(sender).isMuted(nowMillis)) {
                    suspects.add(new Absence(sender, stream));
                  }
                }));
    confirmedAbsences = suspectedAbsences.confirm(suspects);
  }

  /** Returns a sender's state on each stream, as of the last update. */
  List<SenderReport.Path> paths(String sender, SenderRecord record) {
    Set<Absence> absences = confirmedAbsences;
    List<SenderReport.Path> paths = new ArrayList<>();
    for (String stream : streams) {
      boolean isAbsent = absences.contains(new Absence(sender, stream));
      paths.add(SenderReport.Path.of(stream, record, isAbsent));
    }
    return paths;
  }
}
