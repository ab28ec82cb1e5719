package io.duplog.receive;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AcknowledgementsTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final List<String> frames = new ArrayList<>();

  private Acknowledgements of(AcknowledgePolicy policy) {
    return new Acknowledgements(
        policy, (tag, multiple) -> frames.add(tag + (multiple ? " and before" : "")), 0);
  }

  @Test
  void each_isAcknowledgedByItself() {
    Acknowledgements acknowledgements = of(AcknowledgePolicy.EACH);

    acknowledgements.settled(2, 0);
    acknowledgements.settled(1, 0);

    assertThat(frames).containsExactly("2", "1");
  }

  @Test
  void count_neverReachesPastAGap() {
    Acknowledgements acknowledgements = of(new AcknowledgePolicy(3, Duration.ofSeconds(1)));

    for (long tag : new long[] {2, 3, 4, 5}) {
      acknowledgements.settled(tag, 0);
    }
    assertThat(frames).isEmpty();
    acknowledgements.settled(1, 0);

    assertThat(frames).containsExactly("5 and before");
  }

  @Test
  void count_isSentAfterTheInterval_whereItIsNotReached() {
    Acknowledgements acknowledgements = of(new AcknowledgePolicy(50, Duration.ofSeconds(1)));

    acknowledgements.settled(1, 0);
    acknowledgements.tick(SECOND - 1);
    assertThat(frames).isEmpty();
    acknowledgements.tick(SECOND);

    assertThat(frames).containsExactly("1 and before");
  }

  @Test
  void interval_sendsOneFrameForAll_andNoneForNothing() {
    Acknowledgements acknowledgements = of(AcknowledgePolicy.every(Duration.ofSeconds(1)));

    acknowledgements.settled(1, 0);
    acknowledgements.settled(2, 0);
    acknowledgements.tick(SECOND);
    acknowledgements.tick(2 * SECOND);
    acknowledgements.settled(4, 2 * SECOND);
    acknowledgements.settled(3, 2 * SECOND);
    acknowledgements.tick(3 * SECOND);

    assertThat(frames).containsExactly("2 and before", "4 and before");
  }

  @Test
  void gapThatStandsForAnInterval_holdsNothingUp_andNoLaterFrameNamesWhatWasSent() {
    for (AcknowledgePolicy policy :
        List.of(
            new AcknowledgePolicy(2, Duration.ofSeconds(1)),
            AcknowledgePolicy.every(Duration.ofSeconds(1)))) {
      frames.clear();
      Acknowledgements acknowledgements = of(policy);
      acknowledgements.settled(1, 0);
      acknowledgements.settled(3, 0);
      acknowledgements.tick(SECOND);
      assertThat(frames).containsExactly("1 and before");
      acknowledgements.tick(2 * SECOND);
      assertThat(frames).containsExactly("1 and before", "3");

      acknowledgements.settled(2, 2 * SECOND);
      acknowledgements.tick(3 * SECOND);
      acknowledgements.tick(4 * SECOND);

      assertThat(frames).containsExactly("1 and before", "3", "2 and before");
    }
  }

  @Test
  void close_sendsWhatIsSettled_behindAGapToo() {
    Acknowledgements acknowledgements = of(AcknowledgePolicy.every(Duration.ofSeconds(1)));

    acknowledgements.settled(1, 0);
    acknowledgements.settled(3, 0);
    acknowledgements.acknowledge(0);

    assertThat(frames).containsExactly("1 and before", "3");
  }

  @Test
  void returned_leavesNoGap_andIsNeverNamed() {
    Acknowledgements acknowledgements = of(new AcknowledgePolicy(2, Duration.ofSeconds(1)));

    acknowledgements.settled(1, 0);
    acknowledgements.returned(2);
    acknowledgements.settled(4, 0);
    acknowledgements.returned(3);
    acknowledgements.returned(5);
    acknowledgements.acknowledge(SECOND);

    // The broker closes the channel of who acknowledges what it has back.
    assertThat(frames).containsExactly("4 and before");
  }

  @Test
  void returned_amongEach_isNotAcknowledged() {
    Acknowledgements acknowledgements = of(AcknowledgePolicy.EACH);

    acknowledgements.returned(1);
    acknowledgements.settled(2, 0);

    assertThat(frames).containsExactly("2");
  }
}
