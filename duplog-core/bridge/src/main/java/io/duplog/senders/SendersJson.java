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

/** Converts the inventory of senders to JSON, for the status page and the command line. */
public final class SendersJson {
  private static final int LIMIT = 100;
  private static final int GREATEST_LIMIT = 10_000;
  private static final int SHOWN = 20;

  /** Words for {@code only} that are no concern's. */
  private static final String ALL = "all";

  private static final String CHANGED = "changed";

  private SendersJson() {}

  /** Returns the numbers of senders, and some of those that each concern is about. */
  public static JsonObject summary(SenderInventory senders) {
    return summary(senders, SHOWN);
  }

  /**
   * @param limit most senders to name of each kind
   */
  private static JsonObject summary(SenderInventory senders, int limit) {
    ConcernCounts findings = senders.findings();
    JsonObject json =
        new JsonObject()
            .put("known", senders.size())
            .put("unlisted_copies", senders.unlisted())
            .put("numbers_missing", senders.missingNumbers());
    return put(findings, limit, json)
        .put("some_silent", some(findings, limit, SendersJson::of, Concern.SILENT))
        .put("some_gone", some(findings, limit, SendersJson::ofGone, Concern.GONE))
        .put(
            "some_changed",
            some(findings, limit, SendersJson::ofChange, Concern.LOUD, Concern.SLOW))
        .put("some_unheard", some(findings, limit, SenderReport::sender, Concern.UNHEARD));
  }

  /** Adds the number of senders of each concern, and the list of those that there are. */
  static JsonObject put(ConcernCounts findings, int limit, JsonObject json) {
    findings.all().forEach(each -> json.put(each.concern().key(), each.senders()));
    return json.put("concerns", findings.present().stream().map(each -> of(each, limit)).toList());
  }

  private static List<Object> some(
      ConcernCounts findings, int limit, Function<SenderReport, Object> json, Concern... concerns) {
    return Stream.of(concerns)
        .flatMap(concern -> findings.of(concern).some().stream())
        .limit(limit)
        .map(json)
        .toList();
  }

  private static JsonObject of(ConcernCount finding, int limit) {
    Concern concern = finding.concern();
    Runbook runbook = concern.runbook();
    return new JsonObject()
        .put("name", concern.word())
        .put("level", concern.level().word())
        .put("count", finding.senders())
        .put("sentence", finding.sentence())
        .put("runbook", runbook == null ? null : runbook.place())
        .put(
            "some",
            finding.some().stream()
                .limit(limit)
                .map(
                    sender ->
                        new JsonObject()
                            .put("sender", sender.sender())
                            .put("sentence", concern.sentence(sender)))
                .toList());
  }

  /**
   * Returns senders that a request asks for.
   *
   * @param words parameters of the request, any of which may be missing: "find", as in {@link
   *     SenderSearch#named}; "only", the word of a concern, or "changed" for those that are loud or
   *     slow; "sort" by "last", "first", "messages" or "sender"; and "limit", 100 unless told
   * @throws IllegalArgumentException if a word has another value, in one line for an operator
   */
  public static JsonObject of(SenderSearch search, Map<String, String> words) {
    Predicate<String> named = search.named(words.getOrDefault("find", ""));
    Predicate<SenderReport> only = only(words.getOrDefault("only", ALL));
    int limit = limit(words.getOrDefault("limit", "" + LIMIT));
    List<SenderReport> found =
        search
            .senders()
            .report()
            .filter(sender -> named.test(sender.sender()) && only.test(sender))
            .sorted(order(words.getOrDefault("sort", "last")))
            .toList();
    return summary(search.senders(), Math.min(limit, SHOWN))
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
    return sender -> word.equals(ALL) || concerns.stream().anyMatch(each -> each.isAbout(sender));
  }

  private static Comparator<SenderReport> order(String word) {
    Comparator<SenderReport> order =
        switch (word) {
          case "last" -> greatestFirst(SenderRecord::lastMillis);
          case "first" -> greatestFirst(known -> known.paths().isEmpty() ? 0 : known.firstMillis());
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

  static JsonObject of(SenderReport sender) {
    SenderRecord known = sender.known();
    return new JsonObject()
        .put("sender", sender.sender())
        .put("hosts", known.headers().hosts())
        .put("first", sender.isKnown() ? Instant.ofEpochMilli(known.firstMillis()) : null)
        .put("last", sender.isKnown() ? Instant.ofEpochMilli(known.lastMillis()) : null)
        .put("messages", known.totals().messages())
        .put("bytes", known.totals().bytes())
        .put("refused", known.totals().refused())
        .put("longest", known.totals().longest())
        .put("cut", known.totals().cut())
        .put("gone", sender.gone() == null ? null : of(sender.gone()))
        .put("volume", sender.change() == null ? null : of(sender.change()))
        .put("numbers_missing", known.numbers().allMissing())
        .put("headers", of(known.headers()))
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
