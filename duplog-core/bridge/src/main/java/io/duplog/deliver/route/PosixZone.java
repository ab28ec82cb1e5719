package io.duplog.deliver.route;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.Year;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.TemporalAdjusters;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds the time zone that a POSIX rule such as {@code CET-1CEST,M3.5.0,M10.5.0/3} means. */
final class PosixZone {
  /** Years in which a zone must change its clocks as the rules say. */
  private static final int FIRST_YEAR = 2024;

  private static final int LAST_YEAR = 2034;

  private static final String NAME = "([A-Za-z]{3,}|<[A-Za-z0-9+-]{3,}>)";
  private static final String OFFSET = "([+-]?\\d{1,3}(?::\\d{1,2}){0,2})";
  private static final Pattern ZONE =
      Pattern.compile(NAME + OFFSET + "(?:" + NAME + OFFSET + "?(?:,([^,]+),([^,]+))?)?");
  private static final Pattern DAY =
      Pattern.compile("(?:M(\\d{1,2})\\.([1-5])\\.([0-6])|(J?)(\\d{1,3}))(?:/" + OFFSET + ")?");

  private static final int TWO_O_CLOCK = 7200;

  private PosixZone() {}

  /** Finds a zone that changes its clocks by these rules, or nothing if there is none. */
  static Optional<ZoneId> find(String rules) {
    Matcher zone = ZONE.matcher(rules);
    if (!zone.matches()) {
      return Optional.empty();
    }
    int standard = -seconds(zone.group(2));
    if (Math.abs(standard) > ZoneOffset.MAX.getTotalSeconds()) {
      return Optional.empty();
    }
    if (zone.group(3) == null) {
      return Optional.of(ZoneOffset.ofTotalSeconds(standard));
    }
    int summer = zone.group(4) == null ? standard + 3600 : -seconds(zone.group(4));
    if (zone.group(5) == null || Math.abs(summer) > ZoneOffset.MAX.getTotalSeconds()) {
      return Optional.empty(); // the C libraries differ in when such a zone changes its clocks
    }
    List<Instant> changes = new ArrayList<>();
    for (int year = FIRST_YEAR; year <= LAST_YEAR; year++) {
      LocalDateTime begin = time(year, zone.group(5));
      LocalDateTime end = time(year, zone.group(6));
      if (begin == null || end == null) {
        return Optional.empty();
      }
      changes.add(begin.toInstant(ZoneOffset.ofTotalSeconds(standard)));
      changes.add(end.toInstant(ZoneOffset.ofTotalSeconds(summer)));
    }
    changes.sort(Comparator.naturalOrder());
    return ZoneId.getAvailableZoneIds().stream()
        .sorted(Comparator.comparing(PosixZone::rank).thenComparing(Comparator.naturalOrder()))
        .map(ZoneId::of)
        .filter(id -> changes(id).equals(changes) && offsets(id, changes, standard, summer))
        .findFirst();
  }

  /** Ranks equivalent zones: those with the most familiar names come first. */
  private static int rank(String id) {
    return id.indexOf('/') < 0 ? 1 : id.startsWith("Europe/") || id.startsWith("America/") ? 0 : 2;
  }

  private static List<Instant> changes(ZoneId id) {
    List<Instant> found = new ArrayList<>();
    Instant last = LocalDate.of(LAST_YEAR + 1, 1, 1).atStartOfDay().toInstant(ZoneOffset.UTC);
    ZoneOffsetTransition next =
        id.getRules()
            .nextTransition(
                LocalDate.of(FIRST_YEAR, 1, 1).atStartOfDay().toInstant(ZoneOffset.UTC));
    while (next != null && next.getInstant().isBefore(last)) {
      found.add(next.getInstant());
      next = id.getRules().nextTransition(next.getInstant());
    }
    return found;
  }

  private static boolean offsets(ZoneId id, List<Instant> changes, int standard, int summer) {
    int one = id.getRules().getOffset(changes.get(0)).getTotalSeconds();
    int other = id.getRules().getOffset(changes.get(1)).getTotalSeconds();
    return Math.min(one, other) == Math.min(standard, summer)
        && Math.max(one, other) == Math.max(standard, summer);
  }

  /** Returns the local time of a change in a year, or null if the rule is invalid. */
  private static @Nullable LocalDateTime time(int year, String rule) {
    Matcher day = DAY.matcher(rule);
    if (!day.matches()) {
      return null;
    }
    int seconds = day.group(6) == null ? TWO_O_CLOCK : seconds(day.group(6));
    LocalDate date =
        day.group(1) == null
            ? ofYear(year, Integer.parseInt(day.group(5)), day.group(4).isEmpty())
            : ofMonth(
                year,
                Integer.parseInt(day.group(1)),
                Integer.parseInt(day.group(2)),
                Integer.parseInt(day.group(3)));
    return date == null ? null : date.atStartOfDay().plusSeconds(seconds);
  }

  private static @Nullable LocalDate ofMonth(int year, int month, int week, int day) {
    if (month < 1 || month > 12) {
      return null;
    }
    DayOfWeek weekday = day == 0 ? DayOfWeek.SUNDAY : DayOfWeek.of(day);
    LocalDate first = LocalDate.of(year, month, 1);
    return week == 5
        ? first.with(TemporalAdjusters.lastInMonth(weekday))
        : first.with(TemporalAdjusters.dayOfWeekInMonth(week, weekday));
  }

  /** Returns a day by its number; those that count from 0 count the leap day. */
  private static @Nullable LocalDate ofYear(int year, int number, boolean fromZero) {
    if (fromZero) {
      return number > 365 ? null : LocalDate.of(year, 1, 1).plusDays(number);
    }
    boolean behindLeapDay = Year.isLeap(year) && number > 59;
    return number < 1 || number > 365
        ? null
        : LocalDate.ofYearDay(year, number + (behindLeapDay ? 1 : 0));
  }

  /** Returns the seconds of {@code [+-]hours[:minutes[:seconds]]}. */
  private static int seconds(String text) {
    boolean negative = text.startsWith("-");
    int total = 0;
    int weight = 3600;
    for (String part : text.replaceFirst("^[+-]", "").split(":", -1)) {
      total += Integer.parseInt(part) * weight;
      weight /= 60;
    }
    return negative ? -total : total;
  }
}
