package io.duplog.senders;

import io.duplog.observe.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/** Converts the inventory of senders to JSON, for the status page and the command line. */
public final class SendersJson {
  private static final int LIMIT = 100;
  private static final int GREATEST_LIMIT = 10_000;
  private static final int SHOWN = 20;
  private static final Duration NEW = Duration.ofDays(1);

  private SendersJson() {}

  /** Returns the numbers of senders, and some of those that need somebody's attention. */
  public static JsonObject summary(SenderInventory senders) {
    SenderSums sums = new SenderSums(senders);
    List<SenderReport> silent = senders.silent();
    Map<String, SenderReport.Gone> gone = senders.gone();
    return new JsonObject()
        .put("known", senders.size())
        .put("unlisted_copies", senders.unlisted())
        .put("silent", silent.size())
        .put("some_silent", silent.stream().limit(SHOWN).map(SendersJson::of).toList())
        .put("gone", gone.size())
        .put("some_gone", some(gone, SendersJson::of))
        .put("loud", sums.loud())
        .put("slow", sums.slow())
        .put("some_changed", some(senders.changes(), SendersJson::of))
        .put("numbers_missing", sums.missingNumbers())
        .put("clocks_off", sums.clocksOff())
        .put("unheard", senders.unheard().size())
        .put("some_unheard", senders.unheard().stream().limit(SHOWN).toList());
  }

  private static <T> List<JsonObject> some(Map<String, T> senders, Function<T, JsonObject> json) {
    return senders.entrySet().stream()
        .limit(SHOWN)
        .map(each -> json.apply(each.getValue()).put("sender", each.getKey()))
        .toList();
  }

  /**
   * Returns senders that a request asks for.
   *
   * @param words parameters of the request, any of which may be missing: "find", a part of the
   *     address; "only", which is "silent", "gone", "changed", "gaps", "clock", "malformed",
   *     "late", "cut", "refused", "unheard", "one-path" or "new"; "sort" by "last", "first",
   *     "messages" or "sender"; and "limit", 100 unless told
   * @throws IllegalArgumentException if a word has another value, in one line for an operator
   */
  public static JsonObject of(SenderInventory senders, Map<String, String> words, Instant now) {
    String find = words.getOrDefault("find", "");
    Predicate<SenderReport> only = only(words.getOrDefault("only", "all"), now);
    List<SenderReport> found =
        senders
            .report()
            .filter(sender -> sender.sender().contains(find) && only.test(sender))
            .sorted(order(words.getOrDefault("sort", "last")))
            .toList();
    int limit = limit(words.getOrDefault("limit", "" + LIMIT));
    JsonObject answer =
        summary(senders)
            .put("found", found.size())
            .put("senders", found.stream().limit(limit).map(SendersJson::of).toList());
    return "unheard".equals(words.get("only"))
        ? answer.put("some_unheard", senders.unheard().stream().limit(limit).toList())
        : answer;
  }

  private static Predicate<SenderReport> only(String word, Instant now) {
    return switch (word) {
      case "all" -> sender -> true;
      case "silent" -> sender -> sender.is(SenderReport.State.SILENT);
      case "gone" -> sender -> sender.gone() != null;
      case "changed" -> sender -> sender.change() != null;
      case "gaps" -> sender -> sender.known().numbers().allMissing() > 0;
      case "clock" -> sender -> sender.known().headers().isOff();
      case "malformed" -> sender -> sender.known().headers().malformed() > 0;
      case "late" -> sender -> sender.known().headers().late() > 0;
      case "cut" -> sender -> sender.known().totals().cut() > 0;
      case "refused" -> sender -> sender.known().totals().refused() > 0;
      case "unheard" -> sender -> false;
      case "one-path" -> sender -> sender.is(SenderReport.State.UNUSED);
      case "new" -> sender -> sender.known().firstMillis() > now.minus(NEW).toEpochMilli();
      default ->
          throw new IllegalArgumentException(
              "only must be silent, gone, changed, gaps, clock, malformed, late, cut, refused, unheard, one-path, new or all, not '"
                  + word
                  + "'");
    };
  }

  private static Comparator<SenderReport> order(String word) {
    Comparator<SenderReport> order =
        switch (word) {
          case "last" -> greatestFirst(SenderRecord::lastMillis);
          case "first" -> greatestFirst(SenderRecord::firstMillis);
          case "messages" -> greatestFirst(known -> known.totals().messages());
          case "sender" -> Comparator.comparing(SenderReport::sender);
          default ->
              throw new IllegalArgumentException(
                  "sort must be last, first, messages or sender, not '" + word + "'");
        };
    return order.thenComparing(SenderReport::sender);
  }

  private static Comparator<SenderReport> greatestFirst(ToLongFunction<SenderRecord> number) {
    return Comparator.<SenderReport>comparingLong(each -> number.applyAsLong(each.known()))
        .reversed();
  }

  private static int limit(String word) {
    if (!word.matches("\\d{1,5}") || Integer.parseInt(word) > GREATEST_LIMIT) {
      throw new IllegalArgumentException(
          "limit must be a number up to " + GREATEST_LIMIT + ", not '" + word + "'");
    }
    return Integer.parseInt(word);
  }

  private static JsonObject of(SenderReport sender) {
    SenderRecord known = sender.known();
    return new JsonObject()
        .put("sender", sender.sender())
        .put("first", Instant.ofEpochMilli(known.firstMillis()))
        .put("last", Instant.ofEpochMilli(known.lastMillis()))
        .put("messages", known.totals().messages())
        .put("bytes", known.totals().bytes())
        .put("refused", known.totals().refused())
        .put("longest", known.totals().longest())
        .put("cut", known.totals().cut())
        .put("gone", sender.gone() == null ? null : of(sender.gone()))
        .put("volume", sender.change() == null ? null : of(sender.change()))
        .put("numbers_missing", known.numbers().allMissing())
        .put("headers", of(known.headers()))
        .put("paths", sender.paths().stream().map(SendersJson::of).toList());
  }

  private static JsonObject of(SenderReport.Gone gone) {
    return new JsonObject()
        .put("since", gone.since())
        .put("missing", Math.round(gone.missing()))
        .put("reason", gone.reason());
  }

  private static JsonObject of(Headers headers) {
    return new JsonObject()
        .put("read", headers.read())
        .put("malformed", headers.malformed())
        .put("late", headers.late())
        .put("ahead_seconds", headers.aheadMillis() / 1e3)
        .put("clock_off", headers.isOff())
        .put("zone_off", headers.isZone());
  }

  private static JsonObject of(Volume.Change change) {
    return new JsonObject()
        .put("state", change.isLoud() ? "loud" : "slow")
        .put("messages", change.messages())
        .put("usual", change.usual());
  }

  private static JsonObject of(SenderReport.Path path) {
    return new JsonObject()
        .put("stream", path.stream())
        .put("state", path.state().name().toLowerCase(Locale.ROOT))
        .put("last", path.copies() == 0 ? null : path.last())
        .put("copies", path.copies())
        .put("missed_since", path.state() == SenderReport.State.HEARD ? 0 : path.missed());
  }
}
