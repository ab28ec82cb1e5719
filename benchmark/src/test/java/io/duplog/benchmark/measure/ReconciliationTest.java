package io.duplog.benchmark.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The judge itself: a merged stream with one fault in many messages must not pass. */
class ReconciliationTest {
  private static final int MANY = 1_000_000;
  private static final int VICTIM = 654_321;

  private final Tally first = new Tally();
  private final Tally second = new Tally();
  private final Tally delivered = new Tally();

  @Test
  void exactDelivery_ofManyMessages_passes() {
    sendAndDeliverMany(-1);

    assertThat(result()).isEqualTo(new Reconciliation(MANY, 2L * MANY, MANY, 0, 0, 0));
    assertThat(result().isExact()).isTrue();
  }

  @Test
  void oneDroppedMessage_inAMillion_isLost() {
    sendAndDeliverMany(VICTIM);

    assertThat(result()).isEqualTo(new Reconciliation(MANY, 2L * MANY, MANY - 1, 1, 0, 0));
    assertThat(result().isExact()).isFalse();
  }

  @Test
  void oneRepeatedMessage_inAMillion_isDuplicated() {
    sendAndDeliverMany(-1);
    add(delivered, message(VICTIM));

    assertThat(result()).isEqualTo(new Reconciliation(MANY, 2L * MANY, MANY + 1, 0, 1, 0));
    assertThat(result().isExact()).isFalse();
  }

  @Test
  void oneAlteredByte_inAMillionMessages_isLostAndCorrupted() {
    sendAndDeliverMany(VICTIM);
    add(delivered, message(VICTIM).replace("message", "messagf"));

    assertThat(result()).isEqualTo(new Reconciliation(MANY, 2L * MANY, MANY, 1, 0, 1));
    assertThat(result().isExact()).isFalse();
  }

  @Test
  void inStreamRepeats_areExpectedAsOftenAsTheFullerStreamHasThem() {
    add(first, "five", "five", "five", "five", "five");
    add(second, "five", "five", "five");
    add(delivered, "five", "five", "five", "five");

    assertThat(result()).isEqualTo(new Reconciliation(5, 8, 4, 1, 0, 0));
  }

  @Test
  void messageOnTheSecondStreamOnly_isExpected() {
    add(first, "a");
    add(second, "a", "b");
    add(delivered, "a");

    assertThat(result()).isEqualTo(new Reconciliation(2, 3, 1, 1, 0, 0));
  }

  @Test
  void lossOfOneMessage_isNotMadeUpByADuplicateOfAnother() {
    add(first, "a", "b");
    add(second, "a", "b");
    add(delivered, "a", "a");

    assertThat(result()).isEqualTo(new Reconciliation(2, 4, 2, 1, 1, 0));
  }

  @Test
  void whatIsOnlyPossible_mayBeMissing_andIsNoDuplicate() {
    Tally possible = new Tally();
    add(first, "a", "a");
    add(possible, "a", "b", "c");
    add(delivered, "a", "a", "a", "b");

    assertThat(Reconciliation.of(List.of(first), List.of(possible), delivered))
        .isEqualTo(new Reconciliation(2, 5, 4, 0, 0, 0));
    add(delivered, "a", "b", "x");
    assertThat(Reconciliation.of(List.of(first), List.of(possible), delivered))
        .isEqualTo(new Reconciliation(2, 5, 7, 0, 2, 1));
  }

  @Test
  void whatIsPromised_isLost_evenIfMoreOfItWasPossible() {
    Tally possible = new Tally();
    add(first, "a", "a");
    add(possible, "a");
    add(delivered, "a");

    assertThat(Reconciliation.of(List.of(first), List.of(possible), delivered).lost()).isEqualTo(1);
  }

  private Reconciliation result() {
    return Reconciliation.of(List.of(first, second), delivered);
  }

  private void sendAndDeliverMany(int lost) {
    for (int i = 0; i < MANY; i++) {
      add(first, message(i));
      add(second, message(i));
      if (i != lost) {
        add(delivered, message(i));
      }
    }
  }

  private static String message(int i) {
    return "<13>Nov 21 12:00:00 web01 app: message " + i;
  }

  private static void add(Tally tally, String... messages) {
    for (String message : messages) {
      byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
      tally.add(bytes, 0, bytes.length);
    }
  }
}
