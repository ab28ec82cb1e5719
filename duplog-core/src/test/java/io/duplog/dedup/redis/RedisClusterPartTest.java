package io.duplog.dedup.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedisClusterPartTest {

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 8, 16, 64})
  void parts_lieInEqualSharesOfTheSlots(int parts) {
    for (int i = 0; i < parts; i++) {
      int slot = RedisClusterPart.slotOf(new RedisClusterPart(i, parts).prefix("duplog"));

      assertThat((long) slot * parts / RedisClusterPart.SLOTS).isEqualTo(i);
    }
  }

  /** Bridges of different versions must find the same keys. */
  @Test
  void prefixes_areTheSameForEver() {
    assertThat(IntStream.range(0, 4).mapToObj(i -> new RedisClusterPart(i, 4).prefix("duplog")))
        .containsExactly("duplog:{0.1}", "duplog:{1.3}", "duplog:{2.1}", "duplog:{3.3}");
  }

  @Test
  void slot_ofAPart_isThatOfAllItsKeys() {
    String prefix = new RedisClusterPart(3, 4).prefix("duplog");

    assertThat(RedisClusterPart.slotOf(prefix + ":lineage"))
        .isEqualTo(RedisClusterPart.slotOf(prefix));
  }
}
