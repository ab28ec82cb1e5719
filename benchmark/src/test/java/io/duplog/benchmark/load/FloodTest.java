package io.duplog.benchmark.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FloodTest {
  private long delivered;

  @Test
  void stream_isAheadOfTheSlowestByTheLeadAtMost() {
    Flood flood = new Flood(() -> delivered, Long.MAX_VALUE);
    assertThat(flood.allowed(0)).isEqualTo(Flood.LEAD);
    assertThat(flood.allowed(1_000)).isEqualTo(1_000 + Flood.LEAD);
    delivered = 5_000;
    assertThat(flood.allowed(1_000)).isEqualTo(1_000 + Flood.LEAD);
  }

  @Test
  void messagesUnderWay_areBounded() {
    Flood flood = new Flood(() -> delivered, 100);
    assertThat(flood.allowed(0)).isEqualTo(100);
    delivered = 50;
    assertThat(flood.allowed(100)).isEqualTo(150);
    delivered = 1_000_000;
    assertThat(flood.allowed(100)).isEqualTo(100 + Flood.LEAD);
  }

  @Test
  void message_hasNoTimeOfItsOwn() {
    Flood flood = new Flood(() -> delivered, 100);
    flood.begin();
    assertThat(flood.dueNanos(7)).isNegative();
  }
}
