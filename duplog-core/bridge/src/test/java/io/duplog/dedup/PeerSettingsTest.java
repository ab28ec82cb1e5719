package io.duplog.dedup;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Tests that bridges report if their settings differ from those of other bridges on the same Redis.
 */
class PeerSettingsTest {
  private final PeerSettings one = settings("one", "a,b", "500");

  private static PeerSettings settings(String name, String bridges, String senders) {
    Map<String, String> own = Map.of("receive.bridges", bridges, "coverage.senders", senders);
    return new PeerSettings(name, own, () -> 0);
  }

  private static List<BridgeNotes.Note> notesOf(PeerSettings... bridges) {
    List<BridgeNotes.Note> all = new ArrayList<>();
    for (PeerSettings bridge : bridges) {
      all.addAll(bridge.notes());
    }
    return all;
  }

  @Test
  void differentSettings_areNamedWithBothValues_untilTheyAreTheSame() {
    one.read(notesOf(one, settings("two", "b,a", "500"), settings("three", "a,b", "20")));
    assertThat(one.trouble())
        .isEqualTo(
            "receive.bridges is b,a on bridge two, but a,b here; coverage.senders is 20 on bridge"
                + " three, but 500 here. The bridges may deduplicate or report differently. Make these keys the same on all bridges.");
    one.read(notesOf(one, settings("two", "a,b", "500")));
    assertThat(one.trouble()).isNull();
  }

  @Test
  void bridgeOfAnotherDeployment_thatRedisRefuses_isNamedWithThePrefix_untilItIsGone() {
    one.read(List.of(new BridgeNotes.Note("refused trial#1-2", "+a/duplog rabbit", 5_000)));
    assertThat(one.trouble())
        .startsWith("bridge trial reads other brokers but uses the same dedup.redis.prefix. Redis")
        .contains("Give each deployment its own dedup.redis.prefix");
    one.read(List.of(new BridgeNotes.Note("refused trial#1-2", "+a/duplog rabbit", 15_000)));
    assertThat(one.trouble()).isNull();
  }

  @Test
  void bridgeThatHasStopped_otherNotes_andOtherVersions_areNoTrouble() {
    String other = settings("two", "b,a", "500").notes().get(0).text();
    one.read(
        List.of(
            new BridgeNotes.Note("settings of two", other, 30_000),
            new BridgeNotes.Note("a heartbeat", other, 0),
            new BridgeNotes.Note("settings of three", "no key", 0),
            new BridgeNotes.Note("settings of four", "receive.bridges=a,b\nnew.key=1", 0)));
    assertThat(one.trouble()).isNull();
  }
}
