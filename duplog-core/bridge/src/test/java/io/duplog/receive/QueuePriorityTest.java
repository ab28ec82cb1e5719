package io.duplog.receive;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that bridges divide a stream's queues among themselves, also after one of them is lost. */
class QueuePriorityTest {
  @Test
  void bridgesThatShareNothing_haveNoPriority() {
    assertThat(new QueuePriority(List.of(), -1).priority(7)).isZero();
    assertThat(new QueuePriority(List.of("one"), 0).priority(3)).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "2, '0 1, 1 0, 0 1, 1 0'",
    "3, '0 1 2, 1 2 0, 2 0 1, 0 2 1, 1 0 2, 2 1 0'",
  })
  void eachQueue_isServedByItsBridgesInTurn(int bridges, String orders) {
    List<String> expected = List.of(orders.split(", ", -1));

    assertThat(orders(bridges, expected.size())).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 5})
  void lostBridge_leavesEachOfTheOthersAsMuch(int bridges) {
    Map<String, Integer> heirs = new HashMap<>();
    for (String order : orders(bridges, bridges * (bridges - 1))) {
      heirs.merge(order.substring(0, "0 1".length()), 1, Integer::sum);
    }
    assertThat(heirs)
        .hasSize(bridges * (bridges - 1))
        .allSatisfy((pair, n) -> assertThat(n).isOne());
  }

  /** Returns the bridges of each queue, in the order in which they are served. */
  private static List<String> orders(int bridges, int queues) {
    List<String> names = IntStream.range(0, bridges).mapToObj(Integer::toString).toList();
    return IntStream.range(0, queues)
        .mapToObj(
            queue ->
                IntStream.range(0, bridges)
                    .boxed()
                    .sorted(
                        Comparator.comparing(
                            place -> -new QueuePriority(names, place).priority(queue)))
                    .map(names::get)
                    .collect(Collectors.joining(" ")))
        .toList();
  }
}
