package io.duplog.dedup;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.dedup.Arrivals.Way;
import io.duplog.dedup.memory.BrokenCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that the deduplication rule keeps the right number of copies in every order of arrival, and
 * that wrong rules fail.
 */
class CountsTest {
  private static final long NEVER = Long.MAX_VALUE;

  /**
   * A second ledger may be another Redis server, a bridge's memory or another epoch. Counting apart
   * loses no copy. Each ledger keeps the maximum over streams of its counts, and the sum of maxima
   * is at least the maximum of sums. Counting a copy twice can lose one. The mirrored ledgers are
   * the counter-example of docs/decisions/redis.md#no-mirrored-redis: the most generous way to take
   * two answers does not help if only one comes.
   *
   * @param evictions how many keys are evicted, at any time
   * @param sizes for each size, the number of streams, the number of copies that arrive, and the
   *     most duplicates among the kept copies
   * @param loss the shortest order that loses a copy. There are more duplicates than the ledgers
   *     differ by only if a copy is counted twice.
   */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          as often as on the fullest stream | right    | 0 | FIRST                               | 2:14:0 3:12:0 4:10:0 |
          evicted as a whole: nothing lost  | right    | 2 | FIRST                               | 2:14:6 3:10:5 4:8:4  |
          each counted by one of two        | right    | 0 | FIRST SECOND                        | 2:10:5 3:7:3 4:5:2   |
          kept without an answer            | right    | 0 | FIRST SECOND UNANSWERED_KEPT PASSED | 2:8:4 3:6:4          |
          unanswered, asked of the second   | right    | 0 | FIRST SECOND UNANSWERED_ASKED_AGAIN | 2:3:1 3:3:1          | a2 b1?2 a1
          mirrored, each misses another one | right    | 0 | FIRST SECOND BOTH                   | 2:3:1 3:3:1 4:3:1    | a12 b1 b2
          mirrored, one misses nothing      | right    | 0 | FIRST BOTH                          | 2:8:4                |
          the prototype, of two streams     | minus    | 0 | FIRST                               | 2:14:0               |
          the prototype, of more            | minus    | 0 | FIRST                               | 3:5:0 4:5:0          | a1 b1 c1 a1
          separate keys                     | separate | 0 | FIRST                               | 2:12:0 3:10:0 4:8:0  |
          separate keys, one evicted        | separate | 1 | FIRST                               | 2:3:1 3:3:1 4:3:1    | a1 evict1/0 a1
          """)
  void copies_inEveryOrder_areKept(
      String name, String rule, int evictions, String ways, String sizes, String loss) {
    Way[] each = Stream.of(ways.split(" ", -1)).map(Way::valueOf).toArray(Way[]::new);
    boolean countedTwice = ways.matches(".*(BOTH|ASKED_AGAIN)");
    List<String> seen = new ArrayList<>();
    for (String size : sizes.split(" ", -1)) {
      int[] numbers = Stream.of(size.split(":", -1)).mapToInt(Integer::parseInt).toArray();
      int streams = numbers[0];
      Supplier<Counts> counts =
          () ->
              switch (rule) {
                case "minus" -> new BrokenCounts.Decremented(streams, NEVER);
                case "separate" -> new BrokenCounts.SeparateKeys(streams, NEVER);
                default -> new Counts(streams, NEVER);
              };

      Arrivals.Result result = new Arrivals(counts, streams, evictions, each).upTo(numbers[1]);

      assertThat(result.findings().get("LOSS")).as(size).isEqualTo(loss);
      assertThat(countedTwice || !result.findings().containsKey("DUPLICATE")).as(size).isTrue();
      seen.add("%d:%d:%d".formatted(streams, numbers[1], result.mostDuplicates()));
      assertThat(result.states()).as(size).isGreaterThan(3 * numbers[1]);
    }
    assertThat(seen).containsExactly(sizes.split(" ", -1));
  }
}
