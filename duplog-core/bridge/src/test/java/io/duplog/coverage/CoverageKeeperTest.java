package io.duplog.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.bridge.SenderHeaders;
import io.duplog.dedup.SharedTexts;
import io.duplog.deliver.DeliveryRequests;
import io.duplog.senders.SenderInventory;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests that the thread which updates a bridge's coverage reads the senders' records after the
 * store's first answer.
 */
class CoverageKeeperTest {
  private final SharedTexts texts = SharedTexts.ofOneBridge();
  private Site site;

  private SenderInventory senders() {
    return new SenderInventory(
        List.of("a", "b"), texts, 10, new SenderHeaders(null), stream -> true, site.store::millis);
  }

  /** The age of a sender's record depends on the store's time. */
  @Test
  void senders_areRead_afterTheFirstAnswerOfTheStore() throws Exception {
    site = new Site(2, 1, 1);
    SenderInventory others = senders();
    others.counted(DeliveryRequests.batch(true, "10.1.2.7 on"), 0, null, site.store.millis());
    site.store.pass(Duration.ofSeconds(10));
    others.runOnce();
    SenderInventory own = senders();
    CoverageKeeper keeper = new CoverageKeeper(site.coverages.get(0), 1, own);
    site.connections.get(0).get(0).disturb(DisturbedTallies.AWAY);
    keeper.runOnce();
    assertThat(own.size()).isZero();
    site.connections.get(0).get(0).disturb(DisturbedTallies.NONE);
    keeper.runOnce();

    assertThat(own.size()).isEqualTo(1);
  }
}
