package io.duplog.deliver.hec.event;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tests the buffer of a request's body. */
class BodyTest {
  @Test
  void body_growsUpToItsCapacity_andKeepsWhatIsInIt() {
    Body body = new Body(100_000);
    assertThat(body.bytes().length).isLessThan(100_000);
    body.bytes()[0] = 7;
    body.end(16_000);

    assertThat(body.fits(50_000)).isTrue();
    assertThat(body.bytes()[0]).isEqualTo((byte) 7);
    body.end(66_000);
    assertThat(body.fits(34_001)).isFalse();
    assertThat(body.takes(34_001)).isFalse();
    assertThat(body.fits(34_000)).isTrue();
    assertThat(body.bytes()).hasSize(100_000);
  }

  @Test
  void emptyBody_keepsNoMoreThanItMay() {
    Body body = new Body(100_000, 40_000);
    body.fits(39_000);
    byte[] memory = body.bytes();
    body.clear();
    assertThat(body.bytes()).isSameAs(memory);

    body.fits(90_000);
    body.clear();
    assertThat(body.bytes().length).isLessThanOrEqualTo(40_000);
    assertThat(body.fits(100_000)).isTrue();
  }

  @Test
  void onlyASingleEvent_exceedsTheCapacity() {
    Body body = new Body(10);
    assertThat(body.fits(11)).isFalse();
    assertThat(body.takes(30_000)).isTrue();
    body.end(30_000);
    assertThat(body.fits(1)).isFalse();
    assertThat(body.takes(1)).isFalse();
  }
}
