package io.duplog.senders;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Makes the section {@code senders} of the state document, and answers questions for senders. */
public final class SendersQuery {
  private static final int DEFAULT_LIMIT = 100;
  private static final int MAX_LIMIT = 10_000;
  private static final int MAX_NAMES = 20;

  /** Values of {@code only} that are not the word of a concern. */
  private static final String ALL = "all";

  private static final String CHANGED = "changed";

  private SendersQuery() {}

  /** Returns the numbers of senders, and some of the senders with each concern. */
  public static SendersState summary(SenderInventory senders) {
    return summary(senders, MAX_NAMES);
  }

  /**
   * @param limit maximum number of senders to name of each kind
   */
  private static SendersState summary(SenderInventory senders, int limit) {
    return SendersState.of(
        senders.concernCounts(),
        senders.size(),
        senders.unlistedCopies(),
        senders.missingNumbers(),
        limit);
  }

  /**
   * Returns the senders that match a request.
   *
   * @param words the request's parameters, all optional. {@code find} is as in {@link
   *     SenderSearch#parse}. {@code only} is the word of a concern, or "changed" for loud and slow
   *     senders. {@code sort} is "last", "first", "messages" or "sender". {@code limit} is 100 by
   *     default.
   * @throws IllegalArgumentException if a value is invalid; the message is one line for an operator
   */
  public static SendersState.Answer of(SenderSearch search, Map<String, String> words) {
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
    return new SendersState.Answer(
        summary(search.senders(), Math.min(limit, MAX_NAMES)),
        found.size(),
        found.stream().limit(limit).map(SendersState.SenderState::of).toList());
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
}
