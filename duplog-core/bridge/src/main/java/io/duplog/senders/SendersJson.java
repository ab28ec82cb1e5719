package io.duplog.senders;

import io.duplog.observe.JsonObject;
import io.duplog.observe.Runbook;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Converts the inventory of senders to JSON for the status page and the command {@code duplog
 * senders}.
 */
public final class SendersJson {
  private static final int DEFAULT_LIMIT = 100;
  private static final int MAX_LIMIT = 10_000;
  private static final int MAX_NAMES = 20;

  /** Values of {@code only} that are not the word of a concern. */
  private static final String ALL = "all";

  private static final String CHANGED = "changed";

  private SendersJson() {}

  /** Returns the numbers of senders, and some of the senders with each concern. */
  public static JsonObject summary(SenderInventory senders) {
    return summary(senders, MAX_NAMES);
  }

  /**
   * @param limit maximum number of senders to name of each kind
   */
  private static JsonObject summary(SenderInventory senders, int limit) {
    ConcernCounts counts = senders.concernCounts();
    JsonObject json =
        new JsonObject()
            .put("known", senders.size())
            .put("unlisted_copies", senders.unlistedCopies())
            .put("numbers_missing", senders.missingNumbers());
    return put(counts, limit, json)
        .put("some_silent", some(counts, limit, SendersJson::of, Concern.SILENT))
        .put("some_gone", some(counts, limit, SendersJson::ofGone, Concern.GONE))
        .put("some_changed", some(counts, limit, SendersJson::ofChange, Concern.LOUD, Concern.SLOW))
        .put("some_unheard", some(counts, limit, SenderReport::sender, Concern.UNHEARD));
  }

  /**
   * Adds the number of senders with each concern, and the list of the concerns that senders have.
   */
  static JsonObject put(ConcernCounts counts, int limit, JsonObject json) {
    counts.all().forEach(each -> json.put(each.concern().key(), each.senders()));
    return json.put("concerns", counts.present().stream().map(each -> of(each, limit)).toList());
  }

  private static List<Object> some(
      ConcernCounts counts, int limit, Function<SenderReport, Object> json, Concern... concerns) {
    return Stream.of(concerns)
        .flatMap(concern -> counts.of(concern).some().stream())
        .limit(limit)
        .map(json)
        .toList();
  }

  private static JsonObject of(ConcernCount count, int limit) {
    Concern concern = count.concern();
    Runbook runbook = concern.runbook();
    return new JsonObject()
        .put("name", concern.word())
        .put("level", concern.level().word())
        .put("count", count.senders())
        .put("sentence", count.sentence())
        .put("runbook", runbook == null ? null : runbook.place())
        .put(
            "some",
            count.some().stream()
                .limit(limit)
                .map(
                    sender ->
                        new JsonObject()
                            .put("sender", sender.sender())
                            .put("sentence", concern.sentence(sender)))
                .toList());
  }

  /**
   * Returns the senders that match a request.
   *
   * @param words the request's parameters, all optional: "find", as in {@link SenderSearch#parse};
   *     "only", the word of a concern, or "changed" for loud and slow senders; "sort", which is
   *     "last", "first", "messages" or "sender"; and "limit", 100 by default
   * @throws IllegalArgumentException if a value is invalid; the message is one line for an operator
   */
  public static JsonObject of(SenderSearch search, Map<String, String> words) {
    Predicate<String> addressFilter = search.parse(words.getOrDefault("find", ""));
    Predicate<SenderReport> only = only(words.getOrDefault("only", ALL));
    int limit = limit(words.getOrDefault("limit", "" + DEFAULT_LIMIT));
    List<SenderReport> found =
        search
            .senders()
            .report()
            .filter(sender -> addressFilter.test(sender.sender()) && only.test(sender))
            .sorted(order(words.getOrDefault("sort", "last")))
            .toList();
    return summary(search.senders(), Math.min(limit, MAX_NAMES))
        .put("found", found.size())
        .put("senders", found.stream().limit(limit).map(SendersJson::of).toList());
  }

  private static Predicate<SenderReport> only(String word) {
    List<Concern> concerns =
        word.equals(CHANGED)
            ? List.of(Concern.LOUD, Concern.SLOW)
            : Stream.of(Concern.values()).filter(each -> each.word().equals(word)).toList();
    if (concerns.isEmpty() && !word.equals(ALL)) {
      throw new IllegalArgumentException(
          Stream.of(Concern.values())
              .map(Concern::word)
              .collect(
                  Collectors.joining(
                      ", ",
                      "only must be ",
                      ", " + CHANGED + " or " + ALL + ", not '" + word + "'")));
    }
    return sender -> word.equals(ALL) || concerns.stream().anyMatch(each -> each.appliesTo(sender));
  }

  private static Comparator<SenderReport> order(String word) {
    Comparator<SenderReport> order =
        switch (word) {
          case "last" -> greatestFirst(SenderRecord::lastMillis);
          case "first" ->
              greatestFirst(record -> record.paths().isEmpty() ? 0 : record.firstMillis());
          case "messages" -> greatestFirst(record -> record.totals().messages());
          case "sender" -> Comparator.comparing(SenderReport::sender);
          default ->
              throw new IllegalArgumentException(
                  "sort must be last, first, messages or sender, not '" + word + "'");
        };
    return order.thenComparing(SenderReport::sender);
  }

  private static Comparator<SenderReport> greatestFirst(ToLongFunction<SenderRecord> number) {
    return Comparator.<SenderReport>comparingLong(each -> number.applyAsLong(each.record()))
        .reversed();
  }

  private static int limit(String word) {
    if (!word.matches("\\d{1,5}") || Integer.parseInt(word) > MAX_LIMIT) {
      throw new IllegalArgumentException(
          "limit must be a number up to " + MAX_LIMIT + ", not '" + word + "'");
    }
    return Integer.parseInt(word);
  }

  static JsonObject of(SenderReport sender) {
    SenderRecord record = sender.record();
    return new JsonObject()
        .put("sender", sender.sender())
        .put("hosts", record.headers().hosts())
        .put("first", sender.isKnown() ? Instant.ofEpochMilli(record.firstMillis()) : null)
        .put("last", sender.isKnown() ? Instant.ofEpochMilli(record.lastMillis()) : null)
        .put("messages", record.totals().messages())
        .put("bytes", record.totals().bytes())
        .put("refused", record.totals().refused())
        .put("longest", record.totals().longest())
        .put("cut", record.totals().cut())
        .put("gone", sender.gone() == null ? null : of(sender.gone()))
        .put("volume", sender.change() == null ? null : of(sender.change()))
        .put("numbers_missing", record.numbers().totalMissing())
        .put("headers", of(record.headers()))
        .put("paths", sender.paths().stream().map(SendersJson::of).toList())
        .put(
            "concerns",
            sender.concerns().stream()
                .map(
                    concern ->
                        new JsonObject()
                            .put("name", concern.word())
                            .put("sentence", concern.sentence(sender)))
                .toList());
  }

  private static JsonObject ofGone(SenderReport sender) {
    return of(Objects.requireNonNull(sender.gone())).put("sender", sender.sender());
  }

  private static JsonObject ofChange(SenderReport sender) {
    return of(Objects.requireNonNull(sender.change())).put("sender", sender.sender());
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
