package io.duplog.benchmark.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunOrderTest {
  private static String text(List<Side> order) {
    return order.stream().map(Side::name).collect(Collectors.joining());
  }

  @Test
  void order_isOfMirroredFours_andEitherBuildMayBegin() {
    Set<String> fours = new HashSet<>();
    for (long seed = 0; seed < 20; seed++) {
      String order = text(RunOrder.of(10, seed));
      for (int i = 0; i < order.length(); i += 4) {
        fours.add(order.substring(i, i + 4));
      }
    }
    assertThat(fours).containsExactlyInAnyOrder("ABBA", "BAAB");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 7, 10})
  void order_hasEachBuildAsOften(int runs) {
    List<Side> order = RunOrder.of(runs, 3);
    assertThat(order).hasSize(2 * runs);
    assertThat(Collections.frequency(order, Side.A)).isEqualTo(runs);
  }

  @Test
  void order_isThatOfItsSeed() {
    assertThat(RunOrder.of(10, 7)).isEqualTo(RunOrder.of(10, 7));
    assertThat(LongStream.range(0, 20).mapToObj(seed -> text(RunOrder.of(10, seed))).distinct())
        .hasSizeGreaterThan(1);
  }
}
