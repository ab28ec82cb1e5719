package io.duplog.deliver.hec.event;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * Tests that the buffer for a HEC request's body grows as needed and releases memory afterwards.
 */
class BodyTest {
  @Test
  void body_growsToItsCapacity_andKeepsItsContent() {
    Body body = new Body(100_000);
    assertThat(body.bytes().length).isLessThan(100_000);
    body.bytes()[0] = 7;
    body.setLength(16_000);

    assertThat(body.reserve(50_000)).isTrue();
    assertThat(body.bytes()[0]).isEqualTo((byte) 7);
    body.setLength(66_000);
    assertThat(body.reserve(34_001)).isFalse();
    assertThat(body.reserveForEvent(34_001)).isFalse();
    assertThat(body.reserve(34_000)).isTrue();
    assertThat(body.bytes()).hasSize(100_000);
  }

  @Test
  void emptyBody_keepsNoMoreThanMaxIdleBytes() {
    Body body = new Body(100_000, 40_000);
    body.reserve(39_000);
    byte[] memory = body.bytes();
    body.clear();
    assertThat(body.bytes()).isSameAs(memory);

    body.reserve(90_000);
    body.clear();
    assertThat(body.bytes().length).isLessThanOrEqualTo(40_000);
    assertThat(body.reserve(100_000)).isTrue();
  }

  @Test
  void singleEvent_mayExceedCapacity() {
    Body body = new Body(10);
    assertThat(body.reserve(11)).isFalse();
    assertThat(body.reserveForEvent(30_000)).isTrue();
    body.setLength(30_000);
    assertThat(body.reserve(1)).isFalse();
    assertThat(body.reserveForEvent(1)).isFalse();
  }
}
