package io.duplog.dedup.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedisClusterSettingsTest {
  private static List<String> prefixes(int parts) {
    return new RedisClusterSettings(List.of(), parts).prefixes("duplog");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 8, 16, 64})
  void parts_lieInEqualSharesOfTheSlots(int parts) {
    List<String> prefixes = prefixes(parts);
    assertThat(prefixes).hasSize(parts);
    for (int i = 0; i < parts; i++) {
      int slot = RedisClusterSettings.slotOf(prefixes.get(i));

      assertThat((long) slot * parts / RedisClusterSettings.SLOTS).isEqualTo(i);
    }
  }

  /** Bridges of different versions must find the same keys. */
  @Test
  void prefixes_areTheSameForEver() {
    assertThat(prefixes(4))
        .containsExactly("duplog:{0.1}", "duplog:{1.3}", "duplog:{2.1}", "duplog:{3.3}");
  }

  @Test
  void slot_ofAPart_isThatOfAllItsKeys() {
    String prefix = prefixes(4).get(3);

    assertThat(RedisClusterSettings.slotOf(prefix + ":lineage"))
        .isEqualTo(RedisClusterSettings.slotOf(prefix));
  }
}
